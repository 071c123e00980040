"""Who plays the seats that a learner does not: at random, a bot by its name, or a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.bot import Bot
from interpreter.bots.names import RANDOM, bot_named
from rulewright.learn.arguments import refused
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.messages import ActionNotOffered, BadEnvironmentSetting
from rulewright.learn.play import LearnMatch
from rulewright.learn.policy_words import POLICY, is_policy
from rulewright.learn.space import Mask, Numbers, Row


@runtime_checkable
class Policy(Protocol):
    """What chooses by an observation and a mask, of one match or of many."""

    def act(self, observations: Row, masks: Mask, rng: np.random.Generator) -> Numbers:
        """[n]: an action for each row of observations [n, columns] and masks [n, actions]."""
        ...


@runtime_checkable
class TrainedPolicy(Policy, Protocol):
    """A policy that knows the catalogue it was trained with."""

    def check(self, catalogue: SpaceCatalogue) -> None:
        """Raises `DiagnosticError` with `ForeignModel` if it cannot be used with a catalogue."""
        ...


@dataclass(frozen=True, slots=True)
class UniformPolicy:
    """Chooses uniformly among what is offered; 0 where nothing is."""

    def act(self, observations: Row, masks: Mask, rng: np.random.Generator) -> Numbers:
        offered = np.ascontiguousarray(masks, dtype=np.int8).view(np.bool_)
        numbers = np.count_nonzero(offered, axis=1)
        flat = offered.ravel().nonzero()[0]
        drawn = (rng.random(len(masks)) * numbers).astype(np.int64)
        first = np.cumsum(numbers) - numbers
        which = np.minimum(first + drawn, max(len(flat) - 1, 0))
        found: Numbers = np.zeros(len(masks), dtype=np.int64)
        some = numbers > 0
        found[some] = flat[which[some]] - np.flatnonzero(some) * masks.shape[1]
        return found


@dataclass(frozen=True, slots=True)
class BotPlayer:
    """A bot, which looks at the match that is played beside."""

    bot: Bot

    def act_in(self, play: LearnMatch, rng: np.random.Generator) -> int:
        assert play.match is not None
        option = self.bot.choose(play.match, play.waiting(), int(rng.integers(1 << 62)))
        return play.action_of(option)


def chosen_by(policy: Policy, rows: Row, masks: Mask, rng: np.random.Generator, seat: int) -> Numbers:
    """[n]: what a policy chooses for a seat.

    Raises `DiagnosticError` with `ActionNotOffered` if that is not a whole number for each row.
    """
    found = np.asarray(policy.act(rows, masks, rng))
    if found.dtype.kind not in "iu" or found.shape != (len(rows),):
        name, offered = f"{found.dtype} of shape {found.shape}", f"whole numbers of shape ({len(rows)},)"
        raise DiagnosticError(ActionNotOffered(NOWHERE, name, f"the policy of seat {seat}", offered))
    return found.astype(np.int64)


@dataclass(frozen=True, slots=True)
class PolicyPlayer:
    """A policy, which sees what its seat sees."""

    policy: Policy

    def act_in(self, play: LearnMatch, rng: np.random.Generator) -> int:
        found = chosen_by(self.policy, play.observation()[None], play.mask()[None], rng, play.seat)
        return int(found[0])


Player = BotPlayer | PolicyPlayer
Opponent = str | Bot | Policy


def player_of(opponent: Opponent) -> Player:
    """`random`, the name of a bot, `policy:FILE`, a bot, or a policy.

    Raises `DiagnosticError` with `UnknownBot` or `BadBudget`, with what `load_policy` raises, and with
    `BadEnvironmentSetting` for anything else.
    """
    if isinstance(opponent, str) and is_policy(opponent):
        from rulewright.learn.onnx_files import load_policy

        return PolicyPlayer(load_policy(opponent.removeprefix(POLICY)))
    if isinstance(opponent, str):
        return PolicyPlayer(UniformPolicy()) if opponent == RANDOM else BotPlayer(bot_named(opponent))
    if isinstance(opponent, Policy):
        return PolicyPlayer(opponent)
    if hasattr(opponent, "choose"):
        return BotPlayer(opponent)
    hint = "give `random`, the name of a bot, a bot, or an object with `act`"
    raise refused("opponents", opponent, hint)


def players_of(
    opponents: Opponent | Mapping[int, Opponent] | Sequence[Opponent], catalogue: SpaceCatalogue
) -> dict[int, Player]:
    """The player of each seat: one for all, or one for each of some seats, the others being random.

    Raises `DiagnosticError` with what `player_of` raises, and with `ForeignModel` for a trained policy that
    means something else by its numbers than the catalogue of the environment.
    """
    found = _players(opponents, catalogue.seats)
    for player in found.values():
        if isinstance(player, PolicyPlayer) and isinstance(player.policy, TrainedPolicy):
            player.policy.check(catalogue)
    return found


def _players(
    opponents: Opponent | Mapping[int, Opponent] | Sequence[Opponent], seats: int
) -> dict[int, Player]:
    if isinstance(opponents, Mapping):
        unknown = [seat for seat in opponents if seat not in range(seats)]
        if unknown:
            hint = f"seats are 0 to {seats - 1}"
            raise DiagnosticError(
                BadEnvironmentSetting(NOWHERE, "opponents", f"at seat {unknown[0]!r}", hint)
            )
        return {seat: player_of(opponents.get(seat, RANDOM)) for seat in range(seats)}
    if isinstance(opponents, list | tuple):
        if len(opponents) != seats - 1:
            hint = f"give one for all, or {seats - 1}, for the other seats in order"
            raise DiagnosticError(
                BadEnvironmentSetting(NOWHERE, "opponents", f"{len(opponents)} of them", hint)
            )
        return dict(enumerate(map(player_of, opponents), 1))
    one = player_of(opponents)  # type: ignore[arg-type]
    return dict.fromkeys(range(seats), one)
