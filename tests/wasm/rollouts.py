"""Playouts by the reference executor, and by a module that plays on by itself: row by row the same."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import wasmtime

from dsl.diagnostics import Diagnostic
from dsl.domains import NONE
from dsl.rules import Rules
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.game import Game
from interpreter.ir.number_parts import in_parts
from interpreter.match import Match
from interpreter.messages import Fault, NothingToChoose, RunsForEver
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.wasm.abi import OUTCOME_AT, RECORD, ROWS, row_words
from interpreter.wasm.build_config import FAST, FLAT, PLAYOUT, BuildConfig
from interpreter.wasm.emit.bit_boards import Board, boards
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.faults import fault
from interpreter.wasm.module import module

FIRST = (1 << 32) - 2
"""Seeds from here on reach beyond 32 bits."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a playout came to. `diagnostic` is the fault that ended it, if one did."""

    decisions: int
    outcomes: int
    winners: int
    totals: tuple[int, ...]
    state: array[int]
    diagnostic: Any
    offered: int
    widest: int
    ending: int = 0

    @property
    def result(self) -> int:
        """The winners as bits, and above them the number of the name of the end."""
        return self.winners | self.ending << OUTCOME_AT


def reference_row(rules: Rules, machine: ir.Machine, seed: int, most: int = 1 << 30) -> Row | None:
    """A playout by the reference executor; none if it takes more than `most` choices."""
    match = Match(Game(rules, machine).in_parts, seed=seed, keep_history=False)
    offered = widest = 0
    diagnostic: Any = None
    try:
        match.start()
        below = Choosing(seed).below
        while not match.over:
            waiting = match.waiting()
            one = waiting[below(len(waiting))]
            match.take(one, one.options[below(len(one.options))])
            offered += len(one.options)
            widest = max(widest, len(one.options))
            if match.state[ir.DECISIONS] > most:
                return None
    except Fault as error:
        diagnostic = recorded(error.diagnostic)
    outcomes = sum(step.stream is not None for step in match.steps)
    winners = totals = None
    if diagnostic is None:
        names = [match.game.names.seat(i) for i in range(machine.seats)]
        winners = sum(1 << names.index(name) for name in match.winners())
        totals = tuple(a.total for a in match.accounts())
    return Row(
        match.state[ir.DECISIONS],
        outcomes,
        winners or 0,
        totals or (),
        match.state,
        diagnostic,
        offered,
        widest,
        match.state[machine.ended] >> 1 if machine.ended else 0,
    )


def reference_rows(rules: Rules, machine: ir.Machine, seeds: Iterable[int]) -> list[Row]:
    """Playouts by the reference executor, each of which ends without a fault."""
    rows = [reference_row(rules, machine, seed) for seed in seeds]
    assert all(row is not None and row.diagnostic is None for row in rows)
    return [row for row in rows if row is not None]


Code = tuple[wasmtime.Module, dict[str, int]]
"""A compiled module, and where in its memory things lie."""


def lower(machine: ir.Machine, config: BuildConfig) -> Code:
    data, places = module(machine, config, Reference(machine).initial_state())
    return compile_module(data), places


class Rollouts:
    """A machine as a module that plays on by itself."""

    def __init__(self, machine: ir.Machine, config: BuildConfig, code: Code | None = None) -> None:
        machine = in_parts(machine)
        self.machine, self.config = machine, config
        compiled, self.map = code or lower(machine, config)
        self.instance = Instance(compiled)
        size = 4 * row_words(machine.seats)
        self.rows_at = self.instance.size
        self.instance.grow(self.rows_at + ROWS * size)

    def run(self, seed: int, number: int, rows: int = 0) -> int:
        return self.instance.functions["playouts"](
            self.map["state"], _signed(seed), _signed(seed >> 32), number, rows
        )

    def state(self) -> array[int]:
        """The words of the state; those that the module leaves out are made of the sets that it has."""
        found = array("i", self.instance.read(self.map["state"], self.machine.size))
        for name, board in boards(self.machine).items():
            if (first := self.map.get(f"sets of {name}")) is not None:
                sets = self.instance.read_bytes(self.map["state"] + first, board.bytes)
                base = board.words.base
                found[base : base + board.words.size] = array("i", words_of(board, sets))
        return found

    def diagnostic(self) -> Any:
        found = fault(self.machine, *array("i", self.instance.read(self.map["record"], RECORD))).diagnostic
        return recorded(found)

    def rows(self, seed: int, number: int) -> list[tuple[int, ...]]:
        """So many rows: decisions, outcomes, winners, totals."""
        width = row_words(self.machine.seats)
        assert self.run(seed, number, self.rows_at) == number
        words = array("i", self.instance.read(self.rows_at, number * width))
        return [tuple(words[i : i + width]) for i in range(0, len(words), width)]

    def counted(self, name: str) -> int:
        return self.instance.global_value(name)

    def wins(self) -> list[int]:
        return list(array("i", self.instance.read(self.map["wins"], 1 << self.machine.seats)))


