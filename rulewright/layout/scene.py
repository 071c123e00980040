"""The scene of a game: where its places lie in pictures, and as what its zones and variables are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsl.rules.look import (
    CellShape,
    DrawnArea,
    DrawnVariable,
    DrawnZone,
    FaceBox,
    Outline,
    Shaped,
)
from rulewright.layout.figures import Figure
from rulewright.layout.packs import PackCard

Point = tuple[float, float]
Points = dict[int, Point]
"""Positions by value of a type, in units of the picture; y grows downwards."""
AREAS: tuple[DrawnArea, ...] = ("board", "shared", "seat")


@dataclass(frozen=True, slots=True)
class Border:
    """A side of a board that belongs to a seat: a line along its cells, and where the seat's sign stands."""

    seat: int
    line: tuple[Point, ...]
    sign: Point


@dataclass(frozen=True, slots=True)
class Slab:
    """A rectangle behind the places of a board, of some colour."""

    left: float
    top: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True, slots=True)
class Backdrop:
    """A picture behind the places of a board, a `data:` URL, as large as fits in a rectangle."""

    left: float
    top: float
    width: float
    height: float
    url: str


@dataclass(frozen=True, slots=True)
class BoardScene:
    """A board in its picture.

    `points` has one entry for each value from the first one, none for a place that is absent with this
    number of seats. `lines` join indices into `points`. `size` is the diameter of a cell, `width` and
    `height` are those of the whole picture, which boards of one group share. `shapes` are the outlines of
    cells that are not those of `cell`, by index; `tones` are numbers of `colours` by index; `seat_points`
    has the points as each seat counts them, if they differ. `backdrop` is a picture behind all. `own`: every
    seat has such a picture in its area. `placed`: its positions are those of a look. `named`: the names of
    places are written in them; otherwise `rims` has texts beside the cells. `stands` has, by index, the
    values of other types that are chosen there. `captions` are texts in place of the names of places, by
    index, in parts; what is a word of the rules is shown by its label. `slab` lies behind all, and `panels`
    on it. `dots` are places with a dot, by index. `spots` has points by zone and, if it has one, its seat.
    """

    shape: str
    points: tuple[Point | None, ...]
    cell: CellShape
    size: float
    lines: tuple[tuple[int, int], ...]
    width: float
    height: float
    own: bool = False
    named: bool = True
    placed: bool = False
    shapes: dict[int, tuple[Point, ...]] = field(default_factory=dict)
    tones: tuple[int, ...] = ()
    colours: tuple[str, ...] = ()
    seat_points: tuple[tuple[Point | None, ...], ...] = ()
    backdrop: Backdrop | None = None
    rims: tuple[tuple[float, float, str], ...] = ()
    borders: tuple[Border, ...] = ()
    stands: dict[int, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    dots: tuple[int, ...] = ()
    panels: tuple[Slab, ...] = ()
    spots: dict[tuple[str, int | None], tuple[Point, ...]] = field(default_factory=dict)
    captions: tuple[tuple[str, ...], ...] = ()
    slab: Slab | None = None


@dataclass(frozen=True, slots=True)
class ZoneScene:
    """As what a zone is drawn, and where.

    `board` is the type whose places it lies on, also if that type has no picture: then it has one place for
    each value. `offsets` move it away from the points of its board: one for all, or one for each seat.
    `order` sorts what lies in one area.
    """

    kind: DrawnZone
    area: DrawnArea
    board: str | None = None
    offsets: tuple[Point, ...] = ()
    order: int = 0
    icon: str = ""


@dataclass(frozen=True, slots=True)
class VariableScene:
    """As what a counter, mark or pointer is drawn, and where. `icon` stands before it.

    A counter on a board that is none of its indices stands on the place that has its value. `colour` is that
    of what no seat owns. `colours` are those of places with a counter, each from a number on: below the first
    nothing is drawn. `icons` are those of a pointer by its value.
    """

    kind: DrawnVariable
    area: DrawnArea
    board: str | None = None
    offsets: tuple[Point, ...] = ()
    order: int = 0
    icon: str = ""
    colour: str = ""
    colours: tuple[tuple[int, str], ...] = ()
    icons: dict[int, str] = field(default_factory=dict)

    def shade(self, number: int) -> str | None:
        """The colour of a number; none if it is below all."""
        return next((shade for least, shade in reversed(self.colours) if least <= number), None)


@dataclass(frozen=True, slots=True)
class Face:
    """How pieces of a component look.

    `template` has texts by part of the face: `top`, `corner`, `middle`, `body`, `bottom`; `{label}` is the
    label of the class, `{sign}` its short sign, `{name}` the cell of a column. `colours` and `dark` are
    fills by class on light and dark pages, `ink` that of the text on `colours`; `icons` are a text or a
    `data:` URL. `cards` are what playing cards show, and `figures` the outlines of men, by class.
    `owned`: all pieces are alike, and those of a seat have its colour. `boxes` and `back` are a face as data;
    `measure` is the size of a piece in mm, if the look says it, and `outline` what is cut out. `ahead` is the
    seat ahead of which a piece points, by class.
    """

    shape: Shaped
    template: dict[str, str]
    colours: dict[str, str]
    dark: dict[str, str]
    ink: dict[str, str]
    icons: dict[str, str]
    signs: dict[str, str]
    cards: dict[str, PackCard] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    owned: bool = False
    boxes: tuple[FaceBox, ...] = ()
    back: tuple[FaceBox, ...] = ()
    measure: tuple[float, float] | None = None
    outline: Outline = "rectangle"
    ahead: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seats:
    """The colours of seats on light and dark pages, and of what is written on the light ones."""

    colours: tuple[str, ...]
    dark: tuple[str, ...]
    ink: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """How a game looks with one number of seats.

    `groups` are the boards of each picture; a board out of all groups is not drawn. `icons` are those of
    values, by their names.
    """

    boards: dict[str, BoardScene]
    groups: tuple[tuple[str, ...], ...]
    zones: dict[str, ZoneScene]
    variables: dict[str, VariableScene]
    faces: dict[str, Face]
    seats: Seats
    areas: tuple[DrawnArea, ...] = AREAS
    icons: dict[str, str] = field(default_factory=dict)


def seats_json(seats: Seats) -> dict[str, list[str]]:
    """The colours of seats as plain JSON values."""
    return {key: list(getattr(seats, key)) for key in ("colours", "dark", "ink")}


def as_json(scene: Scene) -> dict[str, Any]:
    """The scene as plain JSON values; numbers are rounded to tenths, what is empty is left out."""
    return {
        "boards": {name: _board(board) for name, board in scene.boards.items()},
        "groups": [list(group) for group in scene.groups],
        "zones": {name: _drawn(zone) for name, zone in scene.zones.items()},
        "variables": {name: _drawn(variable) for name, variable in scene.variables.items()},
        "faces": {name: _face(face) for name, face in scene.faces.items()},
        "seats": seats_json(scene.seats),
        "areas": list(scene.areas),
    } | ({"icons": scene.icons} if scene.icons else {})


def _board(board: BoardScene) -> dict[str, Any]:
    found: dict[str, Any] = {
        "shape": board.shape,
        "points": _points(board.points),
        "cell": board.cell,
        "size": round(board.size, 1),
        "lines": [list(line) for line in board.lines],
        "width": round(board.width, 1),
        "height": round(board.height, 1),
        "own": board.own,
        "named": board.named,
        "placed": board.placed,
    }
    more: dict[str, Any] = {
        "shapes": {str(i): _points(shape) for i, shape in board.shapes.items()},
        "tones": list(board.tones),
        "colours": list(board.colours),
        "seat_points": [_points(points) for points in board.seat_points],
        "backdrop": _backdrop(board.backdrop),
        "rims": [[round(x, 1), round(y, 1), text] for x, y, text in board.rims],
        "borders": [[it.seat, _points(it.line), *_points((it.sign,))] for it in board.borders],
        "captions": [list(parts) for parts in board.captions],
        "slab": _slab(board.slab),
        "dots": list(board.dots),
        "panels": [_slab(panel) for panel in board.panels],
        "spots": [[zone, seat, _points(at)] for (zone, seat), at in board.spots.items()],
        "stands": {str(i): [list(value) for value in values] for i, values in board.stands.items()},
    }
    return found | {key: value for key, value in more.items() if value}


def _backdrop(it: Backdrop | None) -> list[float | str]:
    return [] if it is None else [*(round(x, 1) for x in (it.left, it.top, it.width, it.height)), it.url]


def _slab(slab: Slab | None) -> list[float | str]:
    if slab is None:
        return []
    return [*(round(x, 1) for x in (slab.left, slab.top, slab.width, slab.height)), slab.colour]


def _points(points: tuple[Point | None, ...] | tuple[Point, ...]) -> list[list[float] | None]:
    return [[round(p[0], 1), round(p[1], 1)] if p is not None else None for p in points]


def _drawn(drawn: ZoneScene | VariableScene) -> dict[str, Any]:
    found: dict[str, Any] = {"as": drawn.kind, "area": drawn.area}
    if drawn.board is not None:
        found["board"] = drawn.board
    if drawn.offsets:
        found["offsets"] = _points(drawn.offsets)
    if drawn.order:
        found["order"] = drawn.order
    if drawn.icon:
        found["icon"] = drawn.icon
    if isinstance(drawn, VariableScene) and drawn.colour:
        found["colour"] = drawn.colour
    if isinstance(drawn, VariableScene) and drawn.colours:
        found["colours"] = [list(pair) for pair in drawn.colours]
    if isinstance(drawn, VariableScene) and drawn.icons:
        found["icons"] = {str(value): icon for value, icon in drawn.icons.items()}
    return found


def _face(face: Face) -> dict[str, Any]:
    figures = {name: list(paths) for name, paths in face.figures.items()}
    return (
        {
            "shape": face.shape,
            "template": face.template,
            "colours": face.colours,
            "dark": face.dark,
            "ink": face.ink,
            "icons": face.icons,
            "signs": face.signs,
            "owned": face.owned,
        }
        | (
            {"cards": {name: [c.rank, c.suit, c.pips] for name, c in face.cards.items()}}
            if face.cards
            else {}
        )
        | ({"figures": figures} if figures else {})
        | ({"ahead": face.ahead} if face.ahead else {})
    )
