"""One function under construction, with its way out for faults and the words of its frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.machine.effects import has_cover as notes
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL, Plan
from interpreter.wasm.lower.numbers.values import Held, Known, Span, Thought, Value


class Writer:
    """Local 0 is the state, `frame` the address of the running frame."""

    def __init__(self, plan: Plan, body: Body) -> None:
        self.plan = plan
        self.mc = plan.machine
        self.b = body
        self.s = 0
        self.frame = -1
        self.node = 0
        self.routine: int | None = None
        """The routine in whose frame the code runs, or none where that is not known."""
        self.regs: dict[int, Value] = {}
        self.slots: dict[int, Value | Thought] = {}
        """Words of the frame that are kept in locals while something is tried without a copy."""
        self.fault_label: Label | None = None
        self.kept: dict[int | None, int] = {}
        """Words of the state that are kept in locals."""
        self.nesting = 0
        """Loops over collections that stand around the code."""
        self.shared: dict[int, tuple[int, int]] = {}
        self.alike: dict[m.Expr, tuple[int, int]] = {}
        self.taking = False
        """A choice is carried out: the cell that it names is done, and not only offered."""
        self.quiet = False
        """A fault only leads to the label; nobody reads what it was."""
        self.faults = 0
        """Places written so far at which a fault may come up."""
        self.one_by_one = False
        """Collections are gone through in their order, and nothing is worked out before it is its turn."""

    # ---- values

    def put(self, value: Value | Thought) -> Span:
        if isinstance(value, Known):
            self.b.i32(value.value)
        elif isinstance(value, Held):
            self.b.get(value.local)
        else:
            return self.num(value.expr)
        return value.span

    def num(self, e: m.Expr) -> Span:
        """Leaves the value of an expression on the stack."""
        raise NotImplementedError

    def drop(self, *values: Value | Thought) -> None:
        for value in values:
            if isinstance(value, Held):
                self.b.release(value.local)

    @contextmanager
    def reg(self, index: int, value: Value) -> Iterator[None]:
        before = self.regs.get(index)
        self.regs[index] = value
        yield
        if before is None:
            del self.regs[index]
        else:
            self.regs[index] = before

    # ---- faults

    def fault(self, kind: int, a: Any = 0, b: Any = 0, c: Any = 0) -> None:
        """Leaves the function; `a`, `b`, `c` are numbers or locals as `Held`."""
        assert self.fault_label is not None
        self.faults += 1
        if not self.quiet:
            for x in (kind, self.node, a, b, c):
                self.put(Known(x) if isinstance(x, int) else x)
            self.b.call(self.plan.function("fault", (I32,) * 5, ()))
        self.b.br(self.fault_label)

    @contextmanager
    def faulting(self, label: Label, quiet: bool) -> Iterator[None]:
        before = self.fault_label, self.quiet
        self.fault_label, self.quiet = label, quiet
        yield
        self.fault_label, self.quiet = before

    def safely(self, quick: Callable[[], Span], slow: Callable[[], Span], *results: int) -> Span:
        """What `quick` does, if it can come to no fault; else `slow` begins anew where `quick` comes to one.

        `quick` may work things out in another order than the rules have them, or more than they ask for:
        then a fault of it may be none of theirs. `slow` keeps to the rules one by one.
        """
        if self.one_by_one:
            return slow()
        before, written = self.faults, self._written()
        span = quick()
        if self.faults == before:
            return span
        self._unwrite(written)
        b, top = self.b, GLOBAL["top"]
        with b.borrowed(I32) as (kept,):
            b.gget(top)
            b.set(kept)
            done, failed = b.block(*results), b.block()
            with self.faulting(failed, quiet=True):
                span = quick()
            b.br(done)
            b.end()
            b.get(kept)
            b.gset(top)
            self.one_by_one = True
            other = slow()
            self.one_by_one = False
            b.end()
        return (min(span[0], other[0]), max(span[1], other[1]))

    def comes_to_faults(self, emit: Callable[[], object]) -> bool:
        """Whether what is written by a function may come to a fault; nothing of it stays."""
        before, written = self.faults, self._written()
        emit()
        found = self.faults > before
        self._unwrite(written)
        return found

    def _written(self) -> tuple[Any, ...]:
        """What is written so far, to go back to."""
        b = self.b
        free = {kind: list(locals_) for kind, locals_ in b.free.items()}
        return len(b.code), b.depth, len(b.types), free, self.frame, dict(self.kept)

    def _unwrite(self, written: tuple[Any, ...]) -> None:
        b = self.b
        length, b.depth, types, b.free, self.frame, self.kept = written
        del b.code[length:]
        del b.types[types:]

    # ---- words of the frame

    def load_frame(self) -> None:
        """`frame` becomes the address of the running frame."""
        b = self.b
        if self.frame < 0:
            self.frame = b.local()
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.FP)
        b.i32(2)
        b.op("i32.shl", "i32.add")
        b.set(self.frame)

    def read_slot(self, slot: int) -> None:
        """Leaves a word of the running frame."""
        self.b.get(self.frame)
        self.b.load(4 * slot)

    @contextmanager
    def slot(self, slot: int) -> Iterator[None]:
        """The number that the block's code leaves goes to a word of the running frame."""
        self.b.get(self.frame)
        yield
        self.b.store(4 * slot)

    def row(self, slot: int) -> None:
        """Leaves the address of words of the running frame that are gone through by number."""
        self.b.get(self.frame)
        if slot:
            self.b.i32(4 * slot)
            self.b.op("i32.add")

    def clear_slots(self, first: int, last: int) -> None:
        self.zero(self.frame, 4 * first, last - first)

    def zero(self, base: int, offset: int, words: int) -> None:
        """Words behind the address in a local are zero."""
        b = self.b
        if words > 64:
            b.get(base)
            b.i32(offset)
            b.op("i32.add")
            b.i32(0)
            b.i32(4 * words)
            b.fill()
            return
        while words >= 4:
            b.get(base)
            b.vzero()
            b.vstore(offset)
            offset, words = offset + 16, words - 4
        if words >= 2:
            b.get(base)
            b.i64(0)
            b.mem("i64.store", offset)
            offset, words = offset + 8, words - 2
        if words:
            b.get(base)
            b.i32(0)
            b.store(offset)

    # ---- globals

    def global_add(self, name: str, amount: int) -> None:
        b, index = self.b, GLOBAL[name]
        b.gbump(index, amount)

    # ---- cover

    def notes(self, node: Any) -> bool:
        """Whether working something out notes cover."""
        return bool(self.mc.cover) and notes(node)

    def note(self, point: int, bits: int) -> None:
        """A point of cover has come to these bits too."""
        b, at = self.b, self.plan.cover + point
        b.i32(0)
        b.i32(0)
        b.mem("i32.load8_u", at)
        b.i32(bits)
        b.op("i32.or")
        b.mem("i32.store8", at)

    def note_run(self, point: int, outcome: int) -> None:
        """The same where a run comes by, which may be one of a trial."""
        if not outcome & m.RAN:
            self.note(point, outcome)
            return
        b, at = self.b, self.plan.cover + point
        b.i32(0)
        b.i32(0)
        b.mem("i32.load8_u", at)
        self._ran_or_tried()
        if outcome != m.RAN:
            b.i32(outcome & ~m.RAN)
            b.op("i32.or")
        b.op("i32.or")
        b.mem("i32.store8", at)

    def _ran_or_tried(self) -> None:
        b = self.b
        b.i32(m.TRIED)
        b.i32(m.RAN)
        b.gget(GLOBAL["trial"])
        b.op("select")

    def note_outcome(self, node: m.Covered) -> None:
        """One of two outcomes of the number on the stack, which stays there."""
        b, at = self.b, self.plan.cover + node.point
        if node.yes == node.no:
            self.note(node.point, node.yes)
            return
        with b.borrowed(I32) as (found,):
            b.set(found)
            b.i32(0)
            b.i32(0)
            b.mem("i32.load8_u", at)
            b.i32(node.yes)
            b.i32(node.no)
            b.get(found)
            b.op("select", "i32.or")
            b.mem("i32.store8", at)
            b.get(found)

    def note_cell(self, node: m.CoveredCell) -> None:
        """The cell whose number is on the stack, which stays there."""
        b, at = self.b, self.plan.cover + node.first
        with b.borrowed(I32) as (cell,):
            b.tee(cell)
            b.i32(NONE)
            b.op("i32.ne")
            b.when()
            b.get(cell)
            b.get(cell)
            b.mem("i32.load8_u", at)
            if node.calls or self.taking:
                self._ran_or_tried()
            else:
                b.i32(m.TRIED)
            b.op("i32.or")
            b.mem("i32.store8", at)
            b.end()
            b.get(cell)
