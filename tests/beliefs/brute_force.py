"""Every course of a small match, played by the referee itself: what a seat may believe, counted from scratch.

Nothing of `interpreter.beliefs` is used. What a seat knows is taken from the law of secrecy.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, partial

from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Decision
from interpreter.match import Match
from interpreter.unseen import as_offered
from tests.beliefs.games import opened
from validators.secrecy.observations import addresses, observations

Known = tuple[tuple[tuple[str, str], ...], ...]
"""All that a seat has been shown, after each choice."""


class OutcomeNeeded(Exception):
    """A match needs another outcome."""

    def __init__(self, outcomes: Sequence[tuple[str, int]]) -> None:
        super().__init__()
        self.outcomes = outcomes


@dataclass
class Scripted:
    """A source of chance: outcomes in order, then `OutcomeNeeded`."""

    texts: tuple[str, ...]
    used: int = 0

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        if self.used == len(self.texts):
            raise OutcomeNeeded(outcomes)
        self.used += 1
        return self.texts[self.used - 1]


@dataclass
class InformationSet:
    """The courses that a seat cannot tell apart: the chance of each state, one of their matches."""

    match: Match
    seat: int
    states: dict[bytes, float] = field(default_factory=dict)

    def posterior(self) -> dict[bytes, float]:
        total = sum(self.states.values())
        return {state: chance / total for state, chance in sorted(self.states.items())}


def stripped(match: Match, state: array[int] | None = None) -> bytes:
    """A state without the counters of its streams."""
    mc, found = match.game.machine, (match.state if state is None else state)[:]
    for i in range(len(mc.streams)):
        found[mc.stream_base + i] = 0
    return found.tobytes()


Weigh = Callable[[Match, Waiting], Sequence[float]]
"""A model of how seats choose: a weight for each option."""


@cache
def information_sets(
    name: str, most: int = 1 << 30, weigh: Weigh | None = None
) -> tuple[InformationSet, ...]:
    """All information sets of a game, for each seat, at every stop behind at most so many choices.

    By default every entry of a list of choices is as likely.
    """
    game = opened(name)
    found: dict[tuple[int, Known], InformationSet] = {}
    seats = range(game.machine.seats)
    left = [(match, chance, ((),) * game.machine.seats) for match, chance in _each_start(Match(game))]
    while left:
        match, chance, known = left.pop()
        known = tuple((*known[seat], _shown(match, seat)) for seat in seats)
        for seat in seats:
            one = found.setdefault((seat, known[seat]), InformationSet(match, seat))
            state = stripped(match)
            one.states[state] = one.states.get(state, 0.0) + chance
        if len(match.history) < most:
            left += [(after, chance * each, known) for after, each in _each_choice(match, weigh)]
    return tuple(found.values())


def _shown(match: Match, seat: int) -> tuple[tuple[str, str], ...]:
    shown = {**observations(match, seat), **addresses(match.view(seat))}
    return tuple(sorted(shown.items()))


def _each_start(match: Match) -> Iterator[tuple[Match, float]]:
    return _branches(match, Match.start)


def _each_choice(match: Match, weigh: Weigh | None) -> Iterator[tuple[Match, float]]:
    """Every option of every decision with its chance; which seat chooses first is no chance."""
    for decision in match.decisions():
        chances = _chances(match, decision, weigh)
        for option in sorted(set(decision.waiting.options)):
            act = partial(Match.take, waiting=decision.waiting, option=option)
            for after, chance in _branches(match, act):
                yield after, chance * chances[option]


def _chances(match: Match, decision: Decision, weigh: Weigh | None) -> dict[Option, float]:
    options = decision.waiting.options
    if weigh is not None:
        weights = weigh(match, decision.waiting)
        return {option: w / sum(weights) for option, w in zip(options, weights, strict=True)}
    entries = [choice.option for choice in as_offered(match, decision).choices]
    return {option: entries.count(option) / len(entries) for option in options}


def _branches(match: Match, act: Callable[[Match], object]) -> Iterator[tuple[Match, float]]:
    left: list[tuple[tuple[str, ...], float]] = [((), 1.0)]
    while left:
        texts, chance = left.pop()
        copied = copy(match)
        copied.state, copied.steps, copied.history = match.state[:], list(match.steps), list(match.history)
        copied.chance = Scripted(texts)
        try:
            act(copied)
        except OutcomeNeeded as needed:
            total = sum(weight for _, weight in needed.outcomes)
            left += [((*texts, name), chance * weight / total) for name, weight in needed.outcomes]
            continue
        yield copied, chance
