"""Choices for a seat that stays away: what the rules declare under `absent`, else pass, else any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl.domains import PieceType
from dsl.rules import Preference
from interpreter import ir
from interpreter.chance import below, stream_key
from interpreter.executor_protocol import PASS, Option, Waiting
from interpreter.formatting import UNSEEN, fitting
from interpreter.game import Choice, Decision
from interpreter.match import Match
from interpreter.unseen import as_offered


def default_choice(match: Match, seat: int) -> Choice:
    """The choice that is made for a seat, by its number, if it stays away.

    The first preference of the rules that fits what is offered; without one, pass where that is allowed,
    else any choice. It depends on nothing but the seed, the number of decisions so far and what the seat
    itself may know: pieces that it does not see are numbered, as in `Match.offered_to`. `Match.choose`
    accepts its `text`. Raises `LookupError` if the seat has nothing to decide.
    """
    for decision in match.offered_to(seat):
        return choice_of(match, decision)
    raise LookupError(f"seat {seat} has nothing to decide")


def default_option(match: Match, waiting: Waiting) -> Option:
    """The option of `default_choice` for a waiting decision; for programs that play many matches."""
    name = match.game.machine.decision(waiting.node).name
    if PASS in waiting.options and name not in match.game.rules.absent:
        return PASS
    return choice_of(match, as_offered(match, match.decision(waiting))).option


def choice_of(match: Match, decision: Decision) -> Choice:
    """The default among the choices of a decision, which must be as its seat may read it."""
    for preference in match.game.rules.absent.get(decision.name, ()):
        found = _preferred(match, decision, preference)
        if found is not None:
            return found
    passing = [choice for choice in decision.choices if choice.option[0] < 0]
    return passing[0] if passing else _any(match, decision, decision.choices)


def _preferred(match: Match, decision: Decision, preference: Preference) -> Choice | None:
    """The choice that a preference means; none if nothing that is offered fits it."""
    choices: Sequence[Choice] = decision.choices
    if preference.words:
        words = " ".join(preference.words)
        if decision.ranges:
            told = match.decision(match.game.including(decision.waiting, words))
            choices = as_offered(match, told).choices
        choices = [choices[i] for i in fitting(words, [c.words for c in choices])]
    else:
        choices = [choice for choice in choices if choice.option[0] >= 0]
    if not choices:
        return None
    match preference.pick:
        case "first":
            return choices[0]
        case "last":
            return choices[-1]
        case "lowest":
            return min(_seen(choices), key=lambda choice: _rank(match, decision, choice))
        case "highest":
            return max(_seen(choices), key=lambda choice: _rank(match, decision, choice))
        case "any":
            return _any(match, decision, choices)
    assert_never(preference.pick)


def _seen(choices: Sequence[Choice]) -> Sequence[Choice]:
    """The choices that name nothing hidden, which alone can be compared; the first if there are none."""
    return [choice for choice in choices if UNSEEN not in choice.words] or choices[:1]


def _rank(match: Match, decision: Decision, choice: Choice) -> tuple[int, int, int]:
    """The order of choices: by what is offered, then by value; pieces by their class, then their place."""
    game, waiting = match.game, decision.waiting
    target, value = choice.option
    kind = game.names.value_type(game.machine.decision(waiting.node), choice.option, waiting.what)
    if isinstance(kind, PieceType):
        place, class_ = divmod(value, game.machine.component_classes[kind.component])
        return target, class_, place
    return target, value, 0


def _any(match: Match, decision: Decision, choices: Sequence[Choice]) -> Choice:
    """One of some choices, uniformly, by a stream of its own that no seat can foresee."""
    key = stream_key(match.seed, f"absent/{decision.waiting.seat}")
    number, _ = below(len(choices), match.state[ir.DECISIONS] << 32, key)
    return choices[number]
