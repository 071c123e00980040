"""Step executors: the moves at a state, and the state after each. Nothing is random."""

from __future__ import annotations

import ctypes
from array import array
from typing import NamedTuple, Protocol

from interpreter import ir
from interpreter.chance import merged
from interpreter.executor_protocol import PASS, Option, Waiting, listed
from interpreter.game import ExecutorKind
from interpreter.messages import BrokenInvariant, Fault
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.reference.faults import RUNTIME_ERRORS, as_fault
from interpreter.standings import winners
from interpreter.wasm.abi import FAULT, RECORD
from interpreter.wasm.build_config import EXPLORER
from interpreter.wasm.engine import RAW, Instance, RawCall, compile_module
from interpreter.wasm.faults import fault
from interpreter.wasm.module import module
from interpreter.wasm.option_codec import OptionCodec
from validators.explore.traced import Mark, traced

WORLD = -1
"""The branch number of outcomes of chance."""
WORDS = 4


class Move(NamedTuple):
    """An option of a decision, or an outcome of chance (`branch` is `WORLD`)."""

    node: int
    branch: int
    part: int
    value: int

    @property
    def option(self) -> Option:
        return self.part, self.value


class StepExecutor(Protocol):
    """Runs a machine from stop to stop, with states as bytes. `trails` collects the marks that were reached.

    Its methods raise `Fault`.
    """

    machine: ir.Machine
    marks: tuple[Mark, ...]
    trails: set[bytes]

    def first(self) -> bytes:
        """The state at the first stop."""
        ...

    def moves(self, state: bytes) -> tuple[Move, ...]:
        """All moves at a stop, in the order of the options; none if the game is over."""
        ...

    def after(self, state: bytes, move: Move) -> bytes:
        """The state at the next stop after a move."""
        ...

    def check(self, state: bytes) -> None:
        """Tests every promise, and that no piece is lost."""
        ...

    def winners(self, state: bytes) -> int:
        """Who has won, as bits, if the game is over."""
        ...

    def goals(self, state: bytes) -> tuple[bool, ...]:
        """Which of the conditions of `eventually` hold."""
        ...


