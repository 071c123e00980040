"""1,024 matches at once: a choice for each, uniformly random by its mask, and all go on to their next one.

Finished matches begin again at once. Choosing is timed with everybody: in the module with ours, a list's with
OpenSpiel, compiled in with pgx. What our steps cost without it stands in a row of its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.contestants import openspiel, ours, pgx
from benchmarks.contestants.contestant import Unavailable
from benchmarks.games import Entry
from benchmarks.slices import Pace, Task, interleave, one_core, ratio
from benchmarks.table import Table

SIZE = 1024
RECORDED = 128
"""Steps that are recorded where choosing is left out."""

COLUMNS = ("game", "who", "decisions/s", "wasm is x times")

Sit = Callable[[Entry], Callable[[int], float]]


def measure(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    table = Table("batches", f"{SIZE:,} matches at once, stepped from Python", COLUMNS)
    with one_core():
        for entry in entries:
            tasks = _tasks(entry)
            interleave(tasks, pace)
            _add(table, entry, tasks)
    return [table]


def _tasks(entry: Entry) -> list[Task]:
    found = []
    for name, sit in SITS.items():
        try:
            found.append(Task(name, sit(entry)))
        except Unavailable:
            continue
    return found


def _add(table: Table, entry: Entry, tasks: Sequence[Task]) -> None:
    fast = next((task for task in tasks if task.name == "wasm"), None)
    for task in tasks:
        table.rows.append((entry.name, task.name, task.rate, ratio(fast, task) if fast is not None else None))


def _fast(entry: Entry) -> Callable[[int], float]:
    """Our batches, which draw choices from their masks by themselves, and make no observations."""
    return _stepping(ours.batches().Batch(ours.opened(entry), SIZE, auto_reset=True, observations=False))


def observing(entry: Entry) -> Callable[[int], float]:
    """The same, with what the deciding seats may see."""
    return _stepping(ours.batches().Batch(ours.opened(entry), SIZE, auto_reset=True))


def _stepping(batch: Any) -> Callable[[int], float]:
    def run(number: int) -> float:
        for _ in range(number):
            batch.step(batch.sample())
        return number * SIZE

    return run


def _given(entry: Entry) -> Callable[[int], float]:
    """Our batches alone: choices recorded before, made once more from the beginning."""
    game, made = ours.opened(entry), ours.batches().Batch
    batch, recorded = made(game, SIZE, auto_reset=True), []
    for _ in range(RECORDED):
        recorded.append(batch.sample().copy())
        batch.step(recorded[-1])

    def run(number: int) -> float:
        for _ in range(number):
            again = made(game, SIZE, auto_reset=True, observations=False)
            for choices in recorded:
                again.step(choices)
        return number * SIZE * RECORDED

    return run


def _pgx(entry: Entry) -> Callable[[int], float]:
    return pgx.stepping(entry, SIZE)


def _openspiel(entry: Entry) -> Callable[[int], float]:
    """A list of states; there is nothing of OpenSpiel's own for many at once."""
    game, rng = openspiel.loaded(entry), random.Random(1)
    states = [_begun(game, rng) for _ in range(SIZE)]

    def run(number: int) -> float:
        for _ in range(number):
            for i, state in enumerate(states):
                state.apply_action(rng.choice(state.legal_actions()))
                states[i] = _at_decision(game, state, rng)
        return number * SIZE

    return run


def _begun(game: Any, rng: random.Random) -> Any:
    return _at_decision(game, game.new_initial_state(), rng)


def _at_decision(game: Any, state: Any, rng: random.Random) -> Any:
    """The state at its next decision, or a new one's first."""
    while state.is_chance_node() or state.is_terminal():
        if state.is_terminal():
            state = game.new_initial_state()
        else:
            openspiel.draw(state, rng)
    return state


SITS: dict[str, Sit] = {
    "wasm": _fast,
    "wasm, observations too": observing,
    "wasm, choices given": _given,
    "pgx": _pgx,
    "openspiel": _openspiel,
}
