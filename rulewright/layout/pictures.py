"""Boards in pictures: which are drawn, which share a picture, and where each lies in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from math import prod

import networkx as nx

from dsl import rules as r
from dsl.domains import EnumType
from dsl.rules.look import CellShape, Panel
from rulewright.layout.areas import is_drawn
from rulewright.layout.bands import banded
from rulewright.layout.bookkeeping import bookkeeping, is_aside
from rulewright.layout.borders import borders
from rulewright.layout.colours import PAPER
from rulewright.layout.coordinates import HEX_ROW, MARGIN, STEP, cell_of, moved_to_origin, positions
from rulewright.layout.derived import Touched, bar, derived_points, mean, touched
from rulewright.layout.incident import bars, ends_around, middles
from rulewright.layout.scene import Backdrop, BoardScene, Point, Points, Slab
from validators.boards import graph_of

BESIDE = 1.5 * STEP
ENLARGED = 1.9
"""A board whose corners or sides are places too is drawn so much larger."""
CORNER, SIDE = 0.45, 0.28
BORDER = 6.0
"""So much farther from the cells are texts at a rim with a border."""
TALL = 1.4
"""The height of a card, in its width."""
WOOD, RIM = "#e3bd77", 10.0
"""The colour of boards for stones; the width of a frame around places."""
SQUARE_NAME = re.compile(r"([a-z])([0-9]{1,3})")


Types = Mapping[str, r.TypeDecl]
Tables = Mapping[str, r.Table]
Looks = Mapping[str, r.BoardLook]
PLAIN = r.BoardLook()


@dataclass(frozen=True, slots=True)
class Drawing:
    """One board before its picture is put together: points without a margin, and the shape of its cells.

    `plain`: the names of its places are not written into them. `under`: left, top, width and height of what
    lies behind them.
    """

    decl: r.TypeDecl
    points: Points
    cell: CellShape
    size: float
    lines: tuple[tuple[int, int], ...] = ()
    shapes: dict[int, tuple[Point, ...]] = field(default_factory=dict)
    reach: tuple[Point, ...] = ()
    plain: bool = False
    under: tuple[float, float, float, float] | None = None


def drawn_boards(rules: r.Rules) -> tuple[str, ...]:
    """The boards on whose places something can be seen, or on whose corners or edges, and the types that the
    look gives positions.
    """
    remembered = bookkeeping(rules)
    aside = {state.name for state in _states(rules) if is_aside(rules, state.name, remembered)}
    shown = [s for s in _states(rules) if is_drawn(rules, s.name) and s.name not in aside]
    found = {index for state in shown for index in (state.of, state.at) if index is not None}
    found |= {pointer.to for pointer in rules.pointers.values() if pointer.var in shown}
    on_pieces = {state.at for state in _states(rules) if state.of in rules.components}
    found -= on_pieces - {s.at for s in _states(rules) if s.of not in rules.components}
    found |= {lies_on(rules.types[name]) for name in found if name in rules.types} - {""}
    looked = rules.look.boards
    return tuple(
        name
        for name, decl in rules.types.items()
        if (decl.shape != "none" and name in found) or name in looked
    )


def lies_on(decl: r.TypeDecl) -> str:
    """The board of the places that corners or edges touch, or that routes join; empty for other boards."""
    touched = decl.incident.get("places") or decl.incident.get("ends")
    return touched.target if touched is not None else ""


def _states(rules: r.Rules) -> Iterator[r.StateVar]:
    for kind in (rules.zones, rules.counters, rules.marks, rules.pointers):
        yield from (decl.var for decl in kind.values() if not decl.var.is_scratch)


def is_own(rules: r.Rules, board: str) -> bool:
    """Whether every seat has such a board: a line or ring, and all that lies on it belongs to a seat."""
    look = rules.look.boards.get(board)
    if look is not None and look.own is not None:
        return look.own
    on = [state for state in _states(rules) if board in (state.of, state.at)]
    return rules.types[board].shape in ("line", "ring") and bool(on) and all(s.of == "seat" for s in on)


def grouped(rules: r.Rules, boards: tuple[str, ...], seats: int) -> tuple[tuple[str, ...], ...]:
    """The boards of each picture: those of one seat alone, others with those that name their places."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(boards)
    shared = [name for name in boards if not is_own(rules, name)]
    graph.add_edges_from((a, b) for a, b in combinations(shared, 2) if _linked(rules, a, b))
    for group in rules.look.together:
        graph.add_edges_from(pairwise(group))
    groups = (sorted(part, key=boards.index) for part in nx.connected_components(graph))
    return tuple(tuple(group) for group in sorted(groups, key=lambda group: boards.index(group[0])))


