"""A game as a save of Tabletop Simulator: a JSON file, as its knowledge base describes it.

Its tables have inches as units, about: a card as large as those of poker is 3.1 of them high. What lies
upright for who sits in front is turned by 180 degrees, what is face down lies on its head besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from rulewright.tabletops.arrangement import CounterThing, Die, Hand, Laid, Pile, Thing, Tokens
from rulewright.tabletops.pictures import CardSheet, PicturedBoard, Pictures, Token

Json = dict[str, Any]
UNIT = 3.1 / 88.9
"""The units of a mm."""
CARD = 88.9
"""The height in mm of a card whose scale is 1."""
TILE = 2.0
"""The units of the side of a tile whose scale is 1."""
ABOVE, HAND_ABOVE = 1.2, 3.0
"""How high things begin, and those in hands: they fall onto the table."""
SEATS = ("White", "Red", "Yellow", "Green", "Blue", "Purple", "Pink", "Orange", "Brown", "Teal")
COLOURS = {
    "White": (1.0, 1.0, 1.0), "Red": (0.86, 0.1, 0.09), "Yellow": (0.9, 0.9, 0.17),
    "Green": (0.19, 0.7, 0.17), "Blue": (0.12, 0.53, 1.0), "Purple": (0.63, 0.13, 0.94),
    "Pink": (0.96, 0.44, 0.81), "Orange": (0.96, 0.39, 0.11), "Brown": (0.44, 0.23, 0.09),
    "Teal": (0.13, 0.69, 0.61),
}  # fmt: skip
BOX, ROUND, HEX = 0, 2, 1
"""Kinds of tiles."""
RECTANGLE, CIRCLE, HEXAGON = 0, 2, 1
"""Kinds of cards."""
DICE = {4: "Die_4", 6: "Die_6", 8: "Die_8", 10: "Die_10", 12: "Die_12", 20: "Die_20"}
MOST_NOTES = 30_000

FLAGS: Mapping[str, Any] = {
    "Nickname": "", "Description": "", "GMNotes": "", "AltLookAngle": {"x": 0.0, "y": 0.0, "z": 0.0},
    "ColorDiffuse": {"r": 0.713235259, "g": 0.713235259, "b": 0.713235259}, "LayoutGroupSortIndex": 0,
    "Value": 0, "Locked": False, "Grid": True, "Snap": True, "IgnoreFoW": False, "MeasureMovement": False,
    "DragSelectable": True, "Autoraise": True, "Sticky": True, "Tooltip": True, "GridProjection": False,
    "HideWhenFaceDown": False, "Hands": False, "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
}  # fmt: skip
"""What every object has."""


@dataclass
class _Save:
    """The objects of a save in the making. `url` says where a picture lies."""

    pictures: Pictures
    url: Callable[[str], str]
    decks: dict[str, tuple[int, CardSheet, int]] = field(default_factory=dict)
    made: int = 0

    def __post_init__(self) -> None:
        sheets = [(name, sheet) for name, found in self.pictures.sheets.items() for sheet in found]
        for number, (name, sheet) in enumerate(sheets, 1):
            self.decks |= {f"{name} {card}": (number, sheet, i) for i, card in enumerate(sheet.names)}

    def thing(
        self, kind: str, at: tuple[float, float], *, scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
        turn: float = 0.0, above: float = ABOVE, down: bool = False, **more: Any,
    ) -> Json:  # fmt: skip
        """An object with what all objects have."""
        self.made += 1
        place = {
            "posX": at[0] * UNIT, "posY": above, "posZ": at[1] * UNIT,
            "rotX": 0.0, "rotY": (180.0 + turn) % 360, "rotZ": 180.0 if down else 0.0,
            "scaleX": scale[0], "scaleY": scale[1], "scaleZ": scale[2],
        }  # fmt: skip
        place = {key: round(value, 4) for key, value in place.items()}
        return {"GUID": f"{self.made:06x}", "Name": kind, "Transform": place, **FLAGS, **more}

    def objects(self, thing: Thing) -> Iterator[Json]:
        match thing:
            case Pile():
                yield self.pile(thing)
            case Tokens():
                yield from self.tokens(thing)
            case Die():
                yield self.die(thing)
            case CounterThing(label=label, value=value, at=at, turn=turn):
                yield self.thing("Counter", at, Nickname=label, turn=turn, Counter={"value": value})
            case Laid():
                yield self.board(thing)
            case Hand():
                yield self.hand(thing)
            case _:
                assert_never(thing)

    # ---- cards

    def pile(self, pile: Pile) -> Json:
        cards = [self.card(pile, name) for name in pile.cards]
        if len(cards) == 1:
            return cards[0]
        size, down = pile.size[1] / CARD, not pile.open and pile.secret != "hand"
        decks: Json = {}
        for card in cards:
            decks |= card["CustomDeck"]
        return self.thing(
            "DeckCustom", pile.at, Nickname=pile.label, turn=pile.turn, down=down,
            scale=(size, 1.0, size), SidewaysCard=False, DeckIDs=[card["CardID"] for card in cards],
            CustomDeck=decks, ContainedObjects=cards,
        )  # fmt: skip

    def card(self, pile: Pile, name: str) -> Json:
        number, sheet, index = self.decks[f"{pile.component} {name}"]
        deck = self.pictures.decks[pile.component]
        size = pile.size[1] / CARD
        kinds = {"rectangle": RECTANGLE, "round": CIRCLE, "hex": HEXAGON}
        custom = {
            "FaceURL": self.url(sheet.face), "BackURL": self.url(sheet.back), "NumWidth": sheet.columns,
            "NumHeight": sheet.rows, "BackIsHidden": True, "UniqueBack": not sheet.one_back,
            "Type": kinds[deck.outline],
        }  # fmt: skip
        piece = next(it for it in deck.pieces if it.name == name)
        held = pile.secret == "hand"
        return self.thing(
            "CardCustom", pile.at, Nickname=deck.game.names.label(name), Description=piece.rules,
            turn=pile.turn, above=HAND_ABOVE if held else ABOVE, down=not pile.open and not held,
            scale=(size, 1.0, size), Hands=True, SidewaysCard=False, CardID=100 * number + index,
            CustomDeck={str(number): custom},
        )  # fmt: skip

    # ---- small pieces

    def tokens(self, tokens: Tokens) -> Iterator[Json]:
        """Tokens side by side, or in a bag."""
        whole = sum(number for _, number in tokens.pieces)
        if tokens.bag:
            inner = [self.token(token, tokens.at) for token, number in tokens.pieces for _ in range(number)]
            yield self.thing(
                "Bag", tokens.at, Nickname=tokens.label, turn=tokens.turn, MaterialIndex=-1, MeshIndex=-1,
                Bag={"Order": 2 if tokens.secret else 0}, ContainedObjects=inner,
            )  # fmt: skip
            return
        step = tokens.size[0] / max(whole, 1)
        x, y = tokens.at[0] - step * (whole - 1) / 2, tokens.at[1]
        for token, number in tokens.pieces:
            for _ in range(number):
                yield self.token(token, (x, y), tokens.turn)
                x += step

    def token(self, token: Token, at: tuple[float, float], turn: float = 0.0) -> Json:
        side = token.size * UNIT / TILE
        return self.tile(token.file, token.label, at, (side, side), ROUND if token.round else BOX, turn=turn)

    def tile(
        self, file: str, label: str, at: tuple[float, float], scale: tuple[float, float], kind: int, *,
        turn: float = 0.0, locked: bool = False, thickness: float = 0.2, **more: Any,
    ) -> Json:  # fmt: skip
        image = {
            "ImageURL": self.url(file), "ImageSecondaryURL": "", "ImageScalar": 1.0, "WidthScale": 0.0,
            "CustomTile": {"Type": kind, "Thickness": thickness, "Stackable": False, "Stretch": False},
        }  # fmt: skip
        size = (scale[0], 1.0, scale[1])
        return self.thing(
            "Custom_Tile", at, Nickname=label, scale=size, turn=turn, Locked=locked, CustomImage=image, **more
        )

    def die(self, die: Die) -> Json:
        """A usual die as such; of others the faces are the states of a tile, one after another."""
        numbers = [name for name in die.names if name.isdigit()]
        if numbers == [str(n) for n in range(1, len(die.names) + 1)] and len(numbers) in DICE:
            return self.thing(DICE[len(numbers)], die.at, Nickname=die.label, turn=die.turn)
        faces = [self.token(face, die.at, die.turn) for face in die.faces]
        first, *others = [faces[die.shown], *(face for i, face in enumerate(faces) if i != die.shown)]
        return first | {"States": {str(number): face for number, face in enumerate(others, 2)}}

    # ---- the table

    def board(self, laid: Laid) -> Json:
        board: PicturedBoard = laid.board
        scale = (board.width * UNIT / TILE, board.height * UNIT / TILE)
        return self.tile(
            board.file, board.label, laid.at, scale, BOX,
            turn=laid.turn, locked=True, thickness=0.1, above=0.96, Tooltip=False,
        )  # fmt: skip

    def hand(self, hand: Hand) -> Json:
        """A zone in which only the seat of its colour sees what lies."""
        colour = SEATS[hand.seat % len(SEATS)]
        size = (hand.size[0] * UNIT, 5.0, hand.size[1] * UNIT)
        found = self.thing(
            "HandTrigger", hand.at, Nickname=hand.label, above=3.3, scale=size, FogColor=colour
        )
        red, green, blue = COLOURS[colour]
        found["Transform"]["rotY"] = round(hand.turn % 360, 4)
        return found | {
            "Locked": True,
            "Grid": False,
            "ColorDiffuse": {"r": red, "g": green, "b": blue, "a": 0.0},
        }


def saved(
    title: str, seats: int, things: Sequence[Thing], pictures: Pictures, url: Callable[[str], str], notes: str
) -> Json:
    """A save with all things of a table; it may lie among the saves or among the saved objects."""
    save = _Save(pictures, url)
    objects = [it for thing in things for it in save.objects(thing)]
    grey = {"r": 0.5, "g": 0.5, "b": 0.5}
    tab = {"title": "Rules", "body": notes[:MOST_NOTES], "color": "Grey", "visibleColor": grey, "id": 0}
    return {
        "SaveName": title, "EpochTime": 0, "Date": "", "VersionNumber": "", "GameMode": title,
        "GameType": "", "GameComplexity": "", "PlayingTime": [0, 0], "PlayerCounts": [seats, seats],
        "Tags": [], "Gravity": 0.5, "PlayArea": 0.5, "Table": "Table_RPG", "Sky": "Sky_Museum", "Note": "",
        "Rules": "", "TabStates": {"0": tab},
        "Grid": {"Type": 0, "Lines": False, "Color": {"r": 0.0, "g": 0.0, "b": 0.0}, "Opacity": 0.75,
                 "ThickLines": False, "Snapping": False, "Offset": False, "BothSnapping": False, "xSize": 2.0,
                 "ySize": 2.0, "PosOffset": {"x": 0.0, "y": 1.0, "z": 0.0}},
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "Turns": {"Enable": False, "Type": 0, "TurnOrder": [], "Reverse": False, "SkipEmpty": False,
                  "DisableInteractions": False, "PassTurns": True, "TurnColor": ""},
        "DecalPallet": [], "LuaScript": "", "LuaScriptState": "", "XmlUI": "", "ObjectStates": objects,
    }  # fmt: skip
