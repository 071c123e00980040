"""Tables that are not monotonic as declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from dsl.domains import NONE
from dsl.rules import Table
from interpreter.formatting import Formatter
from validators.check import Check, CheckContext, Finding


@dataclass(frozen=True)
class NotMonotone(Finding):
    """A table is declared as rising or falling, but at one place it does not.

    Scoring and price tables are usually monotone, and a typo in a cell is hard to see. `order` declares the
    direction of a table along its last key: `rising`, `falling`, `never falling`, `never rising`.

    Example:

        tables:
          price: {over: 1..5, gives: 0..30, order: rising, rows: [1, 3, 6, 5, 15]}

    Correct the cell or the `order`.
    """

    code = "V315"
    slug = "not-monotone"
    title = "table `{about}` is declared {order}, but at {key} it goes from {a} to {b}"
    label = "declared here"
    advice = "correct the cell or the `order`"

    order: str = ""
    key: str = ""
    a: int = 0
    b: int = 0


def find(subject: CheckContext) -> Iterator[Finding]:
    names = Formatter(subject.rules, subject.machines[0])
    for table in subject.rules.tables.values():
        if table.order:
            yield from _breaks(names, table)


def _breaks(names: Formatter, table: Table) -> Iterator[Finding]:
    """The first break of every row."""
    *down, across = (range(lo, hi + 1) for lo, hi in table.over)
    size = len(across)
    for row, keys in enumerate(product(*down)):
        cells = table.values[row * size : (row + 1) * size]
        for at, (a, b) in zip(across[1:], pairwise(cells), strict=True):
            if NONE not in (a, b) and not _fits(table.order, a, b):
                pairs = zip(table.over_types, (*keys, at), strict=True)
                key = ", ".join(names.value(kind, value) for kind, value in pairs)
                yield NotMonotone(table.span, table.name, order=table.order, key=key, a=a, b=b)
                break


def _fits(order: str, a: int, b: int) -> bool:
    return {"rising": a < b, "falling": a > b, "never falling": a <= b, "never rising": a >= b}[order]


CHECK = Check(NotMonotone, find)
