"""A playout with the history that a log needs: what was chosen in parts, as the numbers that it came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.bots.number_search import NumbersInParts
from interpreter.chance import Choosing
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match
from interpreter.messages import Fault


def play_out(match: Match, count_decision: Callable[[int], None] = lambda _: None) -> None:
    """Plays a match to its end with random choices. Raises `Fault`."""
    choosing = Choosing(match.seed)
    match.start()
    while not match.over:
        waiting, option = _drawn(match, choosing)
        count_decision(len(waiting.options))
        match.take(waiting, option)


def play_out_in_numbers(match: Match, in_parts: Match) -> None:
    """Plays a match to its end as `play_out` plays the one in which numbers are chosen in parts.

    Both begin with the same seed. Raises `Fault`.
    """
    choosing, numbers = Choosing(in_parts.seed), dict[int, _Number]()
    match.start()
    in_parts.start()
    while not in_parts.over:
        waiting, option = _drawn(in_parts, choosing)
        seat = waiting.seat
        begun = numbers.pop(seat, None) or _begun(match, waiting, option)
        if begun is None:
            match.take(_same(match, waiting), option)
            in_parts.take(waiting, option)
            continue
        begun.places.append(option[1])
        try:
            in_parts.take(waiting, option)
        except Fault:
            match.take(begun.asked.waiting, begun.option)
            raise
        following = next((w for w in in_parts.waiting() if w.seat == seat), None)
        if following is not None and following.node >= len(match.game.machine.nodes):
            numbers[seat] = begun
        else:
            match.take(begun.asked.waiting, begun.option)


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of which some parts have been chosen, from the first level on."""

    asked: NumbersInParts
    part: int
    places: list[int] = field(default_factory=list)

    @property
    def option(self) -> Option:
        return self.asked.choice((self.part, self.places[-1]), self.places[:-1]).option


def _drawn(match: Match, choosing: Choosing) -> tuple[Waiting, Option]:
    all_waiting = match.waiting()
    waiting = all_waiting[choosing.below(len(all_waiting))]
    return waiting, waiting.options[choosing.below(len(waiting.options))]


def _same(match: Match, waiting: Waiting) -> Waiting:
    """The decision that waits in the other match."""
    return next(w for w in match.waiting() if (w.seat, w.node) == (waiting.seat, waiting.node))


def _begun(match: Match, waiting: Waiting, option: Option) -> _Number | None:
    """The number of which the first part is being chosen; none if it is no number from ranges."""
    asked = NumbersInParts(match.game, _same(match, waiting))
    return _Number(asked, option[0]) if asked.ranges(option[0]) else None
