"""What carries over to the next match of a series, and whether there is one."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError
from dsl.document import Scalar
from dsl.domains import FlagType
from dsl.elaborate.definitions import Definitions
from dsl.messages.game import CarriedWhile

WHETHER = "name a value without parameters that holds if another match follows"


def check_carries(definitions: Definitions) -> None:
    """Report a `while` of `carries` that is no condition without parameters."""
    if definitions.symbols.carried_while is not None:
        definitions.symbols.attempt(_check_while, definitions, definitions.symbols.carried_while)


def _check_while(definitions: Definitions, name: Scalar) -> None:
    if name.text in definitions.symbols.broken:
        raise DiagnosticError(definitions.symbols.broken[name.text])
    signature = definitions.value(name.text, name.span)
    if signature is None:
        raise definitions.symbols.unknown(name, "value", tuple(definitions.names()), WHETHER)
    definitions.used.add(name.text)
    parameters, kind = signature
    if parameters or not isinstance(kind, FlagType):
        what = "has parameters" if parameters else f"is {kind}"
        raise DiagnosticError(CarriedWhile(name.span, name.text, what))
