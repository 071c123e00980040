"""Positions of a game one after the other, from stop to stop, where chance is a stop, too. Nothing is told.

States are copied into a module before each call and out behind it, so that positions can be left and taken up
again in any order, as whoever walks a tree does. Actions are numbered as in a batch.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from array import array
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from dsl.domains import NONE
from interpreter import ir
from interpreter.executor_protocol import PASS, Option
from interpreter.game import Game
from interpreter.reference.codes import CHANCE
from interpreter.wasm.abi import FAULT, RECORD
from interpreter.wasm.batch_module import batch_module, view
from interpreter.wasm.build_config import EXPLORER
from interpreter.wasm.engine import RAW, Function, Instance, RawCall, compile_module
from interpreter.wasm.faults import fault
from interpreter.wasm.module import module
from interpreter.wasm.option_codec import OptionCodec

WORD: Final = 4
NOT_MADE: Final = -1
"""What no winners are: an account could not be made."""


class SeatAsked(NamedTuple):
    """A seat that decides, at a node, in a branch of those that choose together, or 0."""

    seat: int
    node: int
    branch: int


class Stop(NamedTuple):
    """Where a match has come to: its state, whether chance is due, and else who decides, none at the end."""

    state: array[int]
    chance: bool
    asked: tuple[SeatAsked, ...]


class MenuNumbers:
    """The bits of a decision's menu: the actions that they mean in a batch, and what carries each out."""

    def __init__(self, codec: OptionCodec, game: Game, node: int) -> None:
        numbering, layout = batch_module(game).numberings[node], codec.layout(node)
        self.bytes = 8 * layout.words
        self.passing = numbering.passing
        self.actions = np.zeros(8 * self.bytes, dtype=np.int64)
        """[bits]: the action of each bit."""
        self.ways: list[tuple[int, int]] = [(-1, 0)] * numbering.total
        """The part and the bit of each action; part -1 passes."""
        self.options: list[Option] = [PASS] * numbering.total
        for part, start, size in zip(layout.parts, numbering.starts, numbering.sizes, strict=True):
            first = 64 * part.first
            self.actions[first : first + size] = range(start, start + size)
            for bit in range(size):
                self.ways[start + bit] = part.index, bit
                self.options[start + bit] = part.index, NONE if bit == part.size else part.lo + bit


def _packer(function: Function) -> Callable[..., None]:
    """Writes the arguments of a raw call to where they stand."""
    gap = f"{WORD * (RAW - 1)}x"
    return struct.Struct("=" + gap.join("i" * function.length)).pack_into


