"""A trained policy as a bot: it sees what its seat sees, and draws its choice by its own chances."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from interpreter.bots.bot import asked
from interpreter.bots.number_search import NumbersInParts
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from rulewright.learn.onnx_files import OnnxPolicy, load_policy
from rulewright.learn.play import LearnMatch
from rulewright.learn.space import Space
from rulewright.learn.tables import spaces_of


@dataclass(frozen=True, slots=True)
class PolicyBot:
    """A bot that plays by a policy. It depends on what its seat may know, and on the seed."""

    policy: OnnxPolicy

    def chances(self, match: Match, waiting: Waiting) -> list[tuple[Option, float]]:
        """How likely the policy takes each choice of the waiting seat, the likeliest first.

        It sees what the seat may know. Raises `DiagnosticError` as `choose` does.
        """
        play = play_of(match.game, self.policy)
        play.reset(match.seed, match)
        play.ask(waiting.seat)
        mask = play.mask()
        found = self.policy.chances(play.observation()[None], mask[None])[0]
        numbers = NumbersInParts(match.game, waiting)
        offered = []
        for action in mask.nonzero()[0].tolist():
            option = play.batch.option(waiting.node, play.local(action))
            option = numbers.choice(option).option if numbers.ranges(option[0]) else option
            offered.append((option, float(found[action])))
        return sorted(offered, key=lambda one: -one[1])

    def choose(self, match: Match, waiting: Waiting, seed: int) -> Option:
        """Raises `DiagnosticError` with `ForeignModel` if the policy was trained for another game."""
        play = play_of(match.game, self.policy)
        play.reset(seed, match)
        play.ask(waiting.seat)
        return self.draw(play, match, waiting, np.random.default_rng(asked(match, waiting, seed).seed))

    def draw(self, play: LearnMatch, match: Match, waiting: Waiting, rng: np.random.Generator) -> Option:
        """What it chooses at a decision that `play` looks at: of a number from ranges part by part."""
        option = self._act(play, waiting.node, rng)
        numbers = NumbersInParts(match.game, waiting)
        if not numbers.ranges(option[0]):
            return option
        within, at, inside = [option[1]], match.state, option
        while (found := numbers.entered([at], inside)) is not None:
            asked_now, [at] = found
            play.place(at)
            play.ask(waiting.seat)
            inside = self._act(play, asked_now.node, rng)
            within.append(inside[1])
        return numbers.choice((option[0], within[-1]), within[:-1]).option

    def _act(self, play: LearnMatch, node: int, rng: np.random.Generator) -> Option:
        action = int(self.policy.act(play.observation()[None], play.mask()[None], rng)[0])
        return play.batch.option(node, play.local(action))


@lru_cache(maxsize=8)
def play_of(game: Game, policy: OnnxPolicy) -> LearnMatch:
    """A match to look at positions as a policy sees them; raises `DiagnosticError` with `ForeignModel`."""
    own = spaces_of(game).catalogue
    if (policy.catalogue.game, policy.catalogue.seats) != (own.game, own.seats):
        policy.check(own)
    return LearnMatch(Space.of(game, policy.catalogue.extended(own)))


def policy_bot(path: str) -> PolicyBot:
    """The bot of a file. Raises `DiagnosticError` with what `load_policy` raises.

    A file is read once, and again when it has been rewritten.
    """
    try:
        status = Path(path).stat()
    except (OSError, ValueError):  # reading it says what is wrong
        return PolicyBot(load_policy(path))
    return _kept(path, (status.st_ino, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=8)
def _kept(path: str, _version: tuple[int, int, int]) -> PolicyBot:
    return PolicyBot(load_policy(path))
