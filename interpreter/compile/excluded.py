"""What reads of excluded variables and zones give: their start, which nothing can change.

Only questions read them, and code that cannot be reached.
"""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.compile.layout import Layout, excluded_pieces
from interpreter.ir.fold import pick


def variable(words: ir.VarLayout, address: ir.Address) -> ir.Expr:
    """The start value of a counter, mark or pointer."""
    values = tuple(words.start_at(words.base + i) for i in range(words.size))
    return _at(values, ir.Spot(address), words.base)


def piece(layout: Layout, zone: str, classes: int, place: ir.Expr) -> ir.Expr:
    """The piece that lies on a place of size 1 at the start, or none."""
    first, count = layout.zone_places[zone]
    values = [NONE] * count
    for at, class_, _ in excluded_pieces(layout):
        if first <= at < first + count:
            values[at - first] = at * classes + class_
    return _at(tuple(values), place, first)


def pieces(layout: Layout, zone: str, classes: int) -> ir.Source:
    """The pieces that lie in a zone at the start, equal ones one by one."""
    first, count = layout.zone_places[zone]
    found = [x for x in excluded_pieces(layout) if first <= x[0] < first + count]
    return ir.Values(tuple(p * classes + c for p, c, n in found for _ in range(n)))


def indices(layout: Layout, index: str) -> tuple[int, ...]:
    """For each place its index `of` or `at`, or none."""
    found = (place.of if index == "of" else place.at for place in layout.places)
    return tuple(NONE if value is None else value for value in found)


def _at(values: tuple[int, ...], index: ir.Expr, first: int) -> ir.Expr:
    """The value at an index; all are often the same."""
    return ir.Const(values[0]) if len(set(values)) == 1 else pick(values, index, first)
