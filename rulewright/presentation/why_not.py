"""Why something is not offered to a seat, as JSON."""

from __future__ import annotations

from typing import Any

from dsl.domains import NONE, EnumType, FlagType, IntType, PieceType, Type
from interpreter import ir
from interpreter.executor_protocol import Waiting
from interpreter.json_values import where
from interpreter.match import Match
from interpreter.refusal import Refusal


def why_not(match: Match, seat: int, written: str) -> dict[str, Any]:
    """Why the words of a choice are not offered to a seat, as far as it may know.

    The answer has `kind`, `name`, `numbers` and `index` (of what cannot be paid, leaves its range, or could
    not be chosen), `condition` (what does not hold, in the words of players), `facts` (its sides and values),
    `clauses`, `at` (file and line of the rule) and `parts` (the refusals of the values of an action).
    """
    return refusal_json(match, refusal_of(match, seat, written))


def refusal_of(match: Match, seat: int, written: str) -> Refusal:
    """Why the words of a choice are not offered to a seat, as far as it may know."""
    waiting = _waiting(match, seat)
    if waiting is None:
        return NOT_ASKED
    return match.game.refusals.explain(match.state[:], waiting, written, seat)


def why_not_value(match: Match, seat: int, action: str | None, value: list[Any] | None) -> dict[str, Any]:
    """Why a value, as JSON, cannot be chosen by a seat; with `action`, for an action that is offered.

    Raises `ValueError` if the value is malformed.
    """
    waiting = _waiting(match, seat)
    if waiting is None:
        return refusal_json(match, NOT_ASKED)
    number = None if value is None else _number(match, waiting, action, value)
    return refusal_json(
        match, match.game.refusals.explain_value(match.state[:], waiting, action, number, seat)
    )


NOT_ASKED = Refusal("not here", "this seat has nothing to decide now")


def _waiting(match: Match, seat: int) -> Waiting | None:
    if match.over or not match.steps:
        return None
    return next((waiting for waiting in match.waiting() if waiting.seat == seat), None)


def _number(match: Match, waiting: Waiting, action: str | None, value: list[Any]) -> int:
    """The number of a value from JSON; `NONE` for one of another type than the decision asks for."""
    machine, node = match.game.machine, match.game.machine.decision(waiting.node)
    kind: Type | None = node.type if isinstance(node, ir.Decide) else None
    if isinstance(node, ir.Offer):
        doing = next((d for d in waiting.what if d and machine.routines[d[0]].name == action), None)
        parameter = match.game.names.parameter(doing)
        kind = parameter.type if parameter is not None else None
    tag, *rest = value
    if not all(isinstance(part, int | str) for part in value):
        raise ValueError("a value is a list of a kind, names and numbers")
    match kind, tag, rest:
        case (IntType(), "int", [int(number)]) | (FlagType(), "flag", [int(number)]):
            return number
        case EnumType(name), "enum", [str(given), int(number)] if given == name:
            return number
        case PieceType(component), "piece", [int(place), int(class_)]:
            classes = machine.component_classes[component]
            inside = 0 <= place < len(machine.places) and 0 <= class_ < classes
            return place * classes + class_ if inside else NONE
    return NONE


def refusal_json(match: Match, refusal: Refusal) -> dict[str, Any]:
    """A refusal as JSON."""
    return {
        "kind": refusal.kind,
        "name": refusal.name,
        "numbers": list(refusal.numbers),
        "index": refusal.index,
        "condition": refusal.said if refusal.kind == "condition" else "",
        "facts": [list(fact) for fact in refusal.told],
        "clauses": list(refusal.clauses),
        "at": where(refusal.span) if refusal.span is not None else None,
        "parts": [refusal_json(match, part) for part in refusal.parts],
    }
