"""Searches in searches: what is looked for among all places, if it must lie in a smaller collection.

    any(x in square where any(way where x in those(y in ray(here, way) while free(y))))
    any(way where there is something in those(y in ray(here, way) while free(y)))
    any(way where any(y in the first of ray(here, way) where free(y)))

What is left asks less, in the same order, so it comes to no fault that the longer search does not come to.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce
from typing import cast

from interpreter.ir.expressions import (
    Contains,
    Expr,
    Filtered,
    Fold,
    Joined,
    Linked,
    Prefix,
    Reg,
    Source,
    Values,
)
from interpreter.ir.fold import both, conjuncts, operation
from interpreter.ir.visit import reads_register


def search(reg: int, source: Source, where: Expr | None) -> Expr:
    """Whether there is a value of a collection for which a condition holds, by the smallest collection."""
    if isinstance(source, Values) and where is not None:
        found = _among(reg, source, where)
        if found is not None:
            return found
    if isinstance(source, Joined) and where is None:
        parts = [search(reg, part, None) for part in source.parts]
        return reduce(partial(operation, "or"), parts)
    if isinstance(source, Prefix) and not source.until and where is None:
        first = _first_of(source.source)
        if first is not None:
            return Fold("any", source.reg, first, source.where, None)
    return Fold("any", reg, source, where, None)


def _among(reg: int, every: Values, where: Expr) -> Expr | None:
    """The search among what a condition says that the value lies in."""
    first, *rest = conjuncts(where)
    match first:
        case Contains(item=Reg(index=index), source=source) if index == reg:
            if not reads_register(source, reg) and _lies_in(source, every):
                return search(reg, source, reduce(both, rest, cast("Expr | None", None)))
        case Fold(kind="any", source=ways, where=inner) if not rest and inner is not None:
            if not reads_register(ways, reg):
                found = _among(reg, every, inner)
                if found is not None:
                    return replace(first, where=found)
    return None


def _lies_in(source: Source, every: Values) -> bool:
    """Whether all values of a collection are some of known ones."""
    match source:
        case Values(values=values):
            return set(values) <= set(every.values)
        case Linked(links=links):
            among = set(every.values)
            return all(among.issuperset(row) for row in links)
        case Filtered(source=inner) | Prefix(source=inner):
            return _lies_in(inner, every)
        case Joined(parts=parts):
            return all(_lies_in(part, every) for part in parts)
    return False


def _first_of(source: Source) -> Source | None:
    """The collection of the first value of another one, if it has any."""
    match source:
        case Linked(links=links):
            return replace(source, links=tuple(row[:1] for row in links))
        case Values(values=values):
            return Values(values[:1])
    return None
