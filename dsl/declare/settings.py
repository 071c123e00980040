"""Settings, which are fixed before a game begins: constants, options and rulings."""

from __future__ import annotations

from dsl.declare.arithmetic import SEATS, computed
from dsl.declare.enumerations import named_values, value_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import flag, interval, mapping, number, text
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.domains import FLAG, EnumType, IntType, reading_type
from dsl.messages.shapes import TableNotTotal, WrongShape
from dsl.rules import Constant, Option

CONSTANT = ("by_seats", "clause")
OPTION = ("range", "values", "default", "clause")
RULING = ("clause", "readings", "chosen", "why")


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
    low, high = symbols.seats
    values = {}
    before, asked = symbols.assumed_seats, SEATS in symbols.asked
    try:
        for count in range(low, high + 1):
            symbols.assumed_seats = count
            values[count] = number(computed(symbols, node), where)
    finally:
        symbols.assumed_seats = before
    if not asked:
        symbols.asked.discard(SEATS)
    return values


def _by_seats(reader: MappingReader, name: Scalar) -> dict[int, int]:
    table = mapping(reader.needed("by_seats"), reader.of("by_seats"))
    low, high = reader.symbols.seats
    values = {
        _seats(reader.symbols, key): number(computed(reader.symbols, value), reader.where)
        for key, value in table.pairs
    }
    missing = next((n for n in range(low, high + 1) if n not in values), None)
    if missing is not None:
        raise DiagnosticError(TableNotTotal(table.span.first_line(), name.text, f"{missing} seats"))
    return values


def _seats(symbols: SymbolTable, key: Scalar) -> int:
    low, high = symbols.seats
    value = number(key, "a number of seats")
    if not low <= value <= high:
        raise DiagnosticError(
            WrongShape(key.span, "a number of seats", f"within {low}..{high}, as `seats` says")
        )
    return value


# ---- options and rulings


def declare_option(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{default: false}`, `{range: 1..36, default: 36}` or `{values: [a, b], default: a}`."""
    reader = entry(symbols, node, f"option `{name.text}`", OPTION)
    symbols.declare(name.text, "an option", name.span)
    reader.only_one(("range", "values"))
    symbols.options[name.text] = _option(reader, name)


def _option(reader: MappingReader, name: Scalar) -> Option:
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
