"""The parts of a still picture of a position: boards with what lies on them, and pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dsl.domains import NONE, EnumType
from interpreter import ir
from interpreter.game import Game
from interpreter.views import COVERED
from rulewright.layout.board_svg import drawn
from rulewright.layout.colours import INK
from rulewright.layout.faces_text import face_texts, sign_of
from rulewright.layout.preview_blocks import (
    PIPS,
    Sketch,
    chip,
    counted,
    disc,
    figure,
    flow,
    heap,
    pips,
    rounded,
    sign,
    within,
)
from rulewright.layout.preview_faces import written
from rulewright.layout.scene import BoardScene, Point, Scene

WIDEST = 540.0
"""The width at which the pieces of a place are broken into rows."""
CARD, TILE, TOKEN = (66.0, 90.0), (58.0, 58.0), 26.0
MOST = 10
"""So many different pieces of a place are drawn."""
SEED = "#7d5a3c"
STONE = 0.72
"""The diameter of what a seat owns on a place, in that of the cell."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Draws the parts of a position: places with their pieces, single pieces, boards."""

    game: Game
    position: dict[str, Any]
    scene: Scene

    def places(self, zone: str, seat: int | None) -> Iterator[tuple[int, ir.Place]]:
        """The places of a zone with their numbers: those of a seat, or all."""
        first, count = self.game.machine.zone_places[zone]
        decl = self.game.rules.zones.get(zone)
        by_seat = decl is not None and decl.var.of == "seat"
        for number in range(first, first + count):
            place = self.game.machine.places[number]
            if not by_seat or seat is None or place.of == seat:
                yield number, place

    # ---- pieces

    def pieces(self, number: int, most: int = MOST, *, small: bool = False) -> Sketch | None:
        """The pieces of a place, `small` as on a board; nothing if there are none."""
        found = self.position["places"][number]
        component = self.game.machine.place_components[self.game.machine.places[number].zone]
        if not found:
            return None
        owner = self._owner(number)
        if isinstance(found, int):
            return counted(self.piece(component, None, owner), found)
        kinds = Counter(found if COVERED not in found else found[-1:])
        blocks = [
            counted(self.piece(component, c, owner, small=small), n) for c, n in list(kinds.items())[:most]
        ]
        if len(kinds) > most:
            blocks.append(chip(f"+{len(kinds) - most}"))
        if COVERED in found:
            blocks.append(counted(self.piece(component, None, owner), len(found) - 1))
        return flow(blocks, WIDEST)

    def _owner(self, number: int) -> int | None:
        """The seat of a place."""
        place = self.game.machine.places[number]
        decl = self.game.rules.zones.get(place.zone)
        return place.of if decl is not None and decl.var.of == "seat" else None

    def piece(self, component: str, number: int | None, owner: int | None, *, small: bool = False) -> Sketch:
        """One piece; a back if it is unseen. On one that is `small` an icon stands for the texts."""
        face = self.scene.faces[component]
        width, height = {"card": CARD, "tile": TILE}.get(face.shape, (TOKEN, TOKEN))
        if number is None:
            return Sketch(width, height, rounded(width, height, "#8c959f", 6))
        decl = self.game.rules.components[component]
        name = decl.classes[number]
        fill, ink = face.colours.get(name, "#ffffff"), face.ink.get(name, INK)
        if face.owned and owner is not None:
            fill, ink = self.scene.seats.colours[owner], self.scene.seats.ink[owner]
        if face.shape in ("card", "tile"):
            texts = face_texts(self.game, decl, number, face)
            if small and face.icons.get(name, "").startswith("data:"):
                texts = {"middle": face.icons[name], "corner": texts.get("corner", "")}
            return Sketch(width, height, rounded(width, height, fill, 6) + written(texts, width, height, ink))
        if face.shape == "die" and name in PIPS and not face.icons.get(name):
            return Sketch(width, height, rounded(width, height, fill, 5) + pips(name, width, ink))
        if name in face.figures:
            return figure(face.figures[name], width, fill, ink)
        round_one = face.shape in ("disc", "figure")
        shape = rounded(width, height, fill, width / 2 if round_one else 4)
        return Sketch(
            width, height, shape + sign(face.icons.get(name) or sign_of(face, name), width, height, ink)
        )

    # ---- boards

    def picture(self, group: Sequence[str], seat: int | None) -> Sketch:
        """A picture of boards, with what lies on their places."""
        first = self.scene.boards[group[0]]
        colours = self.scene.seats.colours
        cells = [drawn(self.scene.boards[b], lambda _: "", seat, colours) for b in group]
        on = [self._on_board(name, self.scene.boards[name], seat) for name in group]
        return Sketch(first.width, first.height, "".join(cells) + "".join(on))

    def _on_board(self, board: str, drawn_as: BoardScene, seat: int | None) -> str:
        """What lies on the places: first all things of each place, then where they stand in it."""
        things: dict[Point, list[Sketch]] = {}
        for name, zone in self.scene.zones.items():
            if zone.board == board and zone.area == "board" and zone.kind != "hidden":
                for number, place in self.places(name, seat):
                    value = place.at if place.at is not None else place.of
                    block = self.pieces(number, 3, small=True)
                    if block is not None:
                        at = self._point(
                            board, value, place.of if place.at is not None else None, zone.offsets
                        )
                        things.setdefault(at, []).append(block)
        for at, block in self._variables_on(board, seat):
            things.setdefault(at, []).append(block)
        return "".join(within(at, blocks, drawn_as.size) for at, blocks in things.items())

    def _point(self, board: str, value: int | None, owner: int | None, offsets: tuple[Point, ...]) -> Point:
        drawn_as = self.scene.boards[board]
        points = drawn_as.points
        if drawn_as.seat_points and owner is not None:
            points = drawn_as.seat_points[owner]
        at = points[(value or 0) - self.game.rules.types[board].lo] or (0.0, 0.0)
        if not offsets:
            return at
        dx, dy = offsets[owner if owner is not None and len(offsets) > owner else 0]
        return at[0] + dx, at[1] + dy

    def _variables_on(self, board: str, seat: int | None) -> Iterator[tuple[Point, Sketch]]:
        for name, drawn_as in self.scene.variables.items():
            if drawn_as.board != board or drawn_as.area != "board" or drawn_as.kind == "hidden":
                continue
            layout = self.game.machine.variables[name]
            first = _first_words(self.game.machine)[name]
            for i in range(layout.size):
                of, at = layout.indices(layout.base + i)
                value = self.position["words"][first + i]
                if value is None or (layout.of == "seat" and seat is not None and of != seat):
                    continue
                block = self._mark(name, layout, value, of if layout.of == "seat" else None, board)
                if block is None:
                    continue
                here = at if layout.at is not None else of
                if board not in (layout.of, layout.at):
                    here = value
                if here is not None and here != NONE:
                    owner = of if layout.of == "seat" else None
                    yield self._point(board, here, owner, drawn_as.offsets), block

    def _mark(
        self, name: str, layout: ir.VarLayout, value: int, owner: int | None, board: str
    ) -> Sketch | None:
        """A counter, mark or pointer on a place: a stone, a heap, a number or a sign."""
        if value in (0, NONE) and not (layout.kind == "pointer" and value == 0):
            return None
        colour = self.scene.seats.colours[owner] if owner is not None else "#ffffff"
        drawn_as = self.scene.variables[name]
        if layout.kind == "counter" and drawn_as.colours:
            shade = drawn_as.shade(value)
            return disc(shade, 22, str(value)) if shade is not None else None
        if layout.kind == "pointer":
            if isinstance(layout.type, EnumType) and layout.type.type == "seat":
                return disc(self.scene.seats.colours[value], self.scene.boards[board].size * STONE, "")
            return disc(colour, 18, drawn_as.icon or ("▼" if owner is None else ""))
        if drawn_as.kind == "heap":
            return heap(value, colour if owner is not None else SEED)
        if board not in (layout.of, layout.at):
            return disc(colour, 20, drawn_as.icon)
        return disc(colour, 22, str(value) if layout.kind == "counter" else drawn_as.icon or "✓")


def _first_words(machine: ir.Machine) -> dict[str, int]:
    """The place of the first value of each variable among the words of a position."""
    found, first = {}, 0
    for layout in machine.variables.values():
        found[layout.name] = first
        first += layout.size
    return found
