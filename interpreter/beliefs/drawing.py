"""Positions for players that search: drawn from what their seat may believe."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.opponents import OpponentModel, Uniform
from interpreter.beliefs.particles import uniform
from interpreter.beliefs.seat_log import SeatLog
from interpreter.chance import Choosing
from interpreter.executor_protocol import Waiting
from interpreter.match import Match
from interpreter.messages import Fault


@dataclass(frozen=True, slots=True)
class BelievedWorlds:
    """Draws positions by their true weights, under a model of how others choose.

    At least so many `worlds` are asked for, since fewer particles lose what is seen seldom.
    """

    model: OpponentModel = field(default_factory=Uniform)
    worlds: int = 160

    def draw(self, match: Match, waiting: Waiting, number: int, seed: int) -> Sequence[array[int]]:
        """So many states in which the decision waits, drawn by a seed; none if none is found.

        While seats choose together, others have not chosen. Two matches that the seat cannot tell apart give
        the same states.
        """
        try:
            log = SeatLog.of(match, waiting.seat).alone()
            found = believe(match.game, log, max(number, self.worlds), seed, self.model).worlds
        except Fault:
            return []
        ends = list(accumulate(world.weight for world in found))
        offset = uniform(Choosing(seed))
        drawn: list[array[int]] = []
        at = 0
        for i in range(number):
            while at < len(found) - 1 and ends[at] < (i + offset) / number * ends[-1]:
                at += 1
            drawn.append(found[at].state[:])
        return drawn
