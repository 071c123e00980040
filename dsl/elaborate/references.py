"""References from cells of tables to the effects that they name."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import NONE, EnumType, FlagType, IntType, Type, is_optional
from dsl.elaborate.definitions import Definitions
from dsl.messages.shapes import BadCell
from dsl.messages.statements import CannotOffer
from dsl.numbers import whole
from dsl.wording import article, plural, shortened

CellReference = tuple[str, tuple[int, ...]]


def read_cells(definitions: Definitions) -> tuple[CellReference, ...]:
    """Every effect cell with its arguments as numbers, in the order in which cells are numbered."""
    symbols = definitions.symbols
    return tuple(
        (name, symbols.attempt(_cell, definitions, name, arguments) or ())
        for name, arguments in symbols.cells
    )


def _cell(definitions: Definitions, name: str, arguments: tuple[str, ...]) -> tuple[int, ...]:
    symbols = definitions.symbols
    span, column = symbols.cell_places[name, arguments]
    text = shortened(" ".join((name, *arguments)))
    signature = definitions.routine(name)
    if signature is None and (cause := symbols.cause(name)) is not None:
        raise DiagnosticError(cause)
    if signature is None:
        hint = did_you_mean(name, definitions.signatures) or f"define it: `effect {shortened(name)}`"
        raise DiagnosticError(BadCell(span, text, column, f"unknown effect `{shortened(name)}`", hint))
    kind, parameters = signature
    if kind != "effect":
        raise DiagnosticError(
            CannotOffer(span, name, f"{article(kind)}, not an effect", "define it with `effect`")
        )
    if len(arguments) > len(parameters):
        why = f"`{name}` takes at most {plural(len(parameters), 'argument')}"
        raise DiagnosticError(BadCell(span, text, column, why))
    for parameter in parameters[len(arguments) :]:
        if parameter.binder is None:
            raise DiagnosticError(BadCell(span, text, column, f"`{parameter.var.name}` must be given"))
    pairs = zip(arguments, parameters, strict=False)
    return tuple(_cell_value(symbols, a, p.var.type, BadCell(span, text, column, "")) for a, p in pairs)


def _cell_value(symbols: SymbolTable, argument: str, wanted: Type, diagnostic: BadCell) -> int:
    """An argument in a cell as a number. Raises `DiagnosticError` if the parameter does not admit it."""
    if argument == "none" and is_optional(wanted):
        return NONE
    value = whole(argument)
    match wanted:
        case IntType(lo, hi) if value is not None and lo <= value <= hi:
            return value
        case EnumType(name) if argument in (decl := symbols.types[name]).names:
            number = decl.lo + decl.names.index(argument)
            if number in decl.members:
                return number
        case FlagType() if argument in ("true", "false"):
            return int(argument == "true")
    raise DiagnosticError(replace(diagnostic, why=f"`{shortened(argument)}` is not {wanted}"))
