"""One match, stepped from Python: apply a choice, read what may be chosen next and what the seat sees.

The choices are recorded before, so that nobody's choosing is timed. Of chance, OpenSpiel is told outcomes
that were recorded too; ours draws its own, again, by the same seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.contestants import openspiel, ours
from benchmarks.contestants.contestant import Unavailable
from benchmarks.games import Entry
from benchmarks.slices import Pace, Task, interleave, one_core, ratio
from benchmarks.table import Table
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match

RECORDED = 16
"""How many playouts are recorded and stepped through in turn."""

COLUMNS = ("game", "who", "decisions/s", "ns/decision", "wasm is x times")

Step = Callable[[int], float]
"""Steps through that many recorded playouts; how many decisions there were."""


def measure(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    table = Table("stepping", "One match stepped from Python", COLUMNS)
    with one_core():
        for entry in entries:
            tasks = [
                Task(name, step) for name, sit in SITS.items() if (step := _seated(sit, entry)) is not None
            ]
            interleave(tasks, pace)
            _add(table, entry, tasks)
    table.notes.append("a decision: its choice applied, the mask and the view of the next one read")
    return [table]


def _seated(sit: Callable[[Entry], Step], entry: Entry) -> Step | None:
    try:
        return sit(entry)
    except Unavailable:
        return None


def _add(table: Table, entry: Entry, tasks: Sequence[Task]) -> None:
    fast = next((task for task in tasks if task.name == "wasm"), None)
    for task in tasks:
        times = ratio(fast, task) if fast is not None else None
        table.rows.append((entry.name, task.name, task.rate, 1e9 / task.rate, times))


# ---- ours, the fast executor


def _fast(entry: Entry) -> Step:
    """`Stepper`: the mask and the view are arrays that show what is in memory, so reading them is free."""
    stepper = ours.batches().Stepper(ours.opened(entry))
    recorded = [_actions(stepper, seed) for seed in range(RECORDED)]

    def step(number: int) -> float:
        return float(sum(_step_fast(stepper, *recorded[i % RECORDED]) for i in range(number)))

    return step


def _actions(stepper: Any, seed: int) -> tuple[int, list[int]]:
    """A seed, and what was chosen in a playout under it."""
    rng, actions = random.Random(seed), []
    stepper.reset(seed)
    while not stepper.over:
        actions.append(int(rng.choice(stepper.mask.nonzero()[0])))
        stepper.step(actions[-1])
    return seed, actions


def _step_fast(stepper: Any, seed: int, actions: list[int]) -> int:
    stepper.reset(seed)
    for action in actions:
        _ = stepper.mask, stepper.observation
        stepper.step(action)
    return len(actions)


# ---- ours, through `Match`


@dataclass(frozen=True)
class Recorded:
    """A seed and the number of the option at each decision."""

    seed: int
    picks: tuple[tuple[int, int], ...]


def _match(executor: ExecutorKind, entry: Entry) -> Step:
    game = ours.opened(entry, executor)
    recorded = [_record(game, seed) for seed in range(RECORDED)]

    def step(number: int) -> float:
        return sum(_step_through(game, recorded[i % RECORDED]) for i in range(number))

    return step


def _record(game: Game, seed: int) -> Recorded:
    rng, match = random.Random(seed), Match(game, seed, keep_history=False).start()
    picks = []
    while not match.over:
        waiting = match.waiting()
        who = rng.randrange(len(waiting))
        pick = rng.randrange(len(waiting[who].options))
        picks.append((who, pick))
        match.take(waiting[who], waiting[who].options[pick])
    return Recorded(seed, tuple(picks))


def _step_through(game: Game, recorded: Recorded) -> int:
    match = Match(game, recorded.seed, keep_history=False).start()
    for who, pick in recorded.picks:
        waiting = match.waiting()[who]
        match.view(waiting.seat)
        match.take(waiting, waiting.options[pick])
    return len(recorded.picks)


# ---- OpenSpiel


def _openspiel(entry: Entry) -> Step:
    game = openspiel.loaded(entry)
    recorded = [_history(game, seed) for seed in range(RECORDED)]

    def step(number: int) -> float:
        return sum(_replay(game, recorded[i % RECORDED]) for i in range(number))

    return step


def _history(game: Any, seed: int) -> list[tuple[int, bool]]:
    """Actions in order, and whether each is a decision."""
    rng, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            openspiel.draw(state, rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return [(entry.action, entry.player >= 0) for entry in state.full_history()]


def _replay(game: Any, history: list[tuple[int, bool]]) -> int:
    state, decisions = game.new_initial_state(), 0
    for action, decided in history:
        if decided:
            state.legal_actions_mask()
            state.observation_tensor()
            decisions += 1
        state.apply_action(action)
    return decisions


SITS: dict[str, Callable[[Entry], Step]] = {
    "wasm": _fast,
    "Match, wasm": partial(_match, "wasm"),
    "Match, reference": partial(_match, "reference"),
    "openspiel": _openspiel,
}
