"""From files to the first playout, each time in a new process: ours step by step, others beside it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter

import rulewright
from benchmarks.contestants import ours
from benchmarks.contestants.contestant import Unavailable
from benchmarks.contestants.plain_c import COMMAND, SOURCES
from benchmarks.games import Entry
from benchmarks.slices import Pace
from benchmarks.table import Cell, Table

STEPS = ("import", "read", "compile", "lower", "playout")
NOTHING = 0.005
"""Milliseconds that are only the asking for the time: a step that a contestant does not have."""

COLUMNS = ("game", "who", *(f"{step} ms" for step in STEPS), "all ms")

OURS = """\
import json, os, sys
from time import perf_counter
times = [perf_counter()]
def done(): times.append(perf_counter())
import rulewright, interpreter.match
from rulewright.library import read_rules
from interpreter.compile.program import compile_rules
done()
rules, _ = read_rules(sys.argv[1])
done()
machine = compile_rules(rules, 2, {})
done()
if sys.argv[2] == "wasm":
    from interpreter.wasm.program import Program
    fast = Program(machine)
    done()
    fast.playouts(1, 1)
else:
    from rulewright.commands.simulate import run_playouts
    game = interpreter.match.Game(rules, machine)
    done()
    run_playouts(game, 1, 1, False)
done()
print(json.dumps([b - a for a, b in zip(times, times[1:])]))
"""

OPENSPIEL = """\
import json, sys
from time import perf_counter
times = [perf_counter()]
def done(): times.append(perf_counter())
import pyspiel, random
done(); done(); done()
game = pyspiel.load_game(sys.argv[1])
done()
state = game.new_initial_state()
while not state.is_terminal():
    state.apply_action(random.choice(state.legal_actions()))
done()
print(json.dumps([b - a for a, b in zip(times, times[1:])]))
"""

PGX = """\
import json, os, sys
os.environ["JAX_PLATFORMS"] = "cpu"
from time import perf_counter
times = [perf_counter()]
def done(): times.append(perf_counter())
import jax, pgx
done(); done()
env = pgx.make(sys.argv[1])
done()
init, step = jax.jit(env.init), jax.jit(env.step)
key = jax.random.PRNGKey(1)
state = init(key)
step(state, state.legal_action_mask.argmax(), key)
done()
while not (state.terminated | state.truncated):
    key, drawn = jax.random.split(key)
    state = step(state, state.legal_action_mask.argmax(), drawn)
done()
print(json.dumps([b - a for a, b in zip(times, times[1:])]))
"""


def measure(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    table = Table("compiling", "From files to the first playout, in a new process", COLUMNS)
    for entry in entries:
        for who, command in _commands(entry).items():
            table.rows.append(_row(entry.name, who, command, pace.runs))
        if entry.name in rulewright.bundled():
            table.rows.append(_cached(entry, pace.runs))
        if entry.plain_c:
            table.rows.append(_gcc(entry, pace.runs))
    table.notes += [
        "medians of new processes, which find on disk what earlier ones left there",
        "read: YAML and rules to typed rules; compile: to a machine; lower: to code that runs",
        "simulate, cached: the whole process of the command, with Python's own start",
        "pgx's first playout takes the first choice of each mask, OpenSpiel's a random one",
    ]
    return [table]


def _commands(entry: Entry) -> dict[str, tuple[str, ...]]:
    """By contestant: the arguments of Python."""
    found: dict[str, tuple[str, ...]] = {}
    with suppress(Unavailable):
        game = ours.opened(entry)
        found["reference"] = ("-c", OURS, entry.name, "reference")
        ours.fast_play(game)
        found["wasm"] = ("-c", OURS, entry.name, "wasm")
    if entry.openspiel:
        found["openspiel"] = ("-c", OPENSPIEL, entry.openspiel)
    if entry.pgx:
        found["pgx"] = ("-c", PGX, entry.pgx)
    return found


def _row(game: str, who: str, command: tuple[str, ...], runs: int) -> tuple[Cell, ...]:
    timed = [_run(command) for _ in range(runs)]
    steps = [1e3 * median(times) for times in zip(*timed, strict=True)]
    shown = (step if step > NOTHING else None for step in steps)
    return (game, who, *shown, 1e3 * median(sum(times) for times in timed))


def _run(command: tuple[str, ...]) -> list[float]:
    run = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)
    return [float(step) for step in json.loads(run.stdout.splitlines()[-1])]


def _cached(entry: Entry, runs: int) -> tuple[Cell, ...]:
    """The whole process of `rulewright simulate -n 1`, which finds its module in a cache."""
    command = [sys.executable, "-m", "rulewright", "simulate", entry.name, "-n", "1"]
    times = []
    for _ in range(runs + 1):
        began = perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(perf_counter() - began)
    return (entry.name, "simulate, cached", *(None for _ in STEPS), 1e3 * median(times[1:]))


def _gcc(entry: Entry, runs: int) -> tuple[Cell, ...]:
    """What gcc takes for the same game in C."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            began = perf_counter()
            library = str(Path(folder) / "game.so")
            subprocess.run([*COMMAND, "-o", library, str(SOURCES / f"{entry.name}.c")], check=True)
            times.append(perf_counter() - began)
    taken = 1e3 * median(times)
    return (entry.name, "c", None, None, None, taken, None, taken)
