"""Options, rulings and constants."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.domains import Elem, Int
from dsl.rules import Constant, Option
from validators.diff.kinds import Facet, Kind, said
from validators.diff.sides import Side


def _option(side: Side, option: Option) -> Iterator[Facet]:
    word = "chosen" if option.readings else "default"
    default = side.said(option.type, option.default)
    yield Facet(word, side.value(option.type, option.default), default)
    match option.type:
        case Int(lo, hi):
            yield said("range", f"{lo}..{hi}")
        case Elem() if not option.readings:
            yield said("values", ", ".join(option.values))
    for reading, text in option.readings.items():
        yield said(f"reading {reading}", text)
    if option.readings:
        yield said("why", option.why)


def _constant(side: Side, constant: Constant) -> Iterator[Facet]:
    values = constant.values
    if len(set(values.values())) == 1:
        yield said("value", next(iter(values.values())))
    else:
        yield said("value", ", ".join(f"{value} for {n} seats" for n, value in sorted(values.items())))


OPTIONS = Kind(
    "variants",
    lambda side, option: "ruling" if option.readings else "option",
    lambda rules: rules.options,
    _option,
    clauses=lambda side, option: option.clauses,
)
CONSTANTS = Kind(
    "tables",
    lambda *_: "constant",
    lambda rules: rules.constants,
    _constant,
    clauses=lambda side, constant: constant.clauses,
)