class Stops:
    """Steps positions of a game, in any order and by any thread. `Fault`s are raised."""

    def __init__(self, game: Game) -> None:
        self.machine = mc = game.machine
        common = batch_module(game)
        data, self.map = module(mc, EXPLORER, common.reference.initial_state(), common.observed)
        self._instance = instance = Instance(compile_module(data))
        self._codec = OptionCodec(mc)
        self._game = game
        self._numbers: dict[int, MenuNumbers] = {}
        self._seen: dict[tuple[tuple[int, int, int], ...], tuple[SeatAsked, ...]] = {}
        self._calls = {
            name: (RawCall(function), _packer(function)) for name, function in instance.functions.items()
        }
        whole = (ctypes.c_uint8 * instance.size).from_address(instance.base)
        self._memory = memoryview(whole).cast("B")
        start = self.map["state"]
        self._state = slice(start, start + WORD * mc.size)
        menu = self.map["menu"]
        self._menu = self._memory[menu : menu + 8 * self.map["menu_words"]]
        assert common.observed is not None
        self.stored_to = common.observed.last
        """The word behind those of the stored values and places."""
        self._row = view(whole, self.map["row"], np.int32, (common.observed.size,))
        shape = mc.seats, len(mc.scores) + 1
        self._accounts = view(whole, self.map["accounts"], np.int32, shape)
        self._lock = threading.Lock()

    # ---- from stop to stop

    def first(self, state: array[int]) -> Stop:
        """The first stop behind the initial state."""
        return self._run(state, "advance", self.machine.start)

    def choose(self, state: array[int], asked: SeatAsked, action: int) -> Stop:
        """The stop behind an action that is offered."""
        part, bit = self.numbers(asked.node).ways[action]
        return self._run(state, "choose", asked.branch, part, bit)

    def resolve(self, state: array[int], outcome: int) -> Stop:
        """The stop behind an outcome of chance."""
        return self._run(state, "happen", outcome)

    def _run(self, state: array[int], name: str, *numbers: int) -> Stop:
        with self._lock:
            self._memory[self._state] = memoryview(state).cast("B")
            code = self._call(name, *numbers)
            if code == FAULT:
                raise self._fault()
            found = array("i")
            found.frombytes(self._memory[self._state])
            if code == CHANCE:
                return Stop(found, True, ())
            return Stop(found, False, self._asked(found))

    def _asked(self, state: array[int]) -> tuple[SeatAsked, ...]:
        """Who decides in the state that lies in the module."""
        if state[ir.STATUS]:
            return ()
        if not state[ir.FORKED]:
            return self._shared(((self._call("seat_at", 0, 0), state[ir.PC], 0),))
        waiting = self.machine.waiting_branches(state)
        return self._shared(
            tuple((self._call("seat_at", branch, 0), node, branch) for branch, node in waiting)
        )

    def _shared(self, asked: tuple[tuple[int, int, int], ...]) -> tuple[SeatAsked, ...]:
        """The same value for the same decisions: the fewer values there are, the less garbage is searched."""
        found = self._seen.get(asked)
        if found is None:
            found = self._seen[asked] = tuple(SeatAsked(*each) for each in asked)
        return found

    # ---- what is there

    def menu(self, state: array[int], asked: SeatAsked) -> bytes:
        """The bits of what a seat is offered."""
        with self._lock:
            self._memory[self._state] = memoryview(state).cast("B")
            if self._call("menu", asked.branch, self.map["menu"]) == FAULT:
                raise self._fault()
            return bytes(self._menu[: self.numbers(asked.node).bytes])

    def offered(self, asked: SeatAsked, menu: bytes) -> list[int]:
        """The actions that the bits of a menu mean, in order."""
        numbers = self.numbers(asked.node)
        bits = np.unpackbits(np.frombuffer(menu, np.uint8), bitorder="little")
        found: list[int] = numbers.actions[bits.view(np.bool_)].tolist()
        if numbers.passing is not None:
            found.append(numbers.passing)
        return found

    def numbers(self, node: int) -> MenuNumbers:
        """What the bits of a decision's menu mean."""
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = MenuNumbers(self._codec, self._game, node)
        return found

    def observation(self, state: array[int], seat: int) -> npt.NDArray[np.int32]:
        """[words]: what a seat sees of a position, as in a batch."""
        with self._lock:
            self._memory[self._state] = memoryview(state).cast("B")
            self._call("observe", seat, self.map["row"])
            return self._row.copy()

    def results(self, state: array[int]) -> tuple[int, npt.NDArray[np.int32]]:
        """Who has won a match that is over, as bits, and the totals [seats]; `NOT_MADE` if accounts fault."""
        with self._lock:
            self._memory[self._state] = memoryview(state).cast("B")
            seats = range(self.machine.seats)
            faults = any(self._call("account", seat) == FAULT for seat in seats)
            totals = self._accounts[:, -1].copy()
            return NOT_MADE if faults else max(NOT_MADE, self._call("winners")), totals

    def _call(self, name: str, *numbers: int) -> int:
        """What a function says of the state that lies in the module."""
        call, pack = self._calls[name]
        pack(call.words, 0, self._state.start, *numbers)
        error = call.call(*call.given)
        if error or call.function.trap.value:
            call.function.failed(error)
        found: int = call.words[0]
        return found

    def _fault(self) -> Exception:
        return fault(self.machine, *array("i", self._instance.read(self.map["record"], RECORD)))
