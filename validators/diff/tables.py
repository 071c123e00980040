"""Tables: their domains, and cell by cell what they give."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dsl.domains import Elem, Type
from dsl.rules import Table
from validators.diff.kinds import Facet, Kind, said
from validators.diff.sides import Side


def _table(side: Side, table: Table) -> Iterator[Facet]:
    over = ", ".join(side.said_type(kind) for kind in table.over_types)
    yield Facet("over", tuple(side.type(kind) for kind in table.over_types), over)
    yield Facet("gives", side.type(table.type), side.said_type(table.type))
    if table.order:
        yield said("order", table.order)
    keys = product(*(range(lo, hi + 1) for lo, hi in table.over))
    for key, value in zip(keys, table.values, strict=True):
        named = (_key(side, kind, v) for kind, v in zip(table.over_types, key, strict=True))
        yield Facet(f"({', '.join(named)})", side.value(table.type, value), side.said(table.type, value))


def _key(side: Side, kind: Type, value: int) -> str:
    """A key of a row, as it is called in the new version."""
    word = side.said(kind, value)
    return side.today(kind.type, word) if isinstance(kind, Elem) else word


TABLES = Kind(
    "tables",
    lambda *_: "table",
    lambda rules: rules.tables,
    _table,
    clauses=lambda side, table: table.clauses,
)
