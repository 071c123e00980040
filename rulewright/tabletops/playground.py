"""A game as a package of Tabletop Playground: its templates as the published schema has them, and a state.

Lengths are in cm. The first axis points away from who sits in front, the second to the right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import cos, pi, sin
from typing import Any, assert_never

from rulewright.tabletops.arrangement import CounterThing, Die, Hand, Laid, Pile, Thing, Tokens
from rulewright.tabletops.pictures import Pictures, Token

Json = dict[str, Any]
CM = 0.1
"""The cm of a mm."""
ABOVE = 2.0
"""How high things begin: they fall onto the ground."""
CARD, TOKEN, BOARD = 0.05, 0.3, 0.2
"""How thick things are, in cm."""
NOWHERE = "0" * 32
MODELS = {"rectangle": "Rounded", "round": "Round", "hex": "Hexagonal"}
WHITE = {"R": 255, "G": 255, "B": 255}
BLACK = {"R": 0, "G": 0, "B": 0}
ONE_BACK, OWN_BACK, SAME_BACK = -2, -3, -1
"""A picture that is the back of all, a sheet with one for each, and the front again."""
AS_BACK = -3
"""What a hidden card shows."""
FLOATS = {"metallic": 0.0, "roughness": 1.0, "friction": 0.7, "restitution": 0.0, "density": 0.5}


def guid(*words: object) -> str:
    """The id of a template or package: the same for the same game."""
    return sha256("\0".join(map(str, words)).encode()).hexdigest()[:32].upper()


class _Package:
    """The templates of a game by their ids, and which of them cards and tokens are."""

    def __init__(self, title: str, pictures: Pictures) -> None:
        self.title, self.pictures = title, pictures
        self.id = guid("package", title)
        self.templates: dict[str, Json] = {}
        self.cards: dict[tuple[str, str], tuple[str, int]] = {}
        for name, deck in pictures.decks.items():
            for sheet in pictures.sheets[name]:
                labels = [deck.game.names.label(card) for card in sheet.names]
                made = self.template(
                    deck.game.names.label(name), sheet.face, sheet.back,
                    deck.size, MODELS[deck.outline], CARD,
                    BackIndex=ONE_BACK if sheet.one_back else OWN_BACK,
                    NumHorizontal=sheet.columns, NumVertical=sheet.rows, Indices=[*range(len(labels))],
                    CardNames={str(i): label for i, label in enumerate(labels)},
                )  # fmt: skip
                self.cards |= {(name, card): (made, i) for i, card in enumerate(sheet.names)}

    def template(
        self,
        name: str,
        front: str,
        back: str,
        size: tuple[float, float],
        model: str,
        thick: float,
        **more: Any,
    ) -> str:
        """Adds a template of a card, as tokens and boards are, too; returns its id."""
        made = guid(self.title, front)
        self.templates[made] = {
            "Type": "Card", "GUID": made, "Name": name, "Metadata": "", "CollisionType": "Regular",
            "Friction": 0.7, "Restitution": 0, "Density": 0.5, "SurfaceType": "Cardboard", "Roughness": 1,
            "Metallic": 0, "PrimaryColor": WHITE, "SecondaryColor": BLACK, "Flippable": True,
            "AutoStraighten": False, "ShouldSnap": True, "ScriptName": "", "Blueprint": "", "Models": [],
            "Collision": [], "Lights": [], "SnapPointsGlobal": False, "SnapPoints": [],
            "ZoomViewDirection": {"X": 0, "Y": 0, "Z": 0}, "GroundAccessibility": "Nothing", "Tags": [],
            "FrontTexture": front, "BackTexture": back, "HiddenTexture": "", "BackIndex": SAME_BACK,
            "HiddenIndex": AS_BACK, "NumHorizontal": 1, "NumVertical": 1,
            "Width": round(size[0] * CM, 3), "Height": round(size[1] * CM, 3), "Thickness": thick,
            "HiddenInHand": True, "UsedWithCardHolders": True, "CanStack": True,
            "UsePrimaryColorForSide": False, "FrontTextureOverrideExposed": False,
            "AllowFlippedInStack": False, "MirrorBack": True,
            "EmissiveFront": False, "Model": model, "Indices": [0], "CardNames": {}, "CardMetadata": {},
            "CardTags": {},
        } | more  # fmt: skip
        return made

    def token(self, token: Token) -> str:
        size = (token.size, token.size)
        return self.template(token.label, token.file, "", size, "Round" if token.round else "Square", TOKEN)

    def objects(self, thing: Thing) -> Iterator[Json]:
        match thing:
            case Pile():
                yield self.pile(thing)
            case Tokens(pieces=pieces, label=label):
                for token, number in pieces:
                    made = self.token(token)
                    yield self.card(thing, made, 0, label, [(made, 0)] * number, down=False)
            case Die(faces=faces, shown=shown, label=label):
                yield self.card(thing, self.token(faces[shown]), 0, label, [], down=False)
            case Laid(board=board):
                made = self.template(
                    board.label, board.file, "", (board.width, board.height), "Square", BOARD
                )
                yield self.card(thing, made, 0, board.label, [], down=False) | {"collisionType": "CB_Ground"}
            case CounterThing() | Hand():
                pass  # there is neither a counter nor a place of a hand that a template could be made for
            case _:
                assert_never(thing)

    def pile(self, pile: Pile) -> Json:
        cards = [self.cards[pile.component, name] for name in pile.cards]
        made, index = cards[0]
        down = bool(pile.secret) or not pile.open
        return self.card(pile, made, index, pile.label, cards, down=down)

    def card(
        self, thing: Thing, made: str, index: int, label: str, stack: Sequence[tuple[str, int]], *, down: bool
    ) -> Json:
        """An object: a card, or a stack of them."""
        x, y = thing.at
        half = -thing.turn * pi / 360
        rotation = {"x": 0.0, "y": 0.0, "z": round(sin(half), 6), "w": round(cos(half), 6)}
        if down:
            rotation = {"x": rotation["w"], "y": rotation["z"], "z": 0.0, "w": 0.0}
        owner = thing.seat if thing.seat is not None and thing.secret else -1
        return {
            "objectType": "Card",
            "transform": {
                "rotation": rotation,
                "translation": {"x": round(y * CM, 3), "y": round(x * CM, 3), "z": ABOVE},
                "scale3D": {"x": 1, "y": 1, "z": 1},
            },
            "simulatingPhysics": True, "atlasIndex": index, "frontTextureOverride": "", "inHand": False,
            "stackSerialization": [
                {"index": i, "templateId": other, "frontTextureOverride": "", "flipped": False}
                for other, i in stack[1:]
            ],
            "primaryColor": {"b": 255, "g": 255, "r": 255, "a": 255},
            "secondaryColor": {"b": 0, "g": 0, "r": 0, "a": 255}, **FLOATS, "surfaceType": "SurfaceType4",
            "objectName": label, "objectDescription": "", "collisionType": "CB_Regular", "templateId": made,
            "shouldSnap": True, "previousPosition": {"x": 0, "y": 0, "z": 0}, "objectScriptPackage": NOWHERE,
            "objectScriptName": "", "persistentData": "", "persistentKeyData": {},
            "uniqueId": guid(made, label, thing.at)[:6].lower(), "drawingLines": [], "objectTags": [],
            "objectGroupId": -1, "ownerIndex": owner, "lightsOn": True, "bCanBeDamaged": False,
        }  # fmt: skip


def package(title: str, things: Sequence[Thing], pictures: Pictures, notes: str) -> dict[str, Json]:
    """The files of a package but its pictures, which lie in its folder `Textures`."""
    made = _Package(title, pictures)
    objects = [it for thing in things for it in made.objects(thing)]
    state = {
        "saveStateVersion": "1.1",
        "gameState": {
            "measureUnit": 1, "rotationStep": 45, "notes": notes, "turnInfo": {}, "slotTeams": [0] * 20,
            "globalScriptPackage": NOWHERE, "globalScriptName": "",
            "backgroundTexture": {"resourceName": "", "packageGuid": NOWHERE}, "phases": [],
            "spectatorsSeeEverything": False, "persistentData": "", "persistentKeyData": {},
            "physicsLocked": False, "measureAngles": "None", "alwaysSnap": False, "liftOverRegular": True,
            "gravityMultiplier": 1, "slotIds": [""] * 20, "mapName": "HDRI_Field", "currentTurn": 0,
            "bCanBeDamaged": False,
        },
        "requiredPackages": [{"name": title, "guid": made.id}],
        "storedCameraSetups": [False] * 10,
        "objects": objects,
        "zones": [],
        "labels": [],
    }  # fmt: skip
    files: dict[str, Json] = {"manifest.json": {"Name": title, "Version": "1", "GUID": made.id}}
    files |= {f"Templates/{key}.json": template for key, template in made.templates.items()}
    return files | {"States/start.vts": state}