def _linked(rules: r.Rules, a: str, b: str) -> bool:
    """Whether columns of one name places of the other, or a table has both."""
    for one, other in ((a, b), (b, a)):
        if any(incidence.target == other for incidence in rules.types[one].incident.values()):
            return True
        columns = rules.types[one].columns.values()
        if any(_names(c.type, other) or c.keyed_by == other for c in columns):
            return True
    for table in rules.tables.values():
        named = [t.type for t in (*table.over_types, table.type) if isinstance(t, EnumType)]
        if a in named and b in named:
            return True
    return False


def _names(type_: object, board: str) -> bool:
    return isinstance(type_, EnumType) and type_.type == board


# ---- one board


def drawing(decl: r.TypeDecl, seats: int, look: r.BoardLook = PLAIN) -> Drawing:
    cell, size = cell_of(decl, seats)
    cell, size = look.cell or cell, look.size * STEP if look.size is not None else size
    lines = _lines(decl, cell, seats)
    if look.lines is not None:
        lines = tuple((a - decl.lo, b - decl.lo) for a, b in look.lines)
    points = _looked_at(decl, seats, look) or positions(decl, seats)
    shapes = {
        value - decl.lo: tuple((points[value][0] + x * STEP, points[value][1] + y * STEP) for x, y in outline)
        for value, outline in look.shapes.items()
        if value in points
    }
    if look.bands:
        points, shapes = banded(decl, look.bands, points)
        size = max(look.bands) * STEP
    reach = tuple((x * STEP, y * STEP) for x, y in look.reach)
    return Drawing(decl, points, cell, size, lines, shapes, reach, under=_under(decl, seats, look))


def _looked_at(decl: r.TypeDecl, seats: int, look: r.BoardLook) -> Points:
    """The positions of the look, of the places that are used with a number of seats."""
    return moved_to_origin({v: (x * STEP, y * STEP) for v, (x, y) in _present(decl, seats, look).items()})


def _present(decl: r.TypeDecl, seats: int, look: r.BoardLook) -> Points:
    present = set(decl.present(seats))
    return {v: at for v, at in look.positions.items() if v in present}


def _under(decl: r.TypeDecl, seats: int, look: r.BoardLook) -> tuple[float, float, float, float] | None:
    """Where the picture of the look lies, if it says so, beside points that are moved to the origin."""
    points = _present(decl, seats, look)
    if look.picture_box is None or not points:
        return None
    x, y, width, height = look.picture_box
    left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
    return (x - left) * STEP, (y - top) * STEP, width * STEP, height * STEP


def _lines(decl: r.TypeDecl, cell: CellShape, seats: int) -> tuple[tuple[int, int], ...]:
    """Links as pairs of indices; cells that touch need none."""
    if cell in ("square", "hex") or decl.shape == "none":
        return ()
    lines = sorted((min(a, b) - decl.lo, max(a, b) - decl.lo) for a, b in graph_of(decl, seats).edges)
    if cell == "point" and len(decl.sides) == 2:  # lines of a board for stones do not slant
        at = {value - decl.lo: place for place, value in decl.cells.items()}
        return tuple((a, b) for a, b in lines if at[a][0] == at[b][0] or at[a][1] == at[b][1])
    return tuple(lines)


def _scaled(of: Drawing, by: float) -> Drawing:
    return replace(of, points={v: (x * by, y * by) for v, (x, y) in of.points.items()}, size=of.size * by)


# ---- a group


