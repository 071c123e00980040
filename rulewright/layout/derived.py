"""Boards whose places are corners or sides of the cells of another board.

Such a board names, in its columns or in a table, the places that touch each of its places: `corner` with
columns `first: hex or none, second: hex or none, third: hex or none`, or `edge` with two corners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import cos, dist, hypot, pi, sin

from dsl import rules as r
from dsl.domains import NONE, EnumType, FlagType
from dsl.rules.look import CellShape
from rulewright.layout.scene import Point, Points

TRIES = 20_000
Touched = dict[int, frozenset[int]]
"""For each place the places of another board that touch it."""


def touched(tables: Mapping[str, r.Table], decl: r.TypeDecl, other: r.TypeDecl, seats: int) -> Touched | None:
    """Which places of `other` touch each place of a board; none if it is not a board of corners or sides."""
    if decl.shape != "graph" or decl.drawn or decl.name == other.name:
        return None
    present = set(other.present(seats))
    found = _by_incidence(decl, other) or _by_columns(decl, other) or _by_table(tables, decl, other)
    kept = {v: near & present for v, near in found.items() if v in decl.present(seats)}
    if decl.incident:
        return kept or None
    several = sum(len(near) > 1 for near in kept.values())
    if not kept or not all(kept.values()) or 2 * several < len(kept):
        return None
    return kept if max(map(len, kept.values())) <= 6 else None


def _by_incidence(decl: r.TypeDecl, other: r.TypeDecl) -> Touched:
    """The places that corners and edges of a board touch; else the ends of edges."""
    for what in ("places", "ends"):
        incidence = decl.incident.get(what)
        if incidence is not None:
            rows = incidence.rows if incidence.target == other.name else ()
            return {decl.lo + i: frozenset(row) for i, row in enumerate(rows)}
    return {}


def _by_columns(decl: r.TypeDecl, other: r.TypeDecl) -> Touched:
    columns = [c for c in decl.columns.values() if _refers_to(c.type, other.name) and c.keyed_by is None]
    keyed = [c for c in decl.columns.values() if c.keyed_by == other.name and isinstance(c.type, FlagType)]
    if len(columns) + len(keyed) * 2 < 2:
        return {}
    found = {}
    for row in range(decl.size):
        named = {c.values[row] for c in columns if c.values[row] != NONE}
        flagged = {other.lo + i for c in keyed for i, holds in enumerate(c.groups[row]) if holds}
        found[decl.lo + row] = frozenset(named | flagged)
    return found


def _by_table(tables: Mapping[str, r.Table], decl: r.TypeDecl, other: r.TypeDecl) -> Touched:
    """From a table of flags over both boards."""
    for table in tables.values():
        over = [t.type if isinstance(t, EnumType) else "" for t in table.over_types]
        if over == [decl.name, other.name] and isinstance(table.type, FlagType):
            return {
                decl.lo + i: frozenset(
                    other.lo + j for j in range(other.size) if table.values[i * other.size + j]
                )
                for i in range(decl.size)
            }
    return {}


def _refers_to(type_: object, name: str) -> bool:
    return isinstance(type_, EnumType) and type_.type == name


# ---- where they lie


def outline(cell: CellShape, at: Point, size: float) -> tuple[Point, ...]:
    """The corners of a cell: hexagons stand on a corner."""
    if cell == "hex":
        far = size / (2 * cos(pi / 6))
        return tuple((at[0] + far * sin(i * pi / 3), at[1] - far * cos(i * pi / 3)) for i in range(6))
    half = size / 2
    return tuple((at[0] + x * half, at[1] + y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def derived_points(
    near: Touched, other: Points, cell: CellShape, size: float, pairs: set[frozenset[int]]
) -> Points:
    """The points of corners or sides of cells.

    `pairs` are places that are next to each other; they decide between corners that touch the same cells.
    Where cells have no corners, or too few, a place lies in the middle of what touches it.
    """
    if cell in ("hex", "square"):
        for candidates in (_sides(other, cell, size), _corners(other, cell, size)):
            found = _matched(near, candidates, pairs)
            if found is not None:
                return found
    return _middles(near, other)


def _middles(near: Touched, other: Points) -> Points:
    return {v: mean([other[w] for w in sorted(around)]) for v, around in near.items()}


def mean(points: Iterable[Point]) -> Point:
    some = list(points)
    return sum(x for x, _ in some) / len(some), sum(y for _, y in some) / len(some)


Candidates = dict[Point, frozenset[int]]


def _corners(other: Points, cell: CellShape, size: float) -> Candidates:
    return _gathered((p, v) for v, at in other.items() for p in outline(cell, at, size))


def _sides(other: Points, cell: CellShape, size: float) -> Candidates:
    def middles(v: int, at: Point) -> Iterator[tuple[Point, int]]:
        corners = outline(cell, at, size)
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            yield mean((a, b)), v

    return _gathered(pair for v, at in other.items() for pair in middles(v, at))


def _gathered(found: Iterable[tuple[Point, int]]) -> Candidates:
    """Points with the cells that share them; points that nearly coincide are one."""
    points: dict[tuple[int, int], Point] = {}
    cells: dict[tuple[int, int], set[int]] = {}
    for (x, y), value in found:
        key = round(x), round(y)
        key = next((k for k in _around(key) if k in points and dist(points[k], (x, y)) < 1), key)
        points.setdefault(key, (x, y))
        cells.setdefault(key, set()).add(value)
    return {points[key]: frozenset(cells[key]) for key in points}


def _around(key: tuple[int, int]) -> Iterator[tuple[int, int]]:
    return ((key[0] + i, key[1] + j) for i in (0, -1, 1) for j in (0, -1, 1))


def _matched(near: Touched, candidates: Candidates, pairs: set[frozenset[int]]) -> Points | None:
    """A point of its own for each place, so that exactly the right cells touch it and pairs are adjacent."""
    by_cells: dict[frozenset[int], list[Point]] = {}
    for point, cells in candidates.items():
        by_cells.setdefault(cells, []).append(point)
    if any(len(by_cells.get(cells, ())) < 1 for cells in near.values()):
        return None
    adjacent = _adjacent(near, pairs)
    order = _order(near, by_cells, adjacent)
    step = _spacing(list(candidates))
    at: Points = {}
    choices = [iter(by_cells[near[order[0]]])]
    for _ in range(TRIES):
        place = order[len(choices) - 1]
        at.pop(place, None)
        taken = set(at.values())
        beside = [at[n] for n in adjacent[place] if n in at]
        free = next(
            (p for p in choices[-1] if p not in taken and all(dist(p, q) < 1.2 * step for q in beside)), None
        )
        if free is None:
            choices.pop()
            if not choices:
                return None
            continue
        at[place] = free
        if len(choices) == len(order):
            return at
        choices.append(iter(by_cells[near[order[len(choices)]]]))
    return None


def _adjacent(near: Touched, pairs: set[frozenset[int]]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {v: set() for v in near}
    for pair in pairs:
        if len(pair) == 2 and pair <= near.keys():
            a, b = pair
            found[a].add(b)
            found[b].add(a)
    return found


def _order(
    near: Touched, by_cells: dict[frozenset[int], list[Point]], adjacent: dict[int, set[int]]
) -> list[int]:
    """Places with one possible point first, then those beside what is placed."""
    ways = {v: len(by_cells[cells]) for v, cells in near.items()}
    order: list[int] = []
    placed: set[int] = set()
    left = set(near)
    while left:
        place = min(left, key=lambda v: (ways[v] > 1, -len(adjacent[v] & placed), ways[v], v))
        order.append(place)
        placed.add(place)
        left.remove(place)
    return order


def _spacing(points: list[Point]) -> float:
    """The distance of the nearest two points."""
    first = points[0]
    return min((dist(first, p) for p in points[1:]), default=1.0)


def bar(a: Point, b: Point, wide: float, gap: float | None = None, aside: float = 0.0) -> tuple[Point, ...]:
    """A narrow rectangle along a side, shorter than it by a gap at both ends, and some way to the right."""
    x, y = b[0] - a[0], b[1] - a[1]
    far = hypot(x, y) or 1.0
    gap = wide if gap is None else min(gap, 0.4 * far)
    along, across = (x / far, y / far), (-y / far * wide / 2, x / far * wide / 2)
    a, b = ((p[0] - y / far * aside, p[1] + x / far * aside) for p in (a, b))
    start, end = (
        (a[0] + along[0] * gap, a[1] + along[1] * gap),
        (b[0] - along[0] * gap, b[1] - along[1] * gap),
    )
    return (
        (start[0] + across[0], start[1] + across[1]),
        (end[0] + across[0], end[1] + across[1]),
        (end[0] - across[0], end[1] - across[1]),
        (start[0] - across[0], start[1] - across[1]),
    )
