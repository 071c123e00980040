"""What is fixed when a game begins: constants, options and rulings."""

from __future__ import annotations

from dsl.declare.enumerations import named_values, value_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import flag, interval, mapping, number, word
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.domains import FLAG, EnumType, IntType, reading_type
from dsl.messages.shapes import TableNotTotal, WrongShape
from dsl.rules import Constant, Option


def declare_constant(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`circle: 16`, or `{by_seats: {2: 11, 3: 16}}`."""
    symbols.declare(name.text, "a constant", name.span)
    if isinstance(node, Scalar):
        symbols.constants[name.text] = Constant(name.text, _one_for_all(symbols, name, node), name.span)
        return
    reader = entry(symbols, node, f"constant `{name.text}`", ("by_seats", "clause"))
    symbols.constants[name.text] = Constant(
        name.text, _by_seats(symbols, name, reader), name.span, reader.marks()
    )


def _one_for_all(symbols: SymbolTable, name: Scalar, node: Scalar) -> dict[int, int]:
    low, high = symbols.seats
    return dict.fromkeys(range(low, high + 1), number(node, f"constant `{name.text}`"))


def _by_seats(symbols: SymbolTable, name: Scalar, reader: MappingReader) -> dict[int, int]:
    table = mapping(reader.needed("by_seats"), reader.of("by_seats"))
    low, high = symbols.seats
    values = {_seats(symbols, k): number(v, f"constant `{name.text}`") for k, v in table.pairs}
    missing = [n for n in range(low, high + 1) if n not in values]
    if missing:
        raise DiagnosticError(TableNotTotal(table.span.first_line(), name.text, f"{missing[0]} seats"))
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
    reader = entry(symbols, node, f"option `{name.text}`", ("range", "values", "default", "clause"))
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
        raise DiagnosticError(WrongShape(default.span, reader.of("default"), "`true` or `false`", hint))
    value = int(flag(default, reader.of("default")))
    return Option(name.text, FLAG, ("false", "true"), value, name.span, reader.marks())


def _number(reader: MappingReader, name: Scalar, default: Scalar) -> Option:
    low, high = interval(reader.get("range"), reader.of("range"))
    value = number(default, reader.of("default"))
    if not low <= value <= high:
        raise DiagnosticError(WrongShape(default.span, reader.of("default"), f"within {low}..{high}"))
    return Option(name.text, IntType(low, high), (), value, name.span, reader.marks())


def _choice(
    reader: MappingReader,
    name: Scalar,
    values: tuple[Scalar, ...],
    default: Scalar,
    readings: dict[str, str],
    why: str,
) -> Option:
    """An option that is one of several words, which are values of a type that no rule can name."""
    hidden = reading_type(name.text)
    decl = named_values(Scalar(hidden, name.span), values)
    if not values:
        raise DiagnosticError(WrongShape(reader.span, reader.where, "a choice of at least one value"))
    chosen = value_of(decl, default)
    reader.symbols.types[hidden] = decl
    return Option(name.text, EnumType(hidden), decl.names, chosen, name.span, reader.marks(), readings, why)


def declare_ruling(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{readings: {strict: ..., mild: ...}, chosen: mild, why: ...}`."""
    reader = entry(symbols, node, f"ruling `{name.text}`", ("clause", "readings", "chosen", "why"))
    symbols.declare(name.text, "a ruling", name.span)
    pairs = mapping(reader.needed("readings"), reader.of("readings")).pairs
    readings = {key.text: word(value, f"reading `{key.text}`").text for key, value in pairs}
    values = tuple(key for key, _ in pairs)
    chosen, why = reader.word("chosen"), reader.word("why").text
    symbols.options[name.text] = _choice(reader, name, values, chosen, readings, why)
