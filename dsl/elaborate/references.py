"""References from YAML to definitions: effects in cells, routines and conditions in the flow."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Scalar
from dsl.domains import NONE, EnumType, FlagType, IntType, Type, is_optional
from dsl.elaborate.definitions import Definitions
from dsl.elaborate.scope import Signature
from dsl.messages.names import UnknownName
from dsl.messages.shapes import BadCell
from dsl.messages.statements import CannotOffer
from dsl.numbers import whole
from dsl.source import Span
from dsl.wording import article, plural, shortened

CellReference = tuple[str, tuple[int, ...]]

# ---- cells


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
            found = decl.lo + decl.names.index(argument)
            if found in decl.members:
                return found
        case FlagType() if argument in ("true", "false"):
            return int(argument == "true")
    raise DiagnosticError(replace(diagnostic, why=f"`{shortened(argument)}` is not {wanted}"))


# ---- flow


def check_flow(definitions: Definitions, phases: dict[str, r.Phase]) -> None:
    """Report routines and values that the flow names and that are missing, or of the wrong kind."""
    symbols = definitions.symbols
    for condition in symbols.conditions:
        symbols.attempt(_condition, definitions, condition)
    for phase in phases.values():
        for step in phase.steps:
            symbols.attempt(_step, definitions, step)


def _condition(definitions: Definitions, node: Scalar) -> None:
    """Raises `DiagnosticError` unless it is an option, a mark without index, or a boolean value."""
    symbols, name = definitions.symbols, node.text
    option = symbols.options.get(name)
    mark = symbols.marks.get(name)
    if option is not None and isinstance(option.type, FlagType):
        return
    if mark is not None and mark.var.of is None and mark.var.at is None:
        return
    found = definitions.value(name, node.span)
    if found is None or not isinstance(found[1], FlagType) or found[0]:
        others = [n for n in (*definitions.values, *symbols.marks) if n != name]
        hint = did_you_mean(name, others) or f"define it: `value {shortened(name)} = ...`"
        raise DiagnosticError(UnknownName(node.span, shortened(name), "condition without parameters", hint))


def _step(definitions: Definitions, step: r.FlowStep) -> None:
    match step:
        case r.CallStep():
            _call(definitions, step)
        case r.OfferStep():
            _offer(definitions, step)
        case r.SeatsStep():
            if step.by is not None:
                definitions.symbols.attempt(_key, definitions, step.by, step.span)
            for inner in step.steps:
                definitions.symbols.attempt(_step, definitions, inner)


def _key(definitions: Definitions, name: str, span: Span) -> None:
    """Raises `DiagnosticError` unless a value, by which seats are ordered, is a number for each seat."""
    found = definitions.value(name, span)
    seat = found is not None and [p.type for p in found[0]] == [EnumType("seat")]
    if found is None or not seat or not isinstance(found[1], IntType):
        hint = did_you_mean(name, (n for n in definitions.values if n != name))
        raise DiagnosticError(
            UnknownName(span, name, "number per seat", hint or f"define it: `value {name}(seat) = ...`")
        )


def _call(definitions: Definitions, step: r.CallStep) -> None:
    kind, parameters = _routine(definitions, step.routine, step.span)
    if kind != "procedure":
        hint = f"offer it: `may do: [{step.routine}]` or `do one of: [{step.routine}]`"
        if kind == "effect":
            hint = "make it a procedure; effects are done from cells"
        raise DiagnosticError(
            CannotOffer(step.span, step.routine, f"{article(kind)} and cannot be called", hint)
        )
    if parameters:
        hint = "call it from a procedure without parameters"
        why = "a procedure with parameters, and the flow passes none"
        raise DiagnosticError(CannotOffer(step.span, step.routine, why, hint))


def _offer(definitions: Definitions, step: r.OfferStep) -> None:
    for name in step.routines:
        kind, parameters = _routine(definitions, name, step.span)
        if kind != "action":
            what = f"{article(kind)}, and only actions can be offered"
            raise DiagnosticError(CannotOffer(step.span, name, what, "define it with `action`"))
        for parameter in parameters:
            if parameter.binder is None:
                what = f"an action whose `{parameter.var.name}` cannot be chosen"
                hint = f"write `{parameter.var.name} from ...` in its header"
                raise DiagnosticError(CannotOffer(step.span, name, what, hint))


def _routine(definitions: Definitions, name: str, span: Span) -> Signature:
    found = definitions.routine(name)
    if found is None:
        hint = did_you_mean(name, definitions.routines) or f"define it: `procedure {shortened(name)}`"
        raise DiagnosticError(UnknownName(span, shortened(name), "routine", hint))
    return found
