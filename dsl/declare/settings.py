"""Settings, which are fixed before a game begins: constants, options and rulings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from dsl.declare.arithmetic import SEATS, computed
from dsl.declare.enumerations import named_values, value_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import flag, interval, mapping, number, text
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.domains import FLAG, EnumType, IntType, SetType, reading_type
from dsl.messages.shapes import TableNotTotal, WrongShape
from dsl.option_sets import set_of
from dsl.rules import Constant, Option, OptionSets, TypeDecl
from dsl.wording import counts_text, plural

T = TypeVar("T")

CONSTANT = ("by_seats", "clause")
OPTION = ("range", "values", "size", "default", "clause")
RULING = ("clause", "readings", "chosen", "why")
MOST_VALUES = 64
"""The most values from which an option has a set: people go through a list of them."""


def declare_constant(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`circle: 16`, or `{by_seats: {2: 11, 3: 16}}`."""
    symbols.declare(name.text, "a constant", name.span)
    where = f"constant `{name.text}`"
    marks: tuple[str, ...] = ()
    if isinstance(node, Scalar):
        values = _for_all_seats(symbols, node, where)
    else:
        reader = entry(symbols, node, where, CONSTANT)
        values, marks = _by_seats(reader, name), reader.marks()
    symbols.constants[name.text] = Constant(name.text, values, name.span, marks)


def _for_all_seats(symbols: SymbolTable, node: Scalar, where: str) -> dict[int, int]:
    """The value for each number of seats: they differ if it is computed from a number that does."""
    return _for_each_seats(symbols, lambda: number(computed(symbols, node), where))


def _for_each_seats(symbols: SymbolTable, read: Callable[[], T]) -> dict[int, T]:
    """What is read for each number of seats."""
    values = {}
    before, asked = symbols.assumed_seats, SEATS in symbols.asked
    try:
        for count in symbols.seat_counts:
            symbols.assumed_seats = count
            values[count] = read()
    finally:
        symbols.assumed_seats = before
    if not asked:
        symbols.asked.discard(SEATS)
    return values


def _by_seats(reader: MappingReader, name: Scalar) -> dict[int, int]:
    table = mapping(reader.needed("by_seats"), reader.of("by_seats"))
    values = {
        _seats(reader.symbols, key): number(computed(reader.symbols, value), reader.where)
        for key, value in table.pairs
    }
    missing = next((n for n in reader.symbols.seat_counts if n not in values), None)
    if missing is not None:
        raise DiagnosticError(TableNotTotal(table.span.first_line(), name.text, f"{missing} seats"))
    return values


def _seats(symbols: SymbolTable, key: Scalar) -> int:
    value = number(key, "a number of seats")
    if value not in symbols.seat_counts:
        wanted = f"{counts_text(symbols.seat_counts)}, as `seats` says"
        raise DiagnosticError(WrongShape(key.span, "a number of seats", wanted))
    return value


# ---- options and rulings


