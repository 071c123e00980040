"""Tables that go up and down though they are declared not to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from dsl.domains import NONE, Elem
from dsl.rules import Rules, Table
from validators.check import Check
from validators.findings import Finding
from validators.subject import Subject


@dataclass(frozen=True)
class NotMonotone(Finding):
    """A table is declared to rise or to fall, and at one place it does not.

    Scoring and price tables mostly go one way, and a slip of the pen in a cell is hard to see. `order`
    says which way a table goes along its last key: `rising`, `falling`, `never falling`, `never rising`.

    Example:

        tables:
          price: {over: 1..5, gives: 0..30, order: rising, rows: [1, 3, 6, 5, 15]}

    Mend the cell, or the `order`.
    """

    code = "V315"
    slug = "not-monotone"
    title = "table `{about}` is declared {order}, but at {key} it goes from {a} to {b}"
    label = "declared here"
    mend = "mend the cell, or the `order`"

    order: str = ""
    key: str = ""
    a: int = 0
    b: int = 0


def find(subject: Subject) -> Iterator[Finding]:
    for table in subject.rules.tables.values():
        if table.order:
            yield from _breaks(subject.rules, table)


def _breaks(rules: Rules, table: Table) -> Iterator[Finding]:
    """The first break of every row."""
    lo, hi = table.over[-1]
    size = hi - lo + 1
    for row in range(prod(h - low + 1 for low, h in table.over[:-1])):
        cells = table.values[row * size : (row + 1) * size]
        for at, (a, b) in enumerate(pairwise(cells), start=lo + 1):
            if NONE not in (a, b) and not _fits(table.order, a, b):
                key = ", ".join((*_keys(rules, table, row), _name(rules, table, len(table.over) - 1, at)))
                yield NotMonotone(table.span, table.name, order=table.order, key=key, a=a, b=b)
                break


def _keys(rules: Rules, table: Table, row: int) -> Iterator[str]:
    """The keys of a row but the last, as they are written."""
    sizes = [hi - lo + 1 for lo, hi in table.over[:-1]]
    for which, (lo, _) in enumerate(table.over[:-1]):
        yield _name(rules, table, which, lo + row // prod(sizes[which + 1 :]) % sizes[which])


def _name(rules: Rules, table: Table, which: int, value: int) -> str:
    kind = table.over_types[which]
    return rules.types[kind.type].label(value) if isinstance(kind, Elem) else str(value)


def _fits(order: str, a: int, b: int) -> bool:
    return {"rising": a < b, "falling": a > b, "never falling": a <= b, "never rising": a >= b}[order]


CHECK = Check(NotMonotone, find)
