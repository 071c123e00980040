"""States and calls: how large a position is, what a copy of it costs, and what a call from Python costs."""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.contestants import openspiel, ours, pettingzoo, plain_c
from benchmarks.contestants.contestant import Unavailable
from benchmarks.games import Entry
from benchmarks.slices import Pace, Task, interleave, one_core
from benchmarks.table import Table
from interpreter.match import Match

Act = Callable[[], object]


def measure_copies(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    """The size of a state and the time of a copy, in the middle of nothing: at the first decision."""
    table = Table("copies", "States: their size, and a copy from Python", ("game", "who", "bytes", "ns/copy"))
    with one_core():
        for entry in entries:
            found = _present(COPIES, entry)
            tasks = [Task(name, _repeated(act)) for name, (act, _) in found.items()]
            interleave(tasks, pace)
            table.rows += [(entry.name, t.name, found[t.name][1], 1e9 / t.rate) for t in tasks]
    table.notes.append("OpenSpiel and PettingZoo do not say how large a state is")
    return [table]


def measure_calls(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    """The time of the cheapest call from Python that there is."""
    table = Table("calls", "The cheapest call from Python", ("who", "what", "ns/call"))
    entry = next((e for e in entries if e.plain_c and e.openspiel), None)
    if entry is None:
        return [table]
    with one_core():
        found = _present(CALLS, entry)
        tasks = [Task(name, _repeated(act)) for name, (act, _) in found.items()]
        interleave(tasks, pace)
    table.rows += [(t.name, str(found[t.name][1]), 1e9 / t.rate) for t in tasks]
    return [table]


def _present(sits: dict[str, Callable[[Entry], tuple[Act, Any]]], entry: Entry) -> dict[str, tuple[Act, Any]]:
    found = {}
    for name, sit in sits.items():
        try:
            found[name] = sit(entry)
        except Unavailable:
            continue
    return found


def _repeated(act: Act) -> Callable[[int], float]:
    def run(number: int) -> float:
        for _ in range(number):
            act()
        return number

    return run


# ---- copies


def _reference_copy(entry: Entry) -> tuple[Act, int]:
    match = Match(ours.opened(entry), 1, keep_history=False).start()
    state = match.state
    return lambda: state[:], 4 * len(state)


def _fast_copy(entry: Entry) -> tuple[Act, int]:
    """One match of a batch over another, chance to come included."""
    batch = ours.batches().Batch(ours.opened(entry), 2)
    return lambda: batch.clone(0, 1), batch.map["stride"]


def _openspiel_copy(entry: Entry) -> tuple[Act, None]:
    return openspiel.loaded(entry).new_initial_state().clone, None


def _pettingzoo_copy(entry: Entry) -> tuple[Act, None]:
    env = pettingzoo.made(entry)
    env.reset(seed=1)
    return lambda: copy.deepcopy(env), None


# ---- calls


def _fast_call(entry: Entry) -> tuple[Act, str]:
    stepper = ours.batches().Stepper(ours.opened(entry))
    functions = stepper.batch._instance.functions
    return lambda: functions["observe_as"](0, 0), "writing what a seat sees"


def _c_call(entry: Entry) -> tuple[Act, str]:
    run, counts = plain_c.function(entry.name), plain_c.Counts()
    pointer = ctypes.byref(counts)
    return lambda: run(0, 1, pointer), "playouts(0, seed) by ctypes"


def _openspiel_call(entry: Entry) -> tuple[Act, str]:
    return openspiel.loaded(entry).new_initial_state().is_terminal, "is_terminal()"


COPIES: dict[str, Callable[[Entry], tuple[Act, Any]]] = {
    "wasm": _fast_copy,
    "reference": _reference_copy,
    "openspiel": _openspiel_copy,
    "pettingzoo": _pettingzoo_copy,
}
CALLS: dict[str, Callable[[Entry], tuple[Act, Any]]] = {
    "wasm": _fast_call,
    "c": _c_call,
    "openspiel": _openspiel_call,
}
