"""Facts about expressions and links, each worked out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from dsl.frozen import dataclass

T = TypeVar("T")
F = TypeVar("F")


class FactOf(Generic[T, F]):
    """A fact about each of several things, worked out when it is first asked for.

    Things are told apart by identity: to compare large trees takes longer than to work most facts out. Each
    is kept with its fact, so that no other thing can come to the same identity.
    """

    def __init__(self, worked_out: Callable[[T], F]) -> None:
        self._worked_out = worked_out
        self._found: dict[int, tuple[T, F]] = {}

    def __call__(self, thing: T) -> F:
        found = self._found.get(id(thing))
        if found is None:
            found = self._found[id(thing)] = (thing, self._worked_out(thing))
        return found[1]


Links = tuple[tuple[int, ...], ...]
"""Rows of values: the neighbours of each place, or the places in one direction from it."""


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What lowering asks of links: the least and the greatest value, if there is any, and their order."""

    span: tuple[int, int] | None
    distinct: bool
    """Whether no row has a value twice."""
    ascending: bool
    """Whether every row is in the order of its values."""
    rows: Links

    def within(self, lo: int, size: int) -> bool:
        """Whether all values lie in an interval."""
        return self.span is None or (lo <= self.span[0] and self.span[1] < lo + size)

    def lead_back(self, lo: int) -> bool:
        """Whether each link leads back too, if the rows are those of the values from `lo` on."""
        if not self.within(lo, len(self.rows)):
            return False
        links = {(lo + i, value) for i, row in enumerate(self.rows) for value in row}
        return all((value, i) in links for i, value in links)


def facts_of_links(links: Links) -> LinkFacts:
    values = [value for row in links for value in row]
    return LinkFacts(
        span=(min(values), max(values)) if values else None,
        distinct=all(len(set(row)) == len(row) for row in links),
        ascending=all(list(row) == sorted(row) for row in links),
        rows=links,
    )
