"""Values that tables relate to another one, as links: `any(row where lies_on(point, row) is 1 and …)`.

What a table says of two values is known for each of the second one beforehand, so that of the others nothing
is asked. A sum of what is 0 or 1 by a table is a count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import compress
from typing import cast

from interpreter.ir.cfg import owners
from interpreter.ir.chosen_words import chosen_words
from interpreter.ir.expressions import (
    Const,
    Contains,
    Expr,
    Fold,
    Linked,
    Listed,
    Local,
    Not,
    Op,
    Pick,
    Reg,
    Values,
)
from interpreter.ir.flood_rules import is_settled
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.known_columns import NotByTables, column_of
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, free_registers, inside_out, mapped, walk

FEWEST, SHARE, MOST = 5, 3, 1 << 14
"""Values of which some are picked, how many times as many there are, and pairs that are looked at."""
BY_TABLES = (Const, Reg, Local, Pick, Op, Not, Contains, Listed)


def related_as_links(mc: Machine) -> Machine:
    """The same machine with links where tables relate what is gone through to one other value."""
    chosen, of_nodes = chosen_words(mc), owners(mc)

    def changes(owner: int) -> Callable[[Part], Part]:
        among = {slot: bounds for (routine, slot), bounds in chosen.items() if routine == owner}
        return inside_out(partial(_changed, mc, among))

    by_owner = {owner: changes(owner) for owner in set(of_nodes)}
    return mc.with_nodes(
        mapped(node, by_owner[owner]) for node, owner in zip(mc.nodes, of_nodes, strict=True)
    )


def _changed(mc: Machine, chosen: Mapping[int, tuple[int, int]], part: Part) -> Part:
    if isinstance(part, Fold) and isinstance(part.source, Values):
        return _as_links(mc, _as_count(part), part.source.values, chosen)
    return part


def _as_count(e: Fold) -> Fold:
    """A sum of numbers of a table that are 0 or 1, as a count."""
    if e.kind != "sum" or not isinstance(e.body, Pick) or not set(e.body.table) <= {0, 1}:
        return e
    return replace(e, kind="count", where=both(e.where, Op("==", e.body, Const(1))), body=None)


def _as_links(mc: Machine, e: Fold, values: Sequence[int], chosen: Mapping[int, tuple[int, int]]) -> Fold:
    """A fold over those of some values that tables relate to another one, if they do and these are few."""
    if e.where is None or len(values) < FEWEST:
        return e
    parts = conjuncts(e.where)
    for i, part in enumerate(parts):
        other = _other(part, e.reg)
        if other is None or (isinstance(other, Reg) and e.kind in ("any", "all")):
            continue  # among the places of a loop that is a join, which sets do
        if not all(is_settled(mc, x, "", {e.reg: values}) for x in parts[:i]):
            return e
        bounds = chosen.get(other.slot) if isinstance(other, Local) else None
        links = _links(part, e.reg, other, values, bounds)
        if links is None or SHARE * sum(map(len, links[1])) > len(links[1]) * len(values):
            continue
        lo, rows = links
        rest = reduce(both, [*parts[:i], *parts[i + 1 :]], cast("Expr | None", None))
        return replace(e, source=Linked(rows, other, lo), where=rest)
    return e


def _other(e: Expr, reg: int) -> Expr | None:
    """The one other value that a condition on tables relates to a register."""
    if any(not isinstance(part, BY_TABLES) for part in walk(e)) or reg not in free_registers(e):
        return None
    found = {part for part in walk(e) if isinstance(part, Local | Reg) and part != Reg(reg)}
    return cast(Expr, found.pop()) if len(found) == 1 else None


def _links(
    e: Expr, reg: int, other: Expr, values: Sequence[int], bounds: tuple[int, int] | None
) -> tuple[int, tuple[tuple[int, ...], ...]] | None:
    """The values that a condition relates to each of those of which tables tell, and the first of these."""
    starts, most = ((0, 1), MOST) if bounds is None else ((bounds[0],), bounds[1] - bounds[0] + 1)
    for first in starts:
        found = list[tuple[int, ...]]()
        try:
            while len(found) * len(values) <= MOST:
                if len(found) == most:
                    return first, tuple(found)
                given = {Reg(reg): values, other: (first + len(found),) * len(values)}
                found.append(tuple(compress(values, column_of(e, given, len(values)))))
        except NotByTables:
            if found:
                return first, tuple(found)
    return None
