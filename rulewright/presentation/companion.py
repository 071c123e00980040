"""What a companion says of a match at a physical table, as JSON: to all the same, and never a placeholder."""

from __future__ import annotations

from typing import Any

from interpreter.companion import Companion
from interpreter.hypotheses import hypotheses, hypothesis_named, possible_decisions
from interpreter.match import Match
from interpreter.refusal import Refusal
from interpreter.sights import SPECTATOR
from rulewright.presentation.position import decision_json, position
from rulewright.presentation.scores import scores, secret_lines
from rulewright.presentation.why_not import refusal_json, refusal_of, why_not_value


def asked_seat(companion: Companion) -> int | None:
    """The seat that is to choose next: the first one that is asked; none while a question waits."""
    match = companion.match
    if companion.question is not None or match.over or not match.steps:
        return None
    return min((waiting.seat for waiting in match.waiting()), default=None)


def companion_position(companion: Companion, seq: int | None = None) -> dict[str, Any]:
    """The position as spectators see it, with the possible choices of the seat that is asked.

    Its `asked` is that seat, or none. A choice of a hidden piece is there for every class that it can have.
    """
    seat, match = asked_seat(companion), companion.match
    free = int(companion.can_take_back)
    waiting = [] if match.over or not match.steps else sorted({w.seat for w in match.waiting()})
    return past_position(match, seq) | {
        "asked": seat,
        "waiting": waiting,
        "decisions": [] if seat is None else possible_json(match, seat),
        "undo": {"free": free, "ask": 0, "why": "", "consent": [], "answer": companion.last_is_answer},
    }


def past_position(match: Match, seq: int | None = None) -> dict[str, Any]:
    """A position as spectators see it; scores and winners only as far as they follow from what is seen."""
    found = position(match, SPECTATOR, seq) | {"scores": public_scores(match)}
    if found["winners"] is not None and any(score["total"] is None for score in found["scores"]):
        won = [sum(1 << match.game.seat_number(name) for name in one.winners()) for one in hypotheses(match)]
        if not match.game.views.host.agreed(match.state, SPECTATOR, (0,), won)[0]:
            found["winners"] = None
    return found


def public_scores(match: Match) -> list[dict[str, Any]]:
    """The scores of all seats, each line only if it is the same whatever the hidden pieces are.

    Before the end a line that reads hidden pieces is not told at all, and others do not depend on them.
    """
    return scores(match, SPECTATOR, hypotheses(match) if match.over and secret_lines(match.game) else ())


def possible_json(match: Match, seat: int) -> list[dict[str, Any]]:
    """The decisions of a seat, each choice once, in whichever hypothesis it is offered."""
    found: dict[int, dict[str, Any]] = {}
    for hypothesis, decision in possible_decisions(match, seat):
        one = decision_json(hypothesis, decision)
        known = found.setdefault(one["node"], one)
        if known is not one:
            words = {choice["words"] for choice in known["choices"]}
            known["choices"] += [choice for choice in one["choices"] if choice["words"] not in words]
            known["passing"] = known["passing"] or one["passing"]
    return list(found.values())


def question_json(companion: Companion, version: int) -> dict[str, Any] | None:
    """What the table is asked, with the possible answers; none if nothing is.

    `told` are the outcomes that were told for this choice already, `given` is the number of all answers to
    it. `version` is that of the question.
    """
    question, turn = companion.question, companion.told
    if question is None:
        return None
    return {
        "version": version,
        "seat": None if turn.seat is None else companion.game.seat_number(turn.seat),
        "stream": question.stream,
        "place": question.place,
        "possible": list(companion.answers()),
        "told": [outcome.text for outcome in turn.outcomes if outcome.known],
        "given": len(companion.given),
    }


def why_not_possible(companion: Companion, words: str) -> dict[str, Any] | None:
    """Why a choice is not offered, as JSON; none if it may be possible."""
    refusal = refusal_of_possible(companion, words)
    return None if refusal is None else refusal_json(companion.match, refusal)


def refusal_of_possible(companion: Companion, words: str) -> Refusal | None:
    """Why a choice is not offered, were all hidden pieces what it names; none if it may be possible."""
    seat = asked_seat(companion)
    if seat is not None and words in companion.named(seat):
        return None
    return refusal_of(hypothesis_named(companion.match, words), -1 if seat is None else seat, words)


def why_not_possible_value(
    companion: Companion, action: str | None, value: list[Any] | None
) -> dict[str, Any] | None:
    """Why a value cannot be chosen, were all hidden pieces of its class. Raises `ValueError`."""
    seat = asked_seat(companion)
    found = hypotheses(companion.match)
    if (
        value is not None
        and value[:1] == ["piece"]
        and type(value[-1]) is int
        and 0 <= value[-1] < len(found)
    ):
        return why_not_value(found[value[-1]], -1 if seat is None else seat, action, value)
    return why_not_value(found[0], -1 if seat is None else seat, action, value)