def declare_option(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{default: false}`, `{range: 1..36, default: 36}` or `{values: [a, b], default: a}`.

    With `size` it holds a set: `{values: [a, b, c], size: 2, default: [a, b]}`.
    """
    reader = entry(symbols, node, f"option `{name.text}`", OPTION)
    symbols.declare(name.text, "an option", name.span)
    reader.only_one(("range", "values"))
    symbols.options[name.text] = _option(reader, name)


def _option(reader: MappingReader, name: Scalar) -> Option:
    if reader.has("size"):
        return _set_option(reader, name)
    default = reader.word("default")
    if reader.has("range"):
        return _number(reader, name, default)
    if reader.has("values"):
        return _choice(reader, name, reader.words("values"), default, {}, "")
    if default.text not in ("true", "false"):
        hint = "or give `values` or a `range`"
        raise reader.wrong("default", "`true` or `false`", hint)
    value = int(flag(default, reader.of("default")))
    return Option(name.text, FLAG, ("false", "true"), value, name.span, reader.marks())


def _set_option(reader: MappingReader, name: Scalar) -> Option:
    """An option that holds a set of listed words, or of values of a type or rows of a component."""
    decl, kind = _set_values(reader, name)
    values = tuple(decl.label(value) for value in decl.members)
    if not values or len(values) > MOST_VALUES or any("," in value for value in values):
        raise reader.wrong("values", f"1 to {MOST_VALUES} single words")
    option = Option(name.text, SetType(EnumType(kind)), values, 0, name.span, reader.marks())
    sizes = _for_each_seats(reader.symbols, partial(_size, reader))
    option = replace(option, sets={n: _sets(reader, decl, n, sizes[n]) for n in reader.symbols.seat_counts})
    if reader.has("default"):
        option = reader.symbols.attempt(_with_default, reader, option, decl) or option
    return replace(option, default=option.sets[reader.symbols.seat_counts[-1]].default)


def _set_values(reader: MappingReader, name: Scalar) -> tuple[TypeDecl, str]:
    """The values from which an option has a set, and the name of their type."""
    node = reader.needed("values")
    if isinstance(node, Scalar):
        found = reader.symbols.values_named(node)
        return found, found.name
    kind = reading_type(name.text)
    decl = named_values(Scalar(kind, name.span), reader.words("values"), reader.symbols.reserved)
    reader.symbols.types[kind] = decl
    return decl, kind


def _size(reader: MappingReader) -> tuple[int, int]:
    """The bounds of a set, which no option changes: its form shows them before any is chosen."""
    symbols, node = reader.symbols, reader.needed("size")
    before = set(symbols.asked)
    found = interval(computed(symbols, node), reader.of("size"))
    if symbols.asked - before - {SEATS}:
        symbols.asked.intersection_update(before)
        raise reader.wrong("size", "a number or range that depends on no option")
    return found


def _sets(reader: MappingReader, decl: TypeDecl, seats: int, size: tuple[int, int]) -> OptionSets:
    """The sets with a number of seats. By default that is the first values, as few as may be."""
    there = range(seats) if decl.name == "seat" else decl.present(seats)
    bits = [1 << i for i, value in enumerate(decl.members) if value in there]
    if not 0 <= size[0] <= size[1] <= len(bits):
        raise reader.wrong("size", f"within 0..{len(bits)}, the values with {plural(seats, 'seat')}")
    return OptionSets(*size, sum(bits), sum(bits[: size[0]]))


def _with_default(reader: MappingReader, option: Option, decl: TypeDecl) -> Option:
    """An option with the set that is written as its default, which must go with every number of seats."""
    words, span = reader.words("default"), reader.needed("default").span
    for word in words:
        value_of(decl, word)
    members = [(word.text, word.span) for word in words]
    sets = {n: replace(x, default=set_of(option, members, n, span)) for n, x in option.sets.items()}
    return replace(option, sets=sets)


def _number(reader: MappingReader, name: Scalar, default: Scalar) -> Option:
    low, high = interval(reader.get("range"), reader.of("range"))
    value = number(default, reader.of("default"))
    if not low <= value <= high:
        raise reader.wrong("default", f"within {low}..{high}")
    return Option(name.text, IntType(low, high), (), value, name.span, reader.marks())


def _choice(
    reader: MappingReader,
    name: Scalar,
    values: tuple[Scalar, ...],
    default: Scalar,
    readings: dict[str, str],
    why: str,
) -> Option:
    """An option whose values are words: they form a type that no rule can name."""
    hidden = reading_type(name.text)
    decl = named_values(Scalar(hidden, name.span), values)
    if not values:
        raise DiagnosticError(WrongShape(reader.span, reader.where, "a choice of at least one value"))
    chosen = value_of(decl, default)
    reader.symbols.types[hidden] = decl
    return Option(name.text, EnumType(hidden), decl.names, chosen, name.span, reader.marks(), readings, why)


def declare_ruling(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{readings: {strict: ..., mild: ...}, chosen: mild, why: ...}`."""
    reader = entry(symbols, node, f"ruling `{name.text}`", RULING)
    symbols.declare(name.text, "a ruling", name.span)
    pairs = mapping(reader.needed("readings"), reader.of("readings")).pairs
    readings = {key.text: text(value, f"reading `{key.text}`").text for key, value in pairs}
    values = tuple(key for key, _ in pairs)
    chosen, why = reader.word("chosen"), text(reader.needed("why"), reader.of("why")).text
    symbols.options[name.text] = _choice(reader, name, values, chosen, readings, why)
