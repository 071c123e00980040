"""The body of one function under construction: locals, structured control, instructions."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate, compress
from typing import NamedTuple

from interpreter.wasm.emit.encoding import EMPTY, END, F64, I32, I64, OPCODES, V128, memory_access, unsigned
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const


class Label:
    """Where a branch can lead: the end of a block, or the beginning of a loop."""

    __slots__ = ("depth",)

    def __init__(self, depth: int) -> None:
        self.depth = depth


class WordUse(NamedTuple):
    """Instructions about the words of a pointer or mark, of which sets are kept beside them.

    `there`: they stand in the function if the words are kept, or if they are not; none: they read them.
    """

    start: int
    end: int
    name: str
    there: bool | None


class Temporaries:
    """Locals for one `with` block; a generator would take three times as long."""

    __slots__ = ("body", "found")

    def __init__(self, body: Body, found: list[Variable]) -> None:
        self.body, self.found = body, found

    def __enter__(self) -> list[Variable]:
        return self.found

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            free = self.body.free
            for variable in self.found:
                free[variable.kind].append(variable)


class Block:
    """A block of instructions that has been opened; it ends with its `with` block."""

    __slots__ = ("body",)

    def __init__(self, body: Body) -> None:
        self.body = body

    def __enter__(self) -> None:
        return None

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            self.body.code.append(END)
            self.body.depth -= 1


class OpenLoop:
    """A loop that has been opened: its `with` block is given the label that leads out of it."""

    __slots__ = ("again", "body", "out")

    def __init__(self, body: Body, out: Label, again: Label) -> None:
        self.body, self.out, self.again = body, out, again

    def __enter__(self) -> Label:
        return self.out

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            self.body.br(self.again)
            self.body.end()
            self.body.end()


class Body:
    """Instructions in order. Every method appends; labels know their depth.

    Statements take operands. Where one is `STACK`, the number is on the stack already.
    """

    def __init__(self, parameters: tuple[int, ...], results: tuple[int, ...]) -> None:
        self.parameters = parameters
        self.results = results
        self.types: list[int] = []
        self.free: dict[int, list[Variable]] = {I32: [], I64: [], F64: [], V128: []}
        self.code = bytearray()
        self.uses: list[WordUse] = []
        self.writing: str | None = None
        """The pointer or mark whose words are written here, and may be left out."""
        self.depth = 0
        self.known_state: int | None = None

    # ---- what is written so far

    def written(self) -> tuple[int, ...]:
        """How far the instructions have come, to go back to."""
        return (len(self.code), len(self.uses))

    def unwrite(self, written: tuple[int, ...]) -> None:
        """Removes the instructions since then."""
        del self.code[written[0] :]
        del self.uses[written[1] :]

    # ---- words that are left out where nothing reads them

    def read_words(self, name: str) -> None:
        """What follows reads words of a pointer or mark one by one."""
        self.uses.append(WordUse(len(self.code), len(self.code), name, None))

    @contextmanager
    def where_words(self, name: str, there: bool = True) -> Iterator[None]:
        """What is written within stands in the function only if the words of a name are there, or are not."""
        start, before = len(self.code), self.writing
        self.writing = name
        yield
        self.writing = before
        self.uses.append(WordUse(start, len(self.code), name, there))

    def reads(self, left_out: Container[str]) -> set[str]:
        """The names whose words are read, if those of some are left out."""
        gone = self._gone(left_out)
        reads = (use for use in self.uses if use.there is None)
        return {x.name for x in reads if not any(start <= x.start < end for start, end in gone)}

    def _gone(self, left_out: Container[str]) -> list[tuple[int, int]]:
        uses = (use for use in self.uses if use.there is not None)
        return [(use.start, use.end) for use in uses if use.there == (use.name in left_out)]

    def leave_out(self, names: Container[str]) -> Callable[[int], int]:
        """Removes what stands there for the words of some names; gives where what stood at an offset is."""
        gone = self._gone(names)
        kept = bytearray(b"\1" * len(self.code))
        for start, end in gone:
            kept[start:end] = bytes(end - start)
        at = list(accumulate(kept, initial=0))
        self.code = bytearray(compress(self.code, kept))
        self.uses.clear()
        return at.__getitem__

    # ---- locals

    def local(self, kind: int = I32) -> Variable:
        """Allocates a local, reusing a released one."""
        return self.free[kind].pop() if self.free[kind] else self.fresh(kind)

    def fresh(self, kind: int = I32) -> Variable:
        """Allocates a local that nothing else uses: it is 0 until it is set."""
        self.types.append(kind)
        return Variable(len(self.parameters) + len(self.types) - 1, kind)

    def release(self, *variables: Variable) -> None:
        for variable in variables:
            self.free[variable.kind].append(variable)

    def arguments(self) -> list[Variable]:
        return [Variable(i, kind) for i, kind in enumerate(self.parameters)]

    @cached_property
    def state(self) -> Operand:
        """The address of a state: the first parameter, unless it is known (`state_is_at`)."""
        return Variable(0, self.parameters[0])

    def state_is_at(self, address: int) -> None:
        """The function is about the state at one address only: it needs no parameter for it."""
        self.state, self.known_state = const(address), address

    def variables(self, *kinds: int) -> list[Variable]:
        return [self.local(kind) for kind in kinds]

    def temporaries(self, *kinds: int) -> Temporaries:
        """Locals that are released after the block."""
        free = self.free
        return Temporaries(self, [free[kind].pop() if free[kind] else self.fresh(kind) for kind in kinds])

    # ---- statements over operands

    def push(self, *operands: Operand | int) -> None:
        """Leaves numbers on the stack; of a call without result, only the call is made."""
        for x in operands:
            self.code += (const(x) if isinstance(x, int) else x).code

    def assign(self, variable: Variable, value: Operand | int) -> None:
        self.code += (const(value, variable.kind) if isinstance(value, int) else value).code + variable.setter

    def write(self, address: Operand, value: Operand | int, offset: int = 0, as_: str = "i32.store") -> None:
        """Stores a number at an address plus `offset` bytes."""
        number = const(value, I64 if as_ == "i64.store" else I32) if isinstance(value, int) else value
        self.code += address.code + number.code + memory_access(as_, offset)

    def write_vector(self, address: Operand, value: Operand, offset: int = 0) -> None:
        self.push(address, value)
        self.code += b"\xfd\x0b\x02" + unsigned(offset)

    def copy(self, to: Operand, source: Operand | int, size: Operand | int) -> None:
        """Copies `size` bytes."""
        self.push(to, source, size)
        self.code += b"\xfc\x0a\x00\x00"

    def fill(self, address: Operand, byte: Operand | int, size: Operand | int) -> None:
        """Sets `size` bytes."""
        self.push(address, byte, size)
        self.code += b"\xfc\x0b\x00"

    def if_(self, condition: Operand, kind: int = EMPTY) -> Block:
        """`otherwise` begins the other branch; `kind` is the type of what both leave on the stack."""
        code = self.code
        code += condition.code
        code.append(0x04)
        code.append(kind)
        self.depth += 1
        return Block(self)

    def until(self, condition: Operand) -> OpenLoop:
        """A loop that is left, before it begins and each time around, if a condition holds."""
        found = self.forever()
        self.br_if(found.out, condition)
        return found

    @contextmanager
    def repeat_while(self, condition: Operand) -> Iterator[None]:
        """A loop that runs at least once."""
        again = self.loop()
        yield
        self.br_if(again, condition)
        self.end()

    def drop(self, value: Operand = STACK) -> None:
        """Evaluates an operand for what it does, not for its number."""
        self.code += value.code + OPCODES["drop"]

    def unreachable(self) -> None:
        self.code += OPCODES["unreachable"]

    # ---- control

    def _open(self, byte: int, kind: int) -> Label:
        self.code.append(byte)
        self.code.append(kind)
        self.depth += 1
        return Label(self.depth)

    def block(self, kind: int = EMPTY) -> Label:
        return self._open(0x02, kind)

    def loop(self, kind: int = EMPTY) -> Label:
        return self._open(0x03, kind)

    def otherwise(self) -> None:
        self.code += OPCODES["else"]

    def end(self) -> None:
        self.code.append(END)
        self.depth -= 1

    def ret(self, *value: Operand | int) -> None:
        """Returns from the function."""
        self.push(*value)
        self.code += OPCODES["return"]

    def ret_if(self, value: Operand | int, condition: Operand = STACK) -> None:
        """Returns if the condition is not 0."""
        with self.if_(condition):
            self.ret(value)

    def forever(self) -> OpenLoop:
        """A loop around the block, which is left by a branch to the label."""
        return OpenLoop(self, self.block(), self.loop())

    def br(self, label: Label) -> None:
        self.code += b"\x0c" + unsigned(self.depth - label.depth)

    def br_if(self, label: Label, condition: Operand = STACK) -> None:
        self.code += condition.code
        self.code += b"\x0d" + unsigned(self.depth - label.depth)

    def br_table(self, labels: list[Label], default: Label) -> None:
        self.code += b"\x0e" + unsigned(len(labels))
        for label in [*labels, default]:
            self.code += unsigned(self.depth - label.depth)

    # ---- the whole

    def encoded(self) -> bytes:
        """The function as it stands in the code section, without its size."""
        return declared_locals(self.types) + bytes(self.code) + b"\x0b"


def declared_locals(types: list[int]) -> bytes:
    """The declaration of the locals of a function."""
    runs: list[tuple[int, int]] = []
    for kind in types:
        if runs and runs[-1][1] == kind:
            runs[-1] = (runs[-1][0] + 1, kind)
        else:
            runs.append((1, kind))
    return unsigned(len(runs)) + b"".join(unsigned(n) + bytes((k,)) for n, k in runs)
