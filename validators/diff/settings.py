"""Comparison of options, rulings and constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl.domains import EnumType, IntType, SetType
from dsl.option_sets import size_text
from dsl.rules import Constant, Option, Rules
from dsl.rules.option_members import members_of
from validators.diff.kinds import Facet, WrittenKind, facet
from validators.diff.names import Form
from validators.diff.version_view import VersionView


class Options(WrittenKind[Option]):
    section = "variants"

    def noun(self, decl: Option) -> str:
        return "ruling" if decl.readings else "option"

    def found(self, rules: Rules) -> Mapping[str, Option]:
        return rules.options

    def facets(self, side: VersionView, decl: Option) -> Iterator[Facet]:
        word = "chosen" if decl.readings else "default"
        yield Facet(word, _default(side, decl), decl.text(decl.default))
        match decl.type:
            case SetType():
                yield facet("values", ", ".join(decl.values))
                sizes = {n: size_text(sets) for n, sets in decl.sets.items()}
                yield facet("size", _by_seats(sizes))
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
        yield facet("value", _by_seats(decl.values))


def _default(side: VersionView, option: Option) -> Form:
    """The form of the default; that of a set has the forms of its values."""
    if isinstance(option.type, SetType):
        members = members_of(side.rules, option.name, option.default)
        return ("set", *(side.value(option.type.item, member) for member in members))
    return side.value(option.type, option.default)


def _by_seats(values: Mapping[int, int | str]) -> int | str:
    """A value, or if it differs the one for each number of seats."""
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return ", ".join(f"{value} for {n} seats" for n, value in sorted(values.items()))
