"""Comparison of options, rulings and constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl.domains import EnumType, IntType
from dsl.rules import Constant, Option, Rules
from validators.diff.kinds import Facet, WrittenKind, facet
from validators.diff.version_view import VersionView


class Options(WrittenKind[Option]):
    section = "variants"

    def noun(self, decl: Option) -> str:
        return "ruling" if decl.readings else "option"

    def found(self, rules: Rules) -> Mapping[str, Option]:
        return rules.options

    def facets(self, side: VersionView, decl: Option) -> Iterator[Facet]:
        word = "chosen" if decl.readings else "default"
        default = side.text(decl.type, decl.default)
        yield Facet(word, side.value(decl.type, decl.default), default)
        match decl.type:
            case IntType(lo, hi):
                yield facet("range", f"{lo}..{hi}")
            case EnumType() if not decl.readings:
                yield facet("values", ", ".join(decl.values))
        for reading, text in decl.readings.items():
            yield facet(f"reading {reading}", text)
        if decl.readings:
            yield facet("why", decl.why)


class Constants(WrittenKind[Constant]):
    section = "tables"
    word = "constant"

    def found(self, rules: Rules) -> Mapping[str, Constant]:
        return rules.constants

    def facets(self, side: VersionView, decl: Constant) -> Iterator[Facet]:
        values = decl.values
        if len(set(values.values())) == 1:
            yield facet("value", next(iter(values.values())))
        else:
            yield facet("value", ", ".join(f"{value} for {n} seats" for n, value in sorted(values.items())))
