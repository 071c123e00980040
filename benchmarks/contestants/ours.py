"""Our two executors."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from itertools import count
from typing import Any

import rulewright
from benchmarks.contestants.contestant import FIRST_ALONE, Contestant, Play, Player, Unavailable
from benchmarks.games import Entry
from benchmarks.tally import Tally
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from rulewright.commands.simulate import play_out
from rulewright.library import read_rules


def opened(entry: Entry, executor: ExecutorKind = "reference") -> Game:
    """Our ruleset of a game. Raises `Unavailable` if there is none or it has mistakes."""
    ruleset = entry.ruleset or entry.name
    if ruleset not in rulewright.bundled():
        raise Unavailable("no ruleset")
    try:
        rules, _ = read_rules(ruleset)
        return Game(rules, compile_rules(rules, entry.seats, dict(entry.options)), executor)
    except (rulewright.ErrorsReported, rulewright.DiagnosticError) as error:
        raise Unavailable(f"its ruleset has mistakes: {error}") from error


def sit_fast(entry: Entry) -> Player:
    return Player(fast_play(opened(entry), entry.side))


def fast_play(game: Game, side: Collection[int] = FIRST_ALONE) -> Play:
    """Playouts in WebAssembly. Raises `Unavailable` if there is no such executor."""
    try:
        found: Play = import_module("benchmarks.contestants.fast").rollouts(game, side)
    except ImportError as error:
        raise Unavailable(f"there is no fast executor: {error}") from error
    return found


def batches() -> Any:
    """The module of batches and steppers. Raises `Unavailable` if there is none."""
    try:
        return import_module("interpreter.wasm.batch")
    except ImportError as error:
        raise Unavailable(f"there are no batches: {error}") from error


def sit_reference(entry: Entry) -> Player:
    return Player(reference_play(opened(entry), entry.side))


def reference_play(game: Game, side: Collection[int] = FIRST_ALONE) -> Play:
    seeds = count(1)

    def play(number: int) -> Tally:
        tally = Tally()
        for _ in range(number):
            tally.add(_played(Match(game, next(seeds), keep_history=False), side))
        return tally

    return play


def _played(match: Match, side: Collection[int]) -> Tally:
    play_out(match)
    decisions = sum(step.seat is not None for step in match.steps)
    alone = set(match.winners()) == {match.game.names.seat(seat) for seat in side}
    return Tally(1, decisions, int(alone))


WASM = Contestant("wasm", "ours, the fast executor", sit_fast)
REFERENCE = Contestant("reference", "ours, the reference executor", sit_reference)
