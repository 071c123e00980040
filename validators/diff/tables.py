"""Comparison of tables: their domains and cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from dsl.domains import EnumType, Type
from dsl.rules import Rules, Table
from validators.diff.kinds import Facet, WrittenKind, facet
from validators.diff.version_view import VersionView


class Tables(WrittenKind[Table]):
    section = "tables"
    word = "table"

    def found(self, rules: Rules) -> Mapping[str, Table]:
        return rules.tables

    def facets(self, side: VersionView, decl: Table) -> Iterator[Facet]:
        over = ", ".join(side.type_text(kind) for kind in decl.over_types)
        yield Facet("over", tuple(side.type(kind) for kind in decl.over_types), over)
        yield Facet("gives", side.type(decl.type), side.type_text(decl.type))
        if decl.order:
            yield facet("order", decl.order)
        keys = product(*(range(lo, hi + 1) for lo, hi in decl.over))
        for key, value in zip(keys, decl.values, strict=True):
            named = (_key(side, kind, v) for kind, v in zip(decl.over_types, key, strict=True))
            yield Facet(f"({', '.join(named)})", side.value(decl.type, value), side.text(decl.type, value))


def _key(side: VersionView, kind: Type, value: int) -> str:
    """A key of a row, in the names of the new version."""
    word = side.text(kind, value)
    return side.new_label(kind.type, word) if isinstance(kind, EnumType) else word
