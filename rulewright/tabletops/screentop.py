"""A game for screentop: pictures to upload, and the lists of JSON that its editor takes, each by itself.

Lengths are in its pixels. A list has an entry for each thing, by its number from 1 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Any, assert_never

from rulewright.tabletops.arrangement import CounterThing, Die, Hand, Laid, Pile, Thing, Tokens
from rulewright.tabletops.pictures import Pictures, Token

Json = dict[str, Any]
PIXELS = 120 / 63
"""The pixels of a mm: a card is 120 of them wide."""
LINE = "#000000"
CORNER = 3.2


class _Table:
    """The lists of a game in the making; `tags` count the objects of each component."""

    def __init__(self, pictures: Pictures, seats: Sequence[str]) -> None:
        self.pictures, self.seats = pictures, seats
        self.assets: dict[str, Json] = {}
        self.components: dict[str, Json] = {}
        self.variants: dict[str, list[Json]] = {}
        self.cards: dict[tuple[str, str], str] = {}
        self.tags: dict[str, int] = {}
        for name, deck in pictures.decks.items():
            self.deck(name, deck.game.names.label(name), deck.size, deck.outline)

    def deck(self, name: str, label: str, size: tuple[float, float], outline: str) -> None:
        deck = self.pictures.decks[name]
        self.component(label, "TILE", size, outline == "round")
        for sheet in self.pictures.sheets[name]:
            face = self.asset(sheet.face, sheet.rows, sheet.columns)
            shape = (1, 1) if sheet.one_back else (sheet.rows, sheet.columns)
            back = self.asset(sheet.back, *shape)
            for i, card in enumerate(sheet.names):
                at = 1 if sheet.one_back else i + 1
                self.cards[name, card] = self.variant(
                    label, deck.game.names.label(card), face, i + 1, back, at
                )

    def asset(self, file: str, rows: int = 1, columns: int = 1) -> str:
        name = file.removesuffix(".png")
        self.assets[name] = {"name": name, "rows": rows, "columns": columns}
        return name

    def component(self, label: str, kind: str, size: tuple[float, float], circle: bool = False) -> None:
        width, height = (round(side * PIXELS, 2) for side in size)
        shape = (
            {"kind": "CIRCLE", "radius": width / 2}
            if circle
            else {"corner": CORNER, "height": height, "kind": "RECTANGLE", "width": width}
        )
        hidden = "OPEN" if kind == "CONTAINER" else "OPAQUE"
        flip = {"flipAxis": "Y"} if kind == "TILE" else {}
        self.components[label] = {
            "kind": kind, "name": label, **flip, "hiddenStyle": hidden, "orientations": 4, "shape": shape,
        }  # fmt: skip

    def variant(self, component: str, label: str, front: str, at: int, back: str, back_at: int) -> str:
        """Adds a variant of a component; returns its name, which no other of it has."""
        known = {it["name"] for it in self.variants.setdefault(component, [])}
        name = next(n for n in chain([label], (f"{label} {i}" for i in count(2))) if n not in known)
        self.variants[component].append({
            "kind": "TILE", "name": name, "frontFillColor": "#ffffff", "backFillColor": "#ffffff",
            "strokeColor": LINE, "frontAsset": front, "frontAssetIndex": at, "backAsset": back,
            "backAssetIndex": back_at,
        })  # fmt: skip
        return name

    def single(self, file: str, label: str, size: tuple[float, float], circle: bool) -> None:
        """A component with one variant: a token, or a board."""
        if label not in self.components:
            self.component(label, "TILE", size, circle)
            asset = self.asset(file)
            self.variant(label, label, asset, 1, asset, 1)

    # ---- objects

    def objects(self, thing: Thing) -> Iterator[Json]:
        match thing:
            case Pile(component=name, cards=cards, open=open_, secret=secret):
                label = self.pictures.decks[name].game.names.label(name)
                up = "UP" if open_ or secret == "hand" else "DOWN"
                for card in cards:
                    yield self.object(thing, "TILE", label, self.cards[name, card], up)
            case Tokens(pieces=pieces):
                for token, number in pieces:
                    yield from (self.token(thing, token) for _ in range(number))
            case Die(faces=faces, shown=shown):
                yield self.token(thing, faces[shown])
            case Laid(board=board):
                label = board.label if board.seat is None else f"{board.label} {board.seat + 1}"
                self.single(board.file, label, (board.width, board.height), False)
                yield self.object(thing, "TILE", label, label, "UP") | {"locked": True}
            case Hand(seat=seat, label=label, size=size):
                self.component(f"Hand: {label}", "CONTAINER", size)
                access = {
                    "seats": [self.seats[seat]],
                    "viewPolicy": "ALLOW_SEATS",
                    "interactPolicy": "ALLOW_SEATS",
                }
                yield self.object(thing, "CONTAINER", f"Hand: {label}", "Variant 1", "OPEN") | access
            case CounterThing():
                pass  # what is counted has no picture
            case _:
                assert_never(thing)

    def token(self, thing: Thing, token: Token) -> Json:
        self.single(token.file, token.label, (token.size, token.size), token.round)
        return self.object(thing, "TILE", token.label, token.label, "UP")

    def object(self, thing: Thing, kind: str, component: str, variant: str, state: str) -> Json:
        self.tags[component] = self.tags.get(component, 0) + 1
        return {
            "kind": kind, "component": component, "tag": str(self.tags[component]), "variant": variant,
            "state": state, "x": round(thing.at[0] * PIXELS), "y": round(-thing.at[1] * PIXELS),
            "rotation": round(thing.turn) % 360, "locked": False, "entries": {},
        }  # fmt: skip


def lists(title: str, seats: Sequence[str], things: Sequence[Thing], pictures: Pictures) -> dict[str, Json]:
    """The lists of a game, by the names of their files, which say where in the editor they belong."""
    table = _Table(pictures, seats)
    objects = [it for thing in sorted(things, key=_depth) for it in table.objects(thing)]
    found = {
        "Assets.json": _numbered(table.assets.values()),
        "Components.json": _numbered(table.components.values()),
        "Seats.json": _numbered({"name": seat} for seat in seats),
        "Surfaces.json": _numbered([{"name": title}]),
        "Surfaces - Objects.json": _numbered(objects),
    }
    for i, component in enumerate(table.components, 1):
        if component in table.variants:
            found[f"Components - {i} - Variants.json"] = _numbered(table.variants[component])
    return found


def _depth(thing: Thing) -> int:
    """Boards and hands lie below all others."""
    return 1 if not isinstance(thing, Laid | Hand) else 0


def _numbered(entries: Any) -> Json:
    return {str(i): entry for i, entry in enumerate(entries, 1)}