class Goals:
    """The conditions of `eventually`, evaluated by the reference executor."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.tests = [(g, reference.linker.number(g.condition)) for g in reference.machine.goals]

    def hold(self, s: array[int]) -> tuple[bool, ...]:
        """Raises `Fault` if one of them cannot be evaluated."""
        found = []
        for goal, test in self.tests:
            try:
                found.append(bool(test(s, self.reference.registers)))
            except RUNTIME_ERRORS as error:
                raise as_fault(error, goal.span) from None
        return tuple(found)


class ReferenceStepper:
    """Steps with the reference executor."""

    def __init__(self, mc: ir.Machine) -> None:
        made = traced(mc)
        self.plain, self.machine = mc, made.machine
        self.marks = made.marks
        self.reference = Reference(made.machine)
        self._goals = Goals(self.reference)
        self.trails: set[bytes] = set()
        self._none = bytes(WORDS * len(made.marks))
        self._waiting: dict[tuple[int, int], Waiting] = {}

    def first(self) -> bytes:
        s = self.reference.initial_state()
        self.reference.advance(s, self.machine.start)
        return self._out(s)

    def moves(self, state: bytes) -> tuple[Move, ...]:
        s = self._in(state)
        if s[ir.STATUS]:
            return ()
        if not s[ir.FORKED] or s[ir.RUNNING]:
            node = s[ir.PC]
            if isinstance(self.machine.nodes[node], ir.Chance):
                return tuple(Move(node, WORLD, 0, o) for o, _ in merged(self.reference.outcomes(s)))
        found = self.reference.waiting(s)
        self._waiting = {(w.node, w.branch): w for w in found}
        return tuple(Move(w.node, w.branch, *option) for w in found for option in w.options)

    def after(self, state: bytes, move: Move) -> bytes:
        s = self._in(state)
        if move.branch == WORLD:
            self.reference.resolve_chance(s, move.value)
        else:
            waiting = self._waiting.get((move.node, move.branch)) or self._at(s, move)
            self.reference.choose(s, waiting, move.option)
        return self._out(s)

    def _at(self, s: array[int], move: Move) -> Waiting:
        return next(w for w in self.reference.waiting(s) if (w.node, w.branch) == (move.node, move.branch))

    def check(self, state: bytes) -> None:
        self.reference.check(self._in(state))

    def winners(self, state: bytes) -> int:
        return won(self.reference, self._in(state))

    def goals(self, state: bytes) -> tuple[bool, ...]:
        return self._goals.hold(self._in(state))

    def _in(self, state: bytes) -> array[int]:
        return array("i", state + self._none)

    def _out(self, s: array[int]) -> bytes:
        data = s.tobytes()
        cut = WORDS * self.plain.size
        if data[cut:] != self._none:
            self.trails.add(data[cut:])
        return data[:cut]


def won(reference: Reference, s: array[int]) -> int:
    """The winners of a finished match, as bits: by `wins`, or else by the score sheets."""
    mc = reference.machine
    if mc.is_decided(s) or mc.best == "none":
        return s[ir.WINNERS]
    accounts = []
    for seat in range(mc.seats):
        lines = reference.score(s, seat)
        total = sum(v for c, v in lines if c.kind == "score")
        ties = [-v if c.best == "lowest" else v for c, v in lines if c.kind == "tiebreak"]
        accounts.append((total, ties))
    return sum(1 << seat for seat in winners(mc.best, accounts))


class WasmStepper:
    """Steps with a WebAssembly module. States are copied to its memory before each call, and back after."""

    def __init__(self, mc: ir.Machine) -> None:
        made = traced(mc)
        self.plain, self.machine = mc, made.machine
        self.marks = made.marks
        self.reference = Reference(made.machine)
        self._goals = Goals(self.reference)
        data, self.map = module(made.machine, EXPLORER, self.reference.initial_state())
        self.instance = Instance(compile_module(data))
        self.shapes = OptionCodec(made.machine)
        self.trails: set[bytes] = set()
        self._calls = {name: RawCall(f) for name, f in self.instance.functions.items()}
        whole = (ctypes.c_char * self.instance.size).from_address(self.instance.base)
        self._memory = memoryview(whole).cast("B")
        self._none = bytes(WORDS * len(made.marks))
        start = self.map["state"]
        self._ends = start, start + WORDS * mc.size, start + WORDS * made.machine.size
        self._menus: dict[tuple[int, int, bytes], tuple[Move, ...]] = {}
        self._bits: dict[Move, tuple[int, int]] = {}
        self._written = b""

    # ---- the protocol

    def first(self) -> bytes:
        s = self.reference.initial_state()
        start, _, last = self._ends
        self._memory[start:last] = s.tobytes()
        return self._out(self._call("advance", start, self.machine.start))

    def moves(self, state: bytes) -> tuple[Move, ...]:
        s = memoryview(state).cast("i")
        if s[ir.STATUS]:
            return ()
        number = s[ir.PC]
        node = self.machine.nodes[number]
        if isinstance(node, ir.Chance) and (not s[ir.FORKED] or s[ir.RUNNING]):
            return self._outcomes(number, node, state)
        if not s[ir.FORKED]:
            return self._menu(state, number, 0)
        found: list[Move] = []
        for seat, number in self.machine.waiting_branches(s):
            found += self._menu(state, number, seat)
        return tuple(found)

    def after(self, state: bytes, move: Move) -> bytes:
        self._in(state)
        start = self._ends[0]
        if move.branch == WORLD:
            return self._out(self._call("happen", start, move.value))
        part, bit = self._bits.get(move) or self._bit(move)
        return self._out(self._call("choose", start, move.branch, part, bit))

    def check(self, state: bytes) -> None:
        self._in(state)
        found = self._call("broken", self._ends[0])
        if found == 0:
            return
        if found > len(self.plain.invariants) or found < 0:
            self.reference.check(array("i", state + self._none))
            return
        promise = self.machine.invariants[found - 1]
        raise Fault(BrokenInvariant(promise.span, " ".join(promise.span.text.split())))

    def winners(self, state: bytes) -> int:
        self._in(state)
        found = self._call("winners", self._ends[0])
        return found if found >= 0 else won(self.reference, array("i", state + self._none))

    def goals(self, state: bytes) -> tuple[bool, ...]:
        return self._goals.hold(array("i", state + self._none))

    # ---- in and out

    def _call(self, name: str, *numbers: int) -> int:
        """Calls a function of the module with a state that lies in its memory."""
        call = self._calls[name]
        words = call.words
        at = 0
        for number in numbers:
            words[at] = number
            at += RAW
        error = call.call(*call.given)
        if error or call.function.trap.value:
            call.function.failed(error)
        found: int = words[0]
        return found

    def _in(self, state: bytes) -> None:
        start, _, last = self._ends
        self._memory[start:last] = state + self._none

    def _out(self, code: int) -> bytes:
        if code == FAULT:
            raise fault(self.machine, *array("i", self.instance.read(self.map["record"], RECORD)))
        start, cut, last = self._ends
        trail = bytes(self._memory[cut:last])
        if trail != self._none:
            self.trails.add(trail)
        return bytes(self._memory[start:cut])

    # ---- what may happen

    def _menu(self, state: bytes, number: int, branch: int) -> tuple[Move, ...]:
        self._in(state)
        menu = self.map["menu"]
        if self._call("menu", self._ends[0], branch, menu) == FAULT:
            raise fault(self.machine, *array("i", self.instance.read(self.map["record"], RECORD)))
        data = bytes(self._memory[menu : menu + 8 * self.map["menu_words"]])
        found = self._menus.get((number, branch, data))
        if found is None:
            options = self.shapes.options(number, data)
            node = self.machine.decision(number)
            ranges = self.shapes.ranges(number, data)
            if ranges:
                options = listed(options, ranges, node.passing)
            elif node.passing is not None:
                options = (*options, PASS)
            found = tuple(Move(number, branch, *option) for option in options)
            if len(self._menus) < 100_000:
                self._menus[number, branch, data] = found
        return found

    def _bit(self, move: Move) -> tuple[int, int]:
        found = (-1, 0) if move.option == PASS else self.shapes.bit(move.node, move.option)
        self._bits[move] = found
        return found

    def _outcomes(self, number: int, node: ir.Chance, state: bytes) -> tuple[Move, ...]:
        if node.faces is not None:
            return tuple(Move(number, WORLD, 0, face) for face in range(node.faces))
        s = array("i", state + self._none)
        return tuple(Move(number, WORLD, 0, o) for o, _ in merged(self.reference.outcomes(s)))


def step_executor(machine: ir.Machine, executor: ExecutorKind) -> StepExecutor:
    """The step executor of a kind for a machine."""
    return WasmStepper(machine) if executor == "wasm" else ReferenceStepper(machine)