def words_of(board: Board, sets: bytes) -> list[int]:
    """The value at each place of a bit board."""
    size = 8 * board.wide
    numbers = [int.from_bytes(sets[i : i + size], "little") for i in range(0, len(sets), size)]
    found = []
    for i in range(board.rows * board.size):
        row, at = divmod(i, board.size)
        of_row = numbers[row * board.values : (row + 1) * board.values]
        [*held] = [k for k, bits in enumerate(of_row) if bits >> at & 1]
        if board.words.kind == "mark":
            found.append(len(held))
        else:
            [k] = held
            found.append(board.low + k - 1 if k else NONE)
    return found


def _signed(word: int) -> int:
    word &= 0xFFFFFFFF
    return word - (1 << 32) if word >= 1 << 31 else word


def left(machine: ir.Machine, state: array[int]) -> list[int]:
    """What is left when a match is over: all words but those that modules may keep in locals, of frames and
    of which triggers run.
    """
    frames = {ir.FP, *(trigger.busy for trigger in machine.triggers)}
    return [0 if i in frames else x for i, x in enumerate(state[: machine.stack])]


def recorded(diagnostic: Diagnostic) -> Any:
    """A fault as far as the record of a module tells it: not where it ran for ever, nor who cannot choose."""
    if isinstance(diagnostic, RunsForEver):
        return RunsForEver
    return replace(diagnostic, who="") if isinstance(diagnostic, NothingToChoose) else diagnostic


def same(rollouts: Rollouts, first: int, rows: list[Row]) -> None:
    """A module's playouts are these. Raises `AssertionError`."""
    for i, row in enumerate(rows):
        same_playout(rollouts, first + i, row)
    if any(row.diagnostic is not None for row in rows):
        return
    before = {name: rollouts.counted(name) for name in ("decisions", "outcomes", "offered")}
    widest = rollouts.counted("widest")
    won = rollouts.wins()
    found = rollouts.rows(first, len(rows))
    assert found == [(r.decisions, r.outcomes, r.result, *r.totals) for r in rows]
    assert left(rollouts.machine, rollouts.state()) == left(rollouts.machine, rows[-1].state)
    for row in rows:
        won[row.winners] += 1
    assert rollouts.wins() == won
    made = {name: rollouts.counted(name) - n for name, n in before.items()}
    assert made["decisions"] == sum(r.decisions for r in rows)
    assert made["outcomes"] == sum(r.outcomes for r in rows)
    if rollouts.config.counts:
        assert made["offered"] == sum(r.offered for r in rows)
        assert rollouts.counted("widest") == max(widest, *(r.widest for r in rows))


def same_playout(rollouts: Rollouts, seed: int, row: Row) -> None:
    ended = rollouts.run(seed, 1)
    if row.diagnostic is not None:
        assert ended == 0
        assert rollouts.diagnostic() == row.diagnostic
        return
    assert ended == 1, rollouts.diagnostic()
    one, two = (left(rollouts.machine, state) for state in (row.state, rollouts.state()))
    if one != two:
        words = [(i, a, b) for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
        raise AssertionError(f"seed {seed}: words of the state, as (word, reference, wasm): {words[:20]}")


def plays_the_same(rules: Rules, machine: ir.Machine) -> None:
    """Playouts by three seeds are those of the reference executor; a flat module can be made, too."""
    played = [Rollouts(machine, config) for config in (PLAYOUT, FAST)]
    for seed in range(3):
        row = reference_row(rules, machine, seed, 200)
        assert row is not None
        for rollouts in played:
            same(rollouts, seed, [row])
    Rollouts(machine, FLAT)
