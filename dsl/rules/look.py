"""How a ruleset wants to look. Nothing here has an effect on play."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from dsl.frozen import dataclass
from dsl.source import Span

XY = tuple[float, float]
"""A position or distance in steps: one leads to a neighbour on a regular board; y grows downwards."""
CellShape = Literal["square", "hex", "circle", "point", "none"]
"""`point`: where lines cross, as on a board for stones."""
Turned = Literal["flipped", "mirrored", "turned"]
"""Top and bottom exchanged, left and right exchanged, or both."""
Side = Literal["bottom", "top", "left", "right"]
DrawnZone = Literal["hand", "pile", "stack", "row", "slots", "board", "dice", "supply", "hidden"]
DrawnVariable = Literal["number", "track", "lane", "heap", "mark", "fill", "stone", "pointer", "hidden"]
Drawn = DrawnZone | DrawnVariable
DrawnArea = Literal["seat", "shared", "board", "aside", "piece"]
"""`aside` is what only the rules remember."""
Shaped = Literal["card", "tile", "disc", "cube", "die", "figure", "wedge"]
"""`wedge`: a man with five sides that points ahead."""
Outline = Literal["rectangle", "round", "hex"]
"""What is cut out of a card: a rectangle, the ellipse in it, or a hexagon with corners above and below."""
Aligned = Literal["left", "middle", "right"]
Level = Literal["top", "middle", "bottom"]
Fit = Literal["cover", "contain"]
"""`cover`: a picture fills its box and is cut where it is larger; `contain`: all of it is seen."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A rectangle on the ground of a board: left, top, width and height in steps."""

    box: tuple[float, float, float, float]
    colour: str


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the pieces of a zone lie, in steps; `seat` is its owner, or none if all share it.

    `seats`: only where so many play; with any other number if it is none.
    """

    zone: str
    seat: int | None
    seats: int | None
    at: tuple[XY, ...]


@dataclass(frozen=True, slots=True)
class BoardLook:
    """How a board looks. What is none or empty is left to the automatic layout.

    `positions` has a position for each place; `turned` says how seats see it that count its places
    differently. `colours` are those of the cells: one, or two of a checkered board; `places` are colours of
    single places. `lines` are pairs of places. `picture` lies behind the places, as a `data:` URL, in
    `picture_box`: left, top, width and height in the steps of `positions`, or else behind all. `reach` are
    the distances from its places of what lies beside them. `borders` are the sides that belong to a seat;
    `stands` has, by place, the values of other types that are chosen there, each with its type. `caption` is
    a text that is shown in place of names, with `{label}` and columns in braces. `ground` is the colour of
    what lies behind all places. `bands` are the widths of columns and the heights of rows, in steps, repeated
    from the first one, and `pattern` has the colours of rows of cells, repeated likewise. `dots` are places
    with a dot; `panels` lie on the ground: left, top, width and height in the steps of `positions`, and a
    colour. `spots` are where the pieces of a zone lie, of each seat or of all, in the same steps.
    """

    positions: dict[int, XY] = field(default_factory=dict)
    turned: dict[int, Turned] = field(default_factory=dict)
    cell: CellShape | None = None
    size: float | None = None
    colours: tuple[str, ...] = ()
    places: dict[int, str] = field(default_factory=dict)
    lines: tuple[tuple[int, int], ...] | None = None
    shapes: dict[int, tuple[XY, ...]] = field(default_factory=dict)
    own: bool | None = None
    named: bool | None = None
    caption: str = ""
    picture: str = ""
    picture_box: tuple[float, float, float, float] | None = None
    reach: tuple[XY, ...] = ()
    borders: dict[int, tuple[Side, ...]] = field(default_factory=dict)
    stands: dict[int, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    ground: str = ""
    bands: tuple[float, ...] = ()
    pattern: tuple[tuple[str, ...], ...] = ()
    dots: tuple[int, ...] = ()
    panels: tuple[Panel, ...] = ()
    spots: tuple[Spots, ...] = ()


@dataclass(frozen=True, slots=True)
class StateLook:
    """As what a zone, counter, mark or pointer is drawn, and where.

    `board` is the type on whose places it lies; `offsets` move it away from them, one for all seats or one
    for each. `order` sorts what lies in one area; `icon` is a text or a `data:` URL; `colour` is that of what
    no seat owns. `colours` are those of places with a counter, each from a number on, rising; `icons` are
    those of a pointer by what it points to.
    """

    kind: Drawn | None = None
    area: DrawnArea | None = None
    board: str | None = None
    offsets: tuple[XY, ...] = ()
    order: int | None = None
    icon: str = ""
    colour: str = ""
    colours: tuple[tuple[int, str], ...] = ()
    icons: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FaceBox:
    """A box on a face or back, in mm from its upper left corner: left, top, width, height.

    Without a `place` it is the whole face with its bleed. `fills`, `edges`, `inks` and `pictures` are colours
    and `data:` URLs by class. `size` and `least` are those of the letters of `text`, in points, which is as
    large as fits between them. `opacity` is that of the fill. `column`: the box is there only for classes
    with something in that column.
    """

    place: tuple[float, float, float, float] | None = None
    text: str = ""
    fills: dict[str, str] = field(default_factory=dict)
    edges: dict[str, str] = field(default_factory=dict)
    inks: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    size: float = 10.0
    least: float = 6.0
    align: Aligned = "left"
    level: Level = "middle"
    radius: float = 0.0
    opacity: float = 1.0
    fit: Fit = "contain"
    column: str = ""


@dataclass(frozen=True, slots=True)
class PieceLook:
    """How pieces of a component look: shape, texts of the face, and colours and icons by class.

    `pack` are the columns with the rank and the suit of playing cards; `ink` are colours of texts. `boxes`
    are what is drawn on the face, one over another, instead of the texts of `face`, and `back` on the other
    side. `measure` is the width and height of a piece in mm. `ahead` is the seat ahead of which a piece
    points, by class.
    """

    shape: Shaped | None = None
    face: dict[str, str] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    icons: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    pack: tuple[str, str] | None = None
    ink: dict[str, str] = field(default_factory=dict)
    boxes: tuple[FaceBox, ...] = ()
    back: tuple[FaceBox, ...] = ()
    measure: tuple[float, float] | None = None
    outline: Outline = "rectangle"
    ahead: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value of the rules that the table shows."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Look:
    """What `look.yaml` says.

    `together` are boards that share a picture; colours are `#rrggbb`; `shown` are values in their order.
    `seats_of` are the colours of seats where a number of them plays: by the seat and the number.
    `icons` are signs and `data:` URLs that stand in the texts of faces by name; `values` are those of values
    of types, by the names of the values.
    """

    boards: dict[str, BoardLook] = field(default_factory=dict)
    together: tuple[tuple[str, ...], ...] = ()
    states: dict[str, StateLook] = field(default_factory=dict)
    pieces: dict[str, PieceLook] = field(default_factory=dict)
    seats: dict[int, str] = field(default_factory=dict)
    seats_of: dict[tuple[int, int], str] = field(default_factory=dict)
    areas: tuple[DrawnArea, ...] = ()
    shown: tuple[ShownValue, ...] = ()
    icons: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
