"""Playouts from Python: matches with random choices, many in one call."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock

import wasmtime

from dsl.diagnostics import InternalError
from interpreter import ir
from interpreter.chance import seed_words
from interpreter.ir.number_parts import in_parts
from interpreter.messages import Fault
from interpreter.wasm.abi import RECORD, ROWS, row_words
from interpreter.wasm.build_config import FAST, BuildConfig
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.faults import fault

LAST_SEED = (1 << 64) - 1
"""Seeds up to here count up inside the module; others are hashed one by one."""
LONG = 1_000_000
"""The decisions that one call should not exceed, so that somebody can still interrupt."""
WORD = 1 << 32


@dataclass(frozen=True)
class Code:
    """A compiled module with what must be known to run it. Its instances share it, one to a thread."""

    module: wasmtime.Module
    layout: Mapping[str, int]
    seats: int
    longest: int


def lowered(machine: ir.Machine, config: BuildConfig = FAST) -> Code:
    """The module of a machine, compiled. What that needs is imported here: code from a cache does without."""
    from interpreter.reference.executor import ReferenceExecutor as Reference
    from interpreter.wasm.module import module

    machine = in_parts(machine)
    data, layout = module(machine, config, Reference(machine).initial_state())
    return Code(compile_module(data), layout, machine.seats, machine.longest)


@dataclass(frozen=True, slots=True)
class Tally:
    """What playouts came to. `won` says how often each set of seats has won, as bits.

    `wins` are shares by seat: a win that k seats share counts 1/k for each.
    """

    playouts: int
    decisions: int
    wins: tuple[float, ...]
    won: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Rows:
    """Playouts one by one, and what was offered in all of them.

    `words` holds a row for each: decisions, outcomes of chance, the winners as bits, the total of each seat.
    `record` is what the module says of the fault to which the next playout came, if it did.
    """

    words: array[int]
    played: int
    offered: int = 0
    widest: int = 0
    record: tuple[int, ...] | None = None


class Program:
    """A machine, or code that was lowered before, with a memory of its own. For one thread at a time.

    `explain` gives the machine of such code; it is asked only about a fault.
    """

    def __init__(
        self,
        made: ir.Machine | Code,
        config: BuildConfig = FAST,
        explain: Callable[[], ir.Machine] | None = None,
    ) -> None:
        self.explain = (lambda: made) if isinstance(made, ir.Machine) else explain
        self.code = made if isinstance(made, Code) else lowered(made, config)
        self.instance = Instance(self.code.module)
        self.row = row_words(self.code.seats)
        self._most = max(1, min(1 << 16, (WORD - 1) // (self.code.longest + 1)))

    def playouts(self, number: int, seed: int = 0) -> Tally:
        """So many playouts with the seeds `seed`, `seed + 1`, ... Raises `Fault` if one comes to one."""
        if number < 0:
            raise ValueError(f"{number} playouts cannot be played")
        decisions, won = 0, Counter[int]()
        with self.instance as instance:
            played, most = 0, 1
            while played < number:
                first, count = next(_stretches(seed + played, number - played, most))
                before = self._counted(instance)
                ended = self._call(instance, first, count, 0)
                after = self._counted(instance)
                if ended < count:
                    raise self._fault(instance)
                made = (after[0] - before[0]) % WORD
                decisions += made
                played += count
                won.update(
                    {i: (y - x) % WORD for i, (x, y) in enumerate(zip(before[1], after[1], strict=True))}
                )
                most = max(1, min(self._most, 4 * count, LONG * count // max(1, made)))
        return Tally(number, decisions, shares(won, self.code.seats), {k: n for k, n in won.items() if n})

    def rows(self, number: int, seed: int = 0) -> Rows:
        """The same playouts one by one, up to the first fault. At most `ROWS` of them."""
        if not 0 <= number <= ROWS:
            raise ValueError(number)
        with self.instance as instance:
            found = self._rows(instance, number, seed)
            if found.record is None:
                return found
            whole = self._rows(instance, found.played, seed)
        return Rows(whole.words, whole.played, whole.offered, whole.widest, found.record)

    # ---- calls

    def _rows(self, instance: Instance, number: int, seed: int) -> Rows:
        """What was offered counts the playout that faults too."""
        at = self.code.layout["end"]
        instance.grow(at + 4 * self.row * ROWS)
        for name in ("offered", "widest"):
            instance.set_global(name, 0)
        words, played = array("i"), 0
        record: tuple[int, ...] | None = None
        for first, count in _stretches(seed, number, ROWS):
            done = self._call(instance, first, count, at)
            words.frombytes(instance.read(at, self.row * done))
            played += done
            if done < count:
                instance.check_stopped()
                record = self._record(instance)
                break
        offered, widest = (instance.global_value(name) for name in ("offered", "widest"))
        return Rows(words, played, offered, widest, record)

    def _call(self, instance: Instance, seed: int, number: int, rows: int) -> int:
        low, high = seed_words(seed)
        instance.write(self.code.layout["record"], bytes(4 * RECORD))
        return instance.functions["playouts"](self.code.layout["state"], low, high, number, rows)

    def _counted(self, instance: Instance) -> tuple[int, array[int]]:
        """Decisions so far, and how often each set of seats has won; both go round at 2^32."""
        wins = array("I", instance.read(self.code.layout["wins"], 1 << self.code.seats))
        return instance.global_value("decisions"), wins

    def _record(self, instance: Instance) -> tuple[int, ...]:
        return tuple(array("i", instance.read(self.code.layout["record"], RECORD)))

    def _fault(self, instance: Instance) -> Exception:
        record = self._record(instance)
        self.instance.check_stopped()
        if self.explain is None:
            return InternalError(f"a playout ended in a fault, and its rules are not here: {record}")
        machine = in_parts(self.explain())
        if record[0]:
            return fault(machine, *record)
        state = array("i", instance.read(self.code.layout["state"], machine.size))
        return _account_fault(machine, state, record)


def _account_fault(machine: ir.Machine, state: array[int], record: tuple[int, ...]) -> Exception:
    """The fault to which the account at the end of a match comes; records tell of nodes only."""
    from interpreter.reference.executor import ReferenceExecutor as Reference

    reference = Reference(machine)
    try:
        for seat in range(machine.seats):
            reference.score(state, seat)
    except Fault as found:
        return found
    return InternalError(f"a playout stopped without a fault: {record}")


def _stretches(seed: int, number: int, most: int) -> Iterator[tuple[int, int]]:
    """Seeds in stretches that one call can take: its first seed and how many."""
    end = seed + number
    while seed < end:
        inside = 0 <= seed <= LAST_SEED
        count = min(most, end - seed, LAST_SEED + 1 - seed) if inside else 1
        yield seed, count
        seed += count


def shares(won: Mapping[int, int], seats: int) -> tuple[float, ...]:
    """How many wins each seat has, if sets of winners have won so often."""
    found = [0.0] * seats
    for mask, times in sorted(won.items()):
        for seat in range(seats):
            if mask >> seat & 1:
                found[seat] += times / mask.bit_count()
    return tuple(found)


# ---- several threads


@dataclass
class SharedRun:
    """Playouts that several threads share. The result does not depend on how they are shared out."""

    code: Code
    number: int
    seed: int
    done: Callable[[int], None] = lambda _: None
    found: dict[int, Rows] = field(default_factory=dict)
    given: int = 0
    stopped: bool = False
    lock: Lock = field(default_factory=Lock)

    def rows(self, jobs: int = 1) -> Iterator[Rows]:
        """Every playout in the order of its seed, up to the first fault."""
        self.play(jobs)
        yield from self.finished()

    def play(self, jobs: int = 1) -> None:
        """Plays all of them; what was finished stays if it is interrupted."""
        if jobs == 1:
            self._work(jobs)
        else:
            self._work_together(jobs)

    def finished(self) -> Iterator[Rows]:
        """The playouts that have ended in the order of their seeds, up to the first gap or fault."""
        following = 0
        for first in sorted(self.found):
            rows = self.found[first]
            if first != following:
                return
            yield rows
            if rows.record is not None:
                return
            following += rows.played

    def _work_together(self, jobs: int) -> None:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(jobs) as pool:
            waiting = [pool.submit(self._work, jobs) for _ in range(jobs)]
            try:
                for one in waiting:
                    one.result()
            finally:
                self.stopped = True

    def _work(self, jobs: int) -> None:
        """Takes stretches of playouts until none is left."""
        program, most = Program(self.code), 1
        while (stretch := self._take(most, jobs)) is not None:
            first, count = stretch
            found = program.rows(count, self.seed + first)
            with self.lock:
                self.found[first] = found
                self.stopped = self.stopped or found.record is not None
                self.done(found.played)
            decisions = sum(found.words[:: program.row])
            most = max(1, min(ROWS, 4 * count, LONG * count // max(1, decisions)))

    def _take(self, most: int, jobs: int) -> tuple[int, int] | None:
        """The number of the first playout of the next stretch and how many it has; fewer towards the end."""
        with self.lock:
            left = self.number - self.given
            if self.stopped or not left:
                return None
            first, count = self.given, max(1, min(most, left // jobs))
            self.given += count
            return first, count


class CoveredProgram:
    """A machine with cover that plays by itself, one playout after the other."""

    def __init__(self, machine: ir.Machine) -> None:
        self.program = Program(machine, FAST)
        self.size = len(machine.cover)

    def playout(self, seed: int) -> tuple[Rows, bytes]:
        """The playout of a seed, with its account, and the outcomes of every point.

        The choices are those of `Program`. Promises are looked at when it has ended.
        """
        layout, instance = self.program.code.layout, self.program.instance
        instance.write(layout["cover"], bytes(self.size))
        rows = self.program.rows(1, seed)
        if rows.record is None:
            instance.functions["broken"](layout["state"])
        return rows, instance.read_bytes(layout["cover"], self.size)
