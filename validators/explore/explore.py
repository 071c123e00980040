"""The front door of exploration: a game and bounds in, all that was found out."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Mistake
from interpreter.match import Game, Kind
from validators.explore.findings import Finding, findings, missing
from validators.explore.outline import Outline
from validators.explore.search import Bounds, Found, Plain, Search
from validators.explore.stepping import Fast, Slow, Steps
from validators.explore.traced import Mark


@dataclass(frozen=True)
class Exploration:
    """What was found, what of it is wrong, and what was not seen within the bounds."""

    game: Game
    steps: Steps
    found: Found
    findings: tuple[Finding, ...]
    unseen: tuple[Mistake, ...]


def explore(game: Game, bounds: Bounds, executor: Kind = "wasm", whole: bool = True) -> Exploration:
    """All positions of a game within the bounds. It is not `whole` if a preset has made it smaller."""
    steps: Steps = Fast(game.machine) if executor == "wasm" else Slow(game.machine)
    found = Search(steps, Outline(game.machine), Plain(), bounds).run()
    unseen = not_marked(steps)
    certain = findings(game.rules, game.machine, found, unseen, whole)
    said = {finding.mistake for finding in certain}
    open_ones = tuple(x for x in missing(game.rules, game.machine, found, unseen) if x not in said)
    return Exploration(game, steps, found, tuple(certain), open_ones)


def not_marked(steps: Steps) -> tuple[Mark, ...]:
    """The phases and ends that no run has come by."""
    seen = [memoryview(trail).cast("i") for trail in steps.trails]
    return tuple(mark for i, mark in enumerate(steps.marks) if not any(trail[i] for trail in seen))
