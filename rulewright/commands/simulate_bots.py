"""Simulations with bots that are named: matches one after the other, or in several processes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import inf
from typing import Any, Protocol

import click

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.messages import ArraysNotInstalled, UnknownBot
from interpreter.game import Game, MatchStep
from interpreter.ir import PC
from interpreter.match import Match
from interpreter.messages import Fault, RunsForEver
from rulewright.processes.messages import WorkerLost
from rulewright.terminal.parameters import Whole

PEOPLE = "human"


MOST_DRAWS = 100_000
"""The largest number of consecutive outcomes of chance."""


@dataclass
class Bounded(Match):
    """A match that raises `Fault` after too many outcomes of chance without a decision."""

    draws: int = 0

    def _go(self, act: Callable[[], int], step: MatchStep) -> MatchStep:
        self.draws = 0
        return super()._go(act, step)

    def draw(self) -> tuple[int, MatchStep]:
        self.draws += 1
        if self.draws > MOST_DRAWS:
            raise Fault(RunsForEver(self.game.machine.nodes[self.state[PC]].span, MOST_DRAWS))
        return super().draw()


class SeatsOrBots(Whole):
    """How many play, or the names of bots with commas between them."""

    NAMED = re.compile(r"[A-Za-z].*")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and self.NAMED.fullmatch(value.strip()):
            return tuple(name.strip() for name in value.split(","))
        return super().convert(value, param, ctx)


def checked_bots(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of bots, if each can play; nothing if all are random, as modules play so by themselves.

    Raises `DiagnosticError` with `UnknownBot`, `BadBudget` or `ArraysNotInstalled`, and for policies what
    `player_named` raises. What bots are is imported only where some are named.
    """
    if not names:
        return ()
    from interpreter.bots.names import NAMES, RANDOM
    from interpreter.bots.search import SearchBot
    from rulewright.learn.policy_names import player_named

    for name in names:
        if name == PEOPLE:
            known = ", ".join(f"`{known}`" for known in NAMES)
            hint = f"people are not asked here; there are {known}"
            raise DiagnosticError(UnknownBot(NOWHERE, name, hint))
        if isinstance(player_named(name), SearchBot) and find_spec("numpy") is None:
            raise DiagnosticError(ArraysNotInstalled(NOWHERE))
    return () if set(names) <= {RANDOM} else names


def is_repeatable(names: tuple[str, ...]) -> bool:
    """Whether the same seed gives the same match: no bot is given time."""
    if not names:
        return True
    from interpreter.bots.search import SearchBot
    from rulewright.learn.policy_names import player_named

    bots = map(player_named, names)
    return not any(isinstance(bot, SearchBot) and bot.budget.seconds is not None for bot in bots)


class Opens(Protocol):
    """What a process opens a game by."""

    @property
    def bots(self) -> tuple[str, ...]: ...

    @property
    def checked(self) -> bool: ...

    def opened(self) -> Game: ...


@dataclass
class BotMatch:
    """What has come of a match between bots: the winners, the end with a name, the totals by seat, how many
    choices and outcomes of chance there were, how many choices each decision offered; or the fault."""

    winners: tuple[str, ...] = ()
    ending: str | None = None
    totals: dict[str, int] = field(default_factory=dict)
    decisions: int = 0
    outcomes: int = 0
    offered: list[int] = field(default_factory=list)
    failed: Diagnostic | None = None


def bot_match(match: Match, names: tuple[str, ...], count: Callable[[int], None]) -> None:
    """Plays a match to its end by bots. Raises `Fault`. `count` is told how many choices are offered."""
    from rulewright.learn.policy_names import player_named

    bots = [player_named(name) for name in names]
    match.start()
    while not match.over:
        waiting = match.waiting()[0]
        count(len(waiting.options))
        option = waiting.options[0]
        if len(waiting.options) > 1:
            option = bots[waiting.seat].choose(match, waiting, match.seed)
        match.take(waiting, option)


def play_matches(args: Opens, seeds: range, jobs: int, game: Game) -> Iterator[BotMatch]:
    """The matches of some seeds, in order. Raises `DiagnosticError` with `WorkerLost`."""
    if jobs == 1:
        yield from (_play_one(args, game, seed) for seed in seeds)
        return
    from concurrent.futures.process import BrokenProcessPool

    from rulewright.processes.workers import AHEAD, process_pool

    try:
        with process_pool(jobs, _begin, (args,)) as pool:
            yield from pool.stream(_play, seeds, AHEAD * jobs, lambda: inf)
    except BrokenProcessPool:
        raise DiagnosticError(WorkerLost(NOWHERE)) from None


_here: list[tuple[Opens, Game]] = []
"""The arguments of this process and its game."""


def _begin(args: Opens) -> None:
    _here[:] = [(args, args.opened())]


def _play(seed: int) -> BotMatch:
    args, game = _here[0]
    return _play_one(args, game, seed)


def _play_one(args: Opens, game: Game, seed: int) -> BotMatch:
    match = Bounded(game, seed, checked=args.checked)
    found = BotMatch()
    try:
        bot_match(match, args.bots, found.offered.append)
        found.winners = tuple(match.winners())
        found.totals = {account.seat: account.total for account in match.accounts()}
        found.ending = match.outcome()
    except Fault as fault:
        found.failed = fault.diagnostic
    found.decisions = sum(step.seat is not None for step in match.steps)
    found.outcomes = sum(step.stream is not None for step in match.steps)
    return found
