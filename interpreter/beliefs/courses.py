"""The match of a world, played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter.beliefs.beliefs import Beliefs, World
from interpreter.beliefs.simulation import Chosen, Drawn
from interpreter.match import Match


@dataclass
class GivenOutcomes:
    """A source of chance: outcomes in order."""

    texts: Iterator[str]

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        return next(self.texts)


def match_of(beliefs: Beliefs, world: World) -> Match:
    """The match of a world, which can be played on. The seat has the same log in it."""
    texts = iter([step.text for step in world.course if isinstance(step, Drawn)])
    match = Match(beliefs.game, chance=GivenOutcomes(texts), opening=beliefs.log.opening).start()
    for step in world.course:
        if isinstance(step, Chosen):
            waiting = next(w for w in match.waiting() if (w.branch, w.seat) == (step.branch, step.seat))
            match.take(waiting, step.option)
    match.chance = None
    return match