def together(
    types: Types, tables: Tables, group: tuple[str, ...], looks: Looks, seats: int
) -> dict[str, BoardScene]:
    """The boards of one picture."""
    decls = {name: types[name] for name in group}
    parents = _parents(tables, decls, seats)
    drawings = {
        name: drawing(decl, seats, looks.get(name, PLAIN))
        for name, decl in decls.items()
        if name not in parents
    }
    large = {of for name, (of, _) in parents.items() if not _is_route(decls[name])}
    drawings = {name: _scaled(d, ENLARGED) if name in large else d for name, d in drawings.items()}
    blocks = [[name] for name in drawings]
    left = list(parents)
    while left:
        name = next((n for n in left if parents[n][0] in drawings), None)
        if name is None:
            name = left[0]
            drawings[name] = drawing(decls[name], seats, looks.get(name, PLAIN))
            blocks.append([name])
        else:
            other, near = parents[name]
            drawings[name] = _derived(decls, name, near, drawings[other], parents, seats)
            next(block for block in blocks if other in block).append(name)
        left.remove(name)
    edged = {name: replace(d, lines=()) for name, d in drawings.items() if _has_edges(d.decl, group)}
    return _placed(drawings | edged, blocks, looks, seats)


def _is_route(decl: r.TypeDecl) -> bool:
    """Whether a board has the edges of a graph, which need no room around cells."""
    return "ends" in decl.incident and "places" not in decl.incident


def _has_edges(decl: r.TypeDecl, group: tuple[str, ...]) -> bool:
    """Whether the edges of a board are drawn, in place of lines."""
    return "edges" in decl.incident and decl.incident["edges"].target in group


def _parents(tables: Tables, decls: dict[str, r.TypeDecl], seats: int) -> dict[str, tuple[str, Touched]]:
    """For each board of corners or sides the board that it touches; one with cells before others."""
    found: dict[str, tuple[str, Touched]] = {}
    for name, decl in decls.items():
        for other in sorted(decls.values(), key=lambda d: d.shape == "graph" and d.name in found):
            near = touched(tables, decl, other, seats)
            if near is not None and found.get(other.name, ("",))[0] != name:
                found[name] = other.name, near
                break
    return found


def _derived(
    decls: dict[str, r.TypeDecl],
    name: str,
    near: Touched,
    other: Drawing,
    parents: dict[str, tuple[str, Touched]],
    seats: int,
) -> Drawing:
    """A board on the corners or sides of the cells of another."""
    decl = decls[name]
    if decl.incident:
        found = _incident(decl, other)
        if found is not None:
            return found
    pairs = {frozenset((a, b)) for a, b in graph_of(decl, seats).edges}
    for of, around in (near_ for child, near_ in parents.items() if child != name):
        pairs |= {ends for ends in around.values() if of == name and len(ends) == 2}
    points = derived_points(near, other.points, other.cell, other.size, pairs)
    if other.cell in ("square", "hex"):
        return Drawing(decl, points, "circle", CORNER * STEP)
    ends = {v - decl.lo: sorted(around) for v, around in near.items() if len(around) == 2}
    shapes = {i: bar(other.points[a], other.points[b], SIDE * STEP) for i, (a, b) in ends.items()}
    return Drawing(decl, points, "none", CORNER * STEP, shapes=shapes)


def _incident(decl: r.TypeDecl, other: Drawing) -> Drawing | None:
    """Corners, edges or routes that a board has declared; none if its cells have other shapes."""
    if "places" in decl.incident:
        ends = ends_around(other.decl, decl, other.points, other.cell, other.size)
    else:
        rows = decl.incident["ends"].rows
        ends = {decl.lo + i: tuple(other.points[v] for v in row) for i, row in enumerate(rows)}
    if not ends or any(len(points) == 1 for points in ends.values()):
        return Drawing(decl, middles(ends), "circle", CORNER * STEP, plain=True) if ends else None
    gap = (CORNER * STEP if "places" in decl.incident else other.size) / 2 + 2
    shapes = {v - decl.lo: shape for v, shape in bars(ends, SIDE * STEP, gap).items()}
    points = {v: mean(shapes[v - decl.lo]) for v in ends}
    return Drawing(decl, points, "none", CORNER * STEP, shapes=shapes)


