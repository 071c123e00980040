"""The parts that histories record: declared names, and values that all seats may see."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError
from dsl.document import Scalar
from dsl.domains import EnumType, FlagType, IntType
from dsl.elaborate.definitions import Definitions
from dsl.messages.game import BadHistory
from dsl.wording import article

RECORDED = "name counters, marks, pointers, zones, `active`, or values without parameters"


def check_histories(definitions: Definitions) -> None:
    """Report the parts of histories that are neither declared nor values that can be recorded."""
    for history, part in definitions.symbols.history_parts:
        definitions.symbols.attempt(_check_part, definitions, history, part)


def _check_part(definitions: Definitions, history: str, part: Scalar) -> None:
    symbols, name = definitions.symbols, part.text
    if name in symbols.broken:
        raise DiagnosticError(symbols.broken[name])
    signature = definitions.value(name, part.span)
    if signature is None:
        declared = (*symbols.counters, *symbols.marks, *symbols.pointers, *symbols.zones)
        raise symbols.unknown(part, "part of a history", (*declared, *definitions.names()), RECORDED)
    parameters, kind = signature
    if parameters:
        why = f"history `{history}` cannot record `{name}`, which has parameters"
        raise DiagnosticError(BadHistory(part.span, why, "write a value without parameters that uses it"))
    if not isinstance(kind, IntType | FlagType | EnumType):
        why = f"history `{history}` cannot record `{name}`, which is {article(str(kind))}"
        raise DiagnosticError(BadHistory(part.span, why, RECORDED))
    state = (symbols.zones, symbols.counters, symbols.marks, symbols.pointers)
    hidden = [decl.name for kind in state for decl in kind.values() if decl.seen_by != "all"]
    secret = next((what for what in hidden if what in definitions.reads(name)), None)
    if secret is not None:
        why = f"history `{history}` records `{name}`, which reads `{secret}`, which not everybody sees"
        hint = "record only what all seats see: whether it was there before would tell what is hidden"
        raise DiagnosticError(BadHistory(part.span, why, hint))
