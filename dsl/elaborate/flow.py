"""The flow, from what is written to typed rules: its conditions, seats and rounds, and what it calls."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r, syntax as s
from dsl.declare.flow import (
    WrittenCall,
    WrittenGroup,
    WrittenOffer,
    WrittenPhase,
    WrittenRound,
    WrittenStep,
    WrittenTurn,
)
from dsl.declare.nodes import WORD
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Scalar
from dsl.domains import SEAT, EnumType, FlagType, IntType
from dsl.elaborate.definitions import Definitions
from dsl.elaborate.poisoning import check_mentions
from dsl.elaborate.scope import Signature
from dsl.elaborate.typer import Typer
from dsl.grammar import parse_expression, parse_round
from dsl.messages.game import NotInPlace
from dsl.messages.names import UnknownName
from dsl.messages.statements import CannotOffer
from dsl.source import Span
from dsl.wording import article, shortened


def typed_flow(definitions: Definitions, phases: dict[str, WrittenPhase]) -> dict[str, r.Phase]:
    """The phases without those that have errors, which go to the report."""
    attempt = definitions.symbols.attempt
    found = {name: attempt(_phase, definitions, phase) for name, phase in phases.items()}
    return {name: phase for name, phase in found.items() if phase is not None}


def _phase(definitions: Definitions, phase: WrittenPhase) -> r.Phase:
    attempt = definitions.symbols.attempt
    turn = attempt(_turn, definitions, phase.turn) if phase.turn is not None else None
    then = definitions.symbols.attempt_all(lambda case: _transition(definitions, *case), phase.then)
    steps = _steps(definitions, phase.steps)
    counted = _counted(definitions, phase)
    name, span = phase.name.text, phase.name.span
    return r.Phase(name, turn, steps, tuple(then), phase.scores, span, phase.clauses, counted)


def _counted(definitions: Definitions, phase: WrittenPhase) -> tuple[str, ...] | None:
    """The score lines that count at an end. Raises `DiagnosticError` if one does not exist."""
    if phase.counted is None:
        return None
    known = [node.name.text for node in definitions.written if isinstance(node, s.Score)]
    known += [lost.name for lost in definitions.lost if lost.kind == "score"]
    for line in phase.counted:
        if line.text not in known and definitions.symbols.unread is not None:
            raise DiagnosticError(definitions.symbols.unread)
        if line.text not in known:
            hint = did_you_mean(line.text, known) or f"define it: `score {shortened(line.text)} = ...`"
            raise DiagnosticError(UnknownName(line.span, shortened(line.text), "score line", hint))
    return tuple(line.text for line in phase.counted)


def _transition(definitions: Definitions, condition: Scalar | None, to: str) -> r.Transition:
    return r.Transition(_condition(definitions, condition) if condition is not None else None, to)


# ---- expressions in YAML


def _part(node: Scalar) -> Span:
    """The place of the text of an expression. Raises `DiagnosticError` if it is not written as it reads."""
    span = node.span
    if span.text[:1] in ("'", '"') and node.quoted:
        span = replace(span, start=span.start + 1, end=span.end - 1)
    if span.text.split() != node.text.split():
        raise DiagnosticError(NotInPlace(node.span.first_line()))
    return span


def _expression(definitions: Definitions, node: Scalar) -> s.Expr:
    found = parse_expression(_part(node))
    check_mentions(definitions.symbols, found)
    return found


def _condition(definitions: Definitions, node: Scalar) -> r.Expr:
    if WORD.fullmatch(node.text) and node.text not in ("true", "false"):
        _check_name(definitions, node)
    return definitions.typer().condition(_expression(definitions, node))


def _check_name(definitions: Definitions, node: Scalar) -> None:
    """Raises `DiagnosticError` unless it is an option, a mark without index, or a boolean value."""
    symbols, name = definitions.symbols, node.text
    option = symbols.options.get(name)
    mark = symbols.marks.get(name)
    if option is not None and isinstance(option.type, FlagType):
        return
    if mark is not None and mark.var.of is None and mark.var.at is None:
        return
    if name in symbols.broken:
        raise DiagnosticError(symbols.broken[name])
    found = definitions.value(name, node.span)
    if found is None and (cause := symbols.cause(name)) is not None:
        raise DiagnosticError(cause)
    if found is None or not isinstance(found[1], FlagType) or found[0]:
        others = [n for n in (*definitions.values, *symbols.marks) if n != name]
        hint = did_you_mean(name, others) or f"define it: `value {shortened(name)} = ...`"
        raise DiagnosticError(UnknownName(node.span, shortened(name), "condition without parameters", hint))


# ---- seats


def _turn(definitions: Definitions, turn: WrittenTurn) -> r.Turn:
    candidate = r.Var("seat", SEAT, turn.span)
    first, following = (
        definitions.typer().argument(_expression(definitions, node), SEAT) if node is not None else None
        for node in (turn.first, turn.next)
    )
    where = None
    if turn.where is not None:
        where = _about(definitions.typer(), candidate).condition(_expression(definitions, turn.where))
    return r.Turn(first, following, candidate, where, turn.span)


def _about(typer: Typer, candidate: r.Var) -> Typer:
    """The typer of what is asked about a seat, which is `seat` and `me`."""
    typer.scope.me = candidate
    typer.scope.locals = {**typer.scope.locals, "seat": candidate}
    return typer


def _round(definitions: Definitions, step: WrittenRound) -> r.FlowStep:
    header = parse_round(_part(step.header))
    check_mentions(definitions.symbols, header)
    typer = definitions.typer()
    condition = None
    if step.condition is not None:
        condition = _condition(definitions, step.condition)
        typer.scope.learn_given(_expression(definitions, step.condition))
    start = typer.argument(header.start, SEAT) if header.start is not None else None
    candidate = r.Var("seat", SEAT, step.header.span)
    about = _about(typer, candidate)
    where = about.maybe_condition(header.where)
    keys = tuple(_key(definitions, about, key, candidate) for key in header.keys)
    inner = _steps(definitions, step.steps)
    found = r.SeatsStep(inner, start, candidate, keys, where, step.header.span, step.clauses)
    return found if condition is None else r.IfStep(condition, (found,), (), step.header.span)


def _key(definitions: Definitions, typer: Typer, key: s.Expr, candidate: r.Var) -> r.Expr:
    """A number by which seats are ordered; the name of a value stands for its value for the seat."""
    if not isinstance(key, s.Name):
        return typer.number(key)
    name, span = key.text, key.span
    found = definitions.value(name, span)
    seat = found is not None and [p.type for p in found[0]] == [EnumType("seat")]
    if found is None or not seat or not isinstance(found[1], IntType):
        hint = did_you_mean(name, (n for n in definitions.values if n != name))
        raise DiagnosticError(
            UnknownName(span, name, "number per seat", hint or f"define it: `value {name}(seat) = ...`")
        )
    return r.UseValue(found[1], span, name, (r.Read(SEAT, span, candidate),))


# ---- steps


def _steps(definitions: Definitions, steps: tuple[WrittenStep, ...]) -> tuple[r.FlowStep, ...]:
    """The steps without those that have errors, which go to the report."""
    return tuple(definitions.symbols.attempt_all(lambda step: _step(definitions, step), steps))


def _step(definitions: Definitions, step: WrittenStep) -> r.FlowStep:
    match step:
        case WrittenCall(name=name, span=span):
            _check_call(definitions, name, span)
            return r.CallStep(name, name, span)
        case WrittenOffer():
            return _offer(definitions, step)
        case WrittenGroup():
            condition = definitions.symbols.attempt(_condition, definitions, step.condition)
            inner, otherwise = (_steps(definitions, part) for part in (step.steps, step.otherwise))
            known = condition or r.Const(FlagType(), step.span, 1)
            return r.IfStep(known, inner, otherwise, step.span, step.clauses)
        case WrittenRound():
            return _round(definitions, step)
    assert_never(step)


def _offer(definitions: Definitions, step: WrittenOffer) -> r.FlowStep:
    for name in step.routines:
        _check_offer(definitions, name, step.span)
    otherwise = _steps(definitions, step.otherwise) if step.otherwise is not None else None
    most = definitions.typer().number(_expression(definitions, step.most)) if step.most is not None else None
    offer = r.OfferStep(
        step.name, step.strength, step.routines, step.option, step.span, step.clauses, otherwise, most
    )
    if step.condition is None:
        return offer
    return r.IfStep(_condition(definitions, step.condition), (offer,), (), step.span)


def _check_call(definitions: Definitions, name: str, span: Span) -> None:
    kind, parameters = _routine(definitions, name, span)
    if kind != "procedure":
        hint = f"offer it: `may do: [{name}]` or `do one of: [{name}]`"
        if kind == "effect":
            hint = "make it a procedure; effects are done from cells"
        raise DiagnosticError(CannotOffer(span, name, f"{article(kind)} and cannot be called", hint))
    if parameters:
        hint = "call it from a procedure without parameters"
        why = "a procedure with parameters, and the flow passes none"
        raise DiagnosticError(CannotOffer(span, name, why, hint))


def _check_offer(definitions: Definitions, name: str, span: Span) -> None:
    kind, parameters = _routine(definitions, name, span, "action")
    if kind != "action":
        what = f"{article(kind)}, and only actions can be offered"
        raise DiagnosticError(CannotOffer(span, name, what, "define it with `action`"))
    for parameter in parameters:
        if parameter.binder is None:
            what = f"an action whose `{parameter.var.name}` cannot be chosen"
            hint = f"write `{parameter.var.name} from ...` in its header"
            raise DiagnosticError(CannotOffer(span, name, what, hint))


def _routine(definitions: Definitions, name: str, span: Span, wanted: str = "procedure") -> Signature:
    found = definitions.routine(name)
    if found is None and (cause := definitions.symbols.cause(name)) is not None:
        raise DiagnosticError(cause)
    if found is None:
        hint = did_you_mean(name, definitions.routines) or f"define it: `{wanted} {shortened(name)}`"
        hint = "no action: `may do` and `may keep doing` offer to pass" if name == "pass" else hint
        raise DiagnosticError(UnknownName(span, shortened(name), "routine", hint))
    return found
