"""The entry point of exploration: a game and bounds to everything that was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

from dsl.diagnostics import Diagnostic
from interpreter.game import ExecutorKind, Game
from validators.explore.automorphisms import Symmetry, generators
from validators.explore.choosing import Choice, choose
from validators.explore.findings import ExploreFinding, findings, missing
from validators.explore.search import Bounds, Found, MostlyChance, NoReduction, Search, Told, not_told
from validators.explore.state_key import StateKey
from validators.explore.stepping import StepExecutor, step_executor
from validators.explore.symmetry_reduction import SymmetryBroken, SymmetryReduction, TooDear
from validators.explore.traced import Mark

RESTARTS = 3
"""How many symmetries may turn out not to hold."""
DEALS = 16
"""How many outcomes of chance are followed between two decisions where chance takes nearly all positions."""


@dataclass(frozen=True)
class Exploration:
    """The graph of positions, the findings, and what was not seen within the bounds."""

    game: Game
    steps: StepExecutor
    found: Found
    findings: tuple[ExploreFinding, ...]
    unseen: tuple[Diagnostic, ...]
    proved: tuple[Symmetry, ...] = ()
    dropped: tuple[Symmetry, ...] = ()
    dear: bool = False


def explore(
    game: Game,
    bounds: Bounds,
    executor: ExecutorKind = "wasm",
    whole: bool = True,
    fold: bool | None = None,
    told: Told = not_told,
) -> Exploration:
    """Explores all positions of a game within the bounds. `whole`: no preset has made the game smaller.

    `fold`: of positions that are equal up to a symmetry only one is explored; none: unless that takes longer
    than it saves. `told` is called now and then with the number of positions and of moves so far.
    """
    began = perf_counter()
    until = began + bounds.seconds if bounds.seconds is not None else None
    game = game.in_parts
    steps = step_executor(game.machine, executor)
    outline = StateKey(game.machine)
    choice = Choice()
    try:
        if fold is not False:
            choice = choose(game, steps, outline, until, always=fold is True)
        search = _searched(game, steps, outline, bounds, choice, began, told)
    except KeyboardInterrupt:
        search = Search(steps, outline, NoReduction(), bounds, began)
        search.found.stopped = "interrupted"
    found = search.found
    unseen = not_marked(steps)
    certain = findings(game.rules, game.machine, search, unseen, whole)
    said = {finding.diagnostic for finding in certain}
    open_ones = tuple(x for x in missing(game.rules, game.machine, found, unseen) if x not in said)
    proved, dropped = tuple(generators(choice.group)), tuple(choice.dropped)
    return Exploration(game, steps, found, tuple(certain), open_ones, proved, dropped, choice.dear)


def _searched(
    game: Game,
    steps: StepExecutor,
    outline: StateKey,
    bounds: Bounds,
    choice: Choice,
    began: float,
    told: Told,
) -> Search:
    """One exploration, timed from `began`. It restarts without a symmetry that turns out not to hold.

    After a few such restarts it goes on without any. It also restarts with a few outcomes of each deal if
    chance takes nearly all positions; symmetries are not proved there, as not all outcomes are followed.
    """
    if bounds.outcomes is not None:
        choice.group = []
    while choice.group and len(choice.dropped) < RESTARTS:
        search = Search(
            steps,
            outline,
            SymmetryReduction(game, steps, outline, choice.group, choice.always),
            bounds,
            began,
            told,
        )
        try:
            search.run()
        except TooDear:
            choice.group, choice.dear = [], True
            steps.trails.clear()
            continue
        except MostlyChance:
            choice.group = []
            steps.trails.clear()
            bounds = replace(bounds, outcomes=DEALS)
            continue
        except SymmetryBroken as unlike:
            choice.drop(unlike.symmetry)
            steps.trails.clear()
            if len(choice.dropped) == RESTARTS:
                choice.group = []
            continue
        search.found.blurred = any(symmetry.moves("seat") for symmetry in choice.group)
        return search
    search = Search(steps, outline, NoReduction(), bounds, began, told)
    try:
        search.run()
    except MostlyChance:
        steps.trails.clear()
        search = Search(steps, outline, NoReduction(), replace(bounds, outcomes=DEALS), began, told)
        search.run()
    return search


def not_marked(steps: StepExecutor) -> tuple[Mark, ...]:
    """The phases and ends that no run has reached."""
    seen = [memoryview(trail).cast("i") for trail in steps.trails]
    return tuple(mark for i, mark in enumerate(steps.marks) if not any(trail[i] for trail in seen))
