"""The numbers of lines and declarations, with which the numbers of sentences are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from dsl import rules as r
from dsl.domains import EnumType, IntType, Type
from validators.trace.sites import RuleSite

NUMERAL = re.compile(r"(?<![\w.§])[0-9]{1,12}(?![0-9])")
NAME = re.compile(r"[A-Za-z_]\w*")
MARK = re.compile(r"§\S+|#.*")


def numbers_of(rules: r.Rules, found: Iterable[RuleSite]) -> frozenset[int]:
    """All numbers in some lines and declarations, and those of the names in them.

    These are the values of constants and numeric options; numbers, bounds and starts in declarations; cells,
    sizes and totals of tables and components; the keys at which a table changes; the number of offers.
    """
    return frozenset(n for site in found for n in _numbers(rules, site))


def _numbers(rules: r.Rules, site: RuleSite) -> Iterator[int]:
    if site.kind == "line":
        yield from _written(rules, MARK.sub("", site.span.text))
    else:
        yield from _declared(rules, site.node)


def _written(rules: r.Rules, text: str) -> Iterator[int]:
    yield from (int(m[0]) for m in NUMERAL.finditer(text))
    for match in NAME.finditer(text):
        yield from _named(rules, match[0])


def _named(rules: r.Rules, name: str) -> Iterator[int]:
    """The values of a constant or numeric option, the cells of a table, the size of a type."""
    if name in rules.constants:
        yield from rules.constants[name].values.values()
    elif name in rules.options:
        yield from _option(rules.options[name])
    elif name in rules.tables:
        yield from _table(rules.tables[name])
    elif name in rules.types:
        yield len(rules.types[name].members)


def _declared(rules: r.Rules, node: object) -> Iterator[int]:
    match node:
        case r.Constant(values=values):
            yield from values.values()
        case r.Option():
            yield from _option(node)
        case r.TypeDecl():
            yield from _type(node)
        case r.Component():
            yield from _component(rules, node)
        case r.Table():
            yield from _table(node)
        case r.Row(numbers=numbers):
            yield from numbers
        case r.Zone():
            yield from (node.size,) if node.size is not None else ()
        case r.Counter():
            yield from (n for pair in node.ranges for n in pair)
            yield from node.start
            yield sum(node.start)
        case r.Phase():
            yield len(node.steps)
        case r.OfferStep():
            yield len(node.routines)


def _option(option: r.Option) -> Iterator[int]:
    if isinstance(option.type, IntType):
        yield from (option.default, option.type.lo, option.type.hi)
    for sets in option.sets.values():
        yield from (sets.least, sets.most, sets.present.bit_count())


def _type(decl: r.TypeDecl) -> Iterator[int]:
    yield len(decl.members)
    yield from decl.sides
    yield from (decl.lo, decl.hi) if decl.numeric else ()
    yield from _columns(decl.columns)
    yield from (len(decl.members) - len(gone) for gone in decl.without.values())


def _component(rules: r.Rules, component: r.Component) -> Iterator[int]:
    """Copies and their totals, also for each value of a column, the number of classes, the columns."""
    yield from component.copies
    yield sum(component.copies)
    yield from (len(component.classes), len([n for n in component.copies if n]))
    yield from (rules.seat_counts if component.per_seat else ())
    yield from (sum(component.copies) * seats for seats in rules.seat_counts if component.per_seat)
    yield from _domain(component.die)
    yield from _columns(component.columns)
    yield from _totals(component)


def _totals(component: r.Component) -> Iterator[int]:
    for column in component.columns.values():
        if isinstance(column.type, EnumType) and len(column.values) == len(component.copies):
            pairs = tuple(zip(column.values, component.copies, strict=True))
            for value in dict.fromkeys(column.values):
                yield sum(copies for v, copies in pairs if v == value)
                yield sum(1 for v, _ in pairs if v == value)


def _columns(columns: dict[str, r.Column]) -> Iterator[int]:
    for column in columns.values():
        if isinstance(column.type, IntType):
            yield from column.values
            yield from (n for group in column.groups for n in group)


def _table(table: r.Table) -> Iterator[int]:
    if isinstance(table.type, IntType):
        yield from table.values
    for lo, hi in table.over:
        yield from (lo, hi, hi - lo + 1)
    if len(table.over) == 1:
        lo, _ = table.over[0]
        yield from (lo + at for at, (one, next_) in enumerate(pairwise(table.values), 1) if one != next_)


def _domain(type_: Type | None) -> Iterator[int]:
    if isinstance(type_, IntType):
        yield from (type_.lo, type_.hi)
