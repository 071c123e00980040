"""Values that the table shows, `shown` of the look: they are there, can be shown, and tell no secret."""

from __future__ import annotations

from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Scalar
from dsl.domains import EnumType, FlagType, IntType
from dsl.messages.looks import CannotBeDrawn, ShowsSecret
from dsl.rules import Rules, Special, Value
from dsl.rules.look import ShownValue
from dsl.rules.visibility import Asker, looks
from dsl.rules.visit import walk_values

OWN = ("me", "self", "opponent")


def check_shown(symbols: SymbolTable, rules: Rules, shown: tuple[ShownValue, ...]) -> None:
    """Reports what cannot be shown, each once."""
    for one in shown:
        symbols.attempt(_check, symbols, rules, one)


def _check(symbols: SymbolTable, rules: Rules, shown: ShownValue) -> None:
    if shown.name not in rules.values:
        raise symbols.unknown(Scalar(shown.name, shown.span), "value", rules.values)
    value = rules.values[shown.name]
    if not (_is_of_table(value) and isinstance(value.type, IntType | FlagType | EnumType)):
        hint = "show a number, a condition or a value of a type, without parameters or of a `seat`"
        raise DiagnosticError(CannotBeDrawn(shown.span, f"`{shown.name}`", "at the table", hint))
    parts = walk_values(rules.values, value.parts)
    if any(isinstance(part, Special) and part.what in OWN for part in parts):
        hint = f"it reads `me`: give it the seat, `value {shown.name}(seat)`"
        raise DiagnosticError(CannotBeDrawn(shown.span, f"`{shown.name}`", "at the table", hint))
    for name, span in looks(rules, value.parts, Asker(everybody=True)):
        raise DiagnosticError(ShowsSecret(shown.span, shown.name, name, span))


def _is_of_table(value: Value) -> bool:
    """Whether a value has no parameter, or a seat alone."""
    return value.parameters == () or [p.type for p in value.parameters] == [EnumType("seat")]
