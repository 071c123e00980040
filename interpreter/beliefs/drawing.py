"""Positions for players that search: drawn from what their seat may believe."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from interpreter.beliefs.beliefs import MOST_STEPS, believe
from interpreter.beliefs.opponents import OpponentModel, Uniform
from interpreter.beliefs.particles import uniform
from interpreter.beliefs.seat_log import SeatLog
from interpreter.bots.bot import Worlds
from interpreter.chance import Choosing
from interpreter.executor_protocol import Waiting
from interpreter.match import Match
from interpreter.messages import Fault


@dataclass(frozen=True, slots=True)
class BelievedWorlds:
    """Draws positions by their true weights, under a model of how others choose.

    At least so many `worlds` are asked for, since fewer particles lose what is seen seldom, within so many
    `steps` of work. Where no world is found, those of `otherwise` are drawn, if there is such a source.
    """

    model: OpponentModel = field(default_factory=Uniform)
    worlds: int = 160
    steps: int = MOST_STEPS
    otherwise: Worlds | None = None

    def draw(self, match: Match, waiting: Waiting, number: int, seed: int) -> Sequence[array[int]]:
        """So many states in which the decision waits, drawn by a seed; none, or others, if none is found.

        While seats choose together, others have not chosen. Two matches that the seat cannot tell apart give
        the same states.
        """
        try:
            log = SeatLog.of(match, waiting.seat).alone()
            size = max(number, self.worlds)
            found = believe(match.game, log, size, seed, self.model, steps=self.steps).worlds
        except Fault:
            return self.otherwise.draw(match, waiting, number, seed) if self.otherwise is not None else []
        ends = list(accumulate(world.weight for world in found))
        offset = uniform(Choosing(seed))
        drawn: list[array[int]] = []
        at = 0
        for i in range(number):
            while at < len(found) - 1 and ends[at] < (i + offset) / number * ends[-1]:
                at += 1
            drawn.append(found[at].state[:])
        return drawn