def _placed(
    drawings: dict[str, Drawing], blocks: list[list[str]], looks: Looks, seats: int
) -> dict[str, BoardScene]:
    """Blocks side by side, each in the middle of the height, with a margin around all."""
    boxes = [_box([drawings[name] for name in block]) for block in blocks]
    high = max(bottom - top for _, top, _, bottom in boxes)
    moves: dict[str, Point] = {}
    left = MARGIN
    for block, (x0, y0, x1, y1) in zip(blocks, boxes, strict=True):
        down = MARGIN + (high - (y1 - y0)) / 2 - y0
        moves |= dict.fromkeys(block, (left - x0, down))
        left += x1 - x0 + BESIDE
    size = left - BESIDE + MARGIN, high + 2 * MARGIN
    return {name: _scene(d, moves[name], size, looks.get(name, PLAIN), seats) for name, d in drawings.items()}


def _box(drawings: list[Drawing]) -> tuple[float, float, float, float]:
    """The rectangle around all cells: left, top, right, bottom."""
    around: list[Point] = []
    for d in drawings:
        half = d.size / 2
        for value, (x, y) in d.points.items():
            around += d.shapes.get(value - d.decl.lo, ((x - half, y - half), (x + half, y + half)))
            around += [(x + dx + half * i, y + dy + TALL * half * i) for dx, dy in d.reach for i in (-1, 1)]
        if d.under is not None:
            left, top, width, height = d.under
            around += [(left, top), (left + width, top + height)]
    across, down = [x for x, _ in around], [y for _, y in around]
    return min(across), min(down), max(across), max(down)


def _scene(d: Drawing, by: Point, size: Point, look: r.BoardLook, seats: int) -> BoardScene:
    def moved(point: Point) -> Point:
        return point[0] + by[0], point[1] + by[1]

    decl = d.decl
    points = {v: moved(point) for v, point in d.points.items()}
    shapes = {i: tuple(map(moved, shape)) for i, shape in d.shapes.items()}
    by_index = _by_index(decl, points)
    rims = _rims(decl, by_index, d.size + 2 * (BORDER if look.borders else RIM if look.ground else 0))
    tones, colours = tones_of(decl, look)
    named = (not rims and not d.plain and d.cell != "none") if look.named is None else look.named
    return BoardScene(
        decl.shape,
        by_index,
        d.cell,
        d.size,
        d.lines,
        *size,
        own=bool(look.own),
        named=named,
        placed=bool(look.positions),
        shapes=shapes,
        tones=tones,
        colours=colours,
        seat_points=_seat_points(decl, points, look, seats),
        backdrop=_backdrop(d, by, size, look.picture) if look.picture else None,
        rims=rims if look.named is None or look.named else (),
        borders=borders(decl, look, points, d.cell, d.size),
        stands={value - decl.lo: values for value, values in look.stands.items()},
        slab=_slab(d, by, look.ground or (colours or (WOOD,))[0])
        if look.ground or d.cell == "point"
        else None,
        dots=tuple(value - decl.lo for value in look.dots),
        panels=tuple(_panel(panel, _origin(decl, seats, look, by)) for panel in look.panels),
        spots=_spots(look, seats, _origin(decl, seats, look, by)),
    )


def _origin(decl: r.TypeDecl, seats: int, look: r.BoardLook, by: Point) -> Point:
    """Where in the picture the steps of a look begin."""
    present = _present(decl, seats, look).values()
    left, top = min((x for x, _ in present), default=0.0), min((y for _, y in present), default=0.0)
    return by[0] - left * STEP, by[1] - top * STEP


def _panel(panel: Panel, origin: Point) -> Slab:
    left, top, width, height = panel.box
    return Slab(origin[0] + left * STEP, origin[1] + top * STEP, width * STEP, height * STEP, panel.colour)


def _spots(look: r.BoardLook, seats: int, origin: Point) -> dict[tuple[str, int | None], tuple[Point, ...]]:
    """The points of spots, of the seats that play; what is said for their number comes before the rest."""
    return {
        (it.zone, it.seat): tuple((origin[0] + x * STEP, origin[1] + y * STEP) for x, y in it.at)
        for it in sorted(look.spots, key=lambda it: it.seats or 0)
        if it.seats in (None, seats) and (it.seat is None or it.seat < seats)
    }


