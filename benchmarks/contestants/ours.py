"""Our two executors."""

from __future__ import annotations

from importlib import import_module
from itertools import count
from typing import Any

import rulewright
from benchmarks.contestants.contestant import Contestant, Play, Player, Unavailable
from benchmarks.games import Entry
from benchmarks.tally import Tally
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from rulewright.commands.simulate import play_out
from rulewright.library import read_rules


def opened(entry: Entry, executor: ExecutorKind = "reference") -> Game:
    """Our ruleset of a game. Raises `Unavailable` if there is none or it has mistakes."""
    if entry.name not in rulewright.bundled():
        raise Unavailable("no ruleset")
    try:
        rules, _ = read_rules(entry.name)
        return Game(rules, compile_rules(rules, entry.seats, dict(entry.options)), executor)
    except (rulewright.ErrorsReported, rulewright.DiagnosticError) as error:
        raise Unavailable(f"its ruleset has mistakes: {error}") from error


def sit_fast(entry: Entry) -> Player:
    return Player(fast_play(opened(entry)))


def fast_play(game: Game) -> Play:
    """Playouts in WebAssembly. Raises `Unavailable` if there is no such executor."""
    try:
        found: Play = import_module("benchmarks.contestants.fast").rollouts(game)
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
    return Player(reference_play(opened(entry)))


def reference_play(game: Game) -> Play:
    seeds = count(1)

    def play(number: int) -> Tally:
        tally = Tally()
        for _ in range(number):
            tally.add(_played(Match(game, next(seeds), keep_history=False)))
        return tally

    return play


def _played(match: Match) -> Tally:
    play_out(match)
    decisions = sum(step.seat is not None for step in match.steps)
    alone = match.winners() == [match.game.names.seat(0)]
    return Tally(1, decisions, int(alone))


WASM = Contestant("wasm", "ours, the fast executor", sit_fast)
REFERENCE = Contestant("reference", "ours, the reference executor", sit_reference)