def _backdrop(d: Drawing, by: Point, size: Point, url: str) -> Backdrop:
    """The picture of a look where it says, or else behind all of the board's picture."""
    if d.under is None:
        return Backdrop(0, 0, *size, url)
    left, top, width, height = d.under
    return Backdrop(left + by[0], top + by[1], width, height, url)


def _slab(d: Drawing, by: Point, colour: str) -> Slab:
    """What lies behind all places, up to a rim around them."""
    left, top, right, bottom = _box([replace(d, reach=(), under=None)])
    rim = 0.05 * d.size if d.cell == "point" else RIM
    return Slab(left + by[0] - rim, top + by[1] - rim, right - left + 2 * rim, bottom - top + 2 * rim, colour)


def _by_index(decl: r.TypeDecl, points: Points) -> tuple[Point | None, ...]:
    return tuple(points.get(v) for v in range(decl.lo, decl.hi + 1))


def _seat_points(
    decl: r.TypeDecl, points: Points, look: r.BoardLook, seats: int
) -> tuple[tuple[Point | None, ...], ...]:
    """The points as each seat counts the places, if some seat counts them otherwise."""
    if not look.turned or not points:
        return ()
    x2 = min(x for x, _ in points.values()) + max(x for x, _ in points.values())
    y2 = min(y for _, y in points.values()) + max(y for _, y in points.values())
    found = []
    for seat in range(seats):
        how = look.turned.get(seat)
        across, down = how in ("mirrored", "turned"), how in ("flipped", "turned")
        turned = {v: (x2 - x if across else x, y2 - y if down else y) for v, (x, y) in points.items()}
        found.append(_by_index(decl, turned))
    return tuple(found)


def tones_of(decl: r.TypeDecl, look: r.BoardLook) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The number of a colour for each place, and the colours; none if all places are alike and plain."""
    colours = list(look.colours)
    if not colours and not look.places and not look.pattern:
        return (), ()
    cells = {value - decl.lo: at for at, value in decl.cells.items()}
    colours = colours or ([] if look.pattern else [PAPER])
    checks = len(colours)
    tones = []
    for i in range(decl.size):
        shade = look.places.get(decl.lo + i) or _in_pattern(look.pattern, cells.get(i))
        if shade is not None and shade not in colours[checks:]:
            colours.append(shade)
        parity = sum(cells[i]) + 1 if cells else i
        tones.append(checks + colours[checks:].index(shade) if shade is not None else parity % checks)
    return tuple(tones), tuple(colours)


def _in_pattern(pattern: tuple[tuple[str, ...], ...], cell: tuple[int, int] | None) -> str | None:
    """The colour of a cell by its row and column in a pattern that is repeated."""
    if not pattern or cell is None:
        return None
    row = pattern[cell[0] % len(pattern)]
    return row[cell[1] % len(row)]


def _rims(
    decl: r.TypeDecl, points: tuple[Point | None, ...], size: float
) -> tuple[tuple[float, float, str], ...]:
    """Letters and numbers at the rims of a board whose places are named `a1`, `b1` ..."""
    found = [SQUARE_NAME.fullmatch(name) for name in decl.names]
    slanting = decl.shape == "hex" and len(decl.members) < prod(decl.sides)
    if len(decl.sides) != 2 or not all(found):
        return ()
    rims: dict[str, Point] = {}
    for match, point in zip(found, points, strict=True):
        if match is not None and point is not None:
            rims[match[1]] = max(rims.get(match[1], point), point, key=lambda p: p[1])
            rims[match[2]] = (max if slanting else min)(rims.get(match[2], point), point, key=lambda p: p[0])
    shift = size / 2 + (MARGIN - 6) / 2
    if slanting:  # a column runs upwards to the right, and its letter stands below its lower end
        down = (-0.5 * shift, HEX_ROW * shift)
        return tuple(
            (x + down[0], y + down[1], text) if text.isalpha() else (x + shift, y, text)
            for text, (x, y) in rims.items()
        )
    return tuple(
        (x, y + shift, text) if text.isalpha() else (x - shift, y, text) for text, (x, y) in rims.items()
    )
