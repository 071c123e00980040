"""The context of one function that is being lowered: what the passes over expressions and nodes share.

Expressions, collections, choices and nodes are lowered by functions over a context. What differs from one
kind of module to the next is held by it: where the words of frames lie (`frames`), how control leads from
node to node (`control`), and who makes decisions (`driver`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

from dsl.diagnostics import DiagnosticError
from dsl.frozen import dataclass
from dsl.messages.sizes import LargeRules
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.ir.visit import Part
from interpreter.wasm.abi import TOO_MUCH
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, vector_const
from interpreter.wasm.lower.values import Bits, InLocal, Interval, Lazy, Range, Value
from interpreter.wasm.option_layout import OptionPart, Pair
from interpreter.wasm.sets.forms import Form

MOST_EMITTED, WRITTEN_OUT = 60_000, "expressions, where loops and conditions are written out"
"""The most expressions that are written for a module, and what is said of more."""
Visit = Callable[[Value, Value], None]
"""Emits what is done with a value and how often it stands in the collection."""


class OptionSink(Protocol):
    """Where options go as they are found."""

    @property
    def takes_classes(self) -> bool:
        """Whether pieces of one place may come as the set of their classes."""

    @property
    def takes_interval(self) -> bool:
        """Whether numbers must come as an interval."""

    def value(self, value: Value) -> None:
        """Emits what is done with a value that can be chosen; some come twice."""

    def plain(self) -> None:
        """Emits what is done with a thing that can be done without a value."""

    def takes_set(self, r: Range) -> bool:
        """Whether values of an interval may come as a set."""

    def put_set(self, bits: Bits, r: Range) -> None:
        """Emits what is done with a set of values, all of which can be chosen."""

    def put_classes(self, node: ir.Pieces, place: Value, bits: Bits) -> None:
        """Emits what is done with the pieces of some classes that lie on a place, counted from the first."""

    def put_interval(self, low: Value, high: Value) -> None:
        """Emits what is done with all numbers from one to another; the last may be less than the first."""

    def put_range(self, first: Value, last: Value, step: Value) -> None:
        """Emits what is done with very many numbers, from one to another in steps; there is one at least."""


class FrameStrategy(Protocol):
    """Where the words of the running frame lie."""

    def word(self, slot: int) -> Operand:
        """A word of the frame."""

    def slot(self, slot: int) -> AbstractContextManager[None]:
        """The number that the block's code leaves becomes a word of the frame."""

    def row(self, slot: int) -> Operand:
        """The address of words of the frame that are indexed."""

    def clear_slots(self, first: int, last: int) -> None:
        """Sets words of the frame to zero."""


class ControlStrategy(Protocol):
    """How control leads from node to node, and out of the function."""

    def go(self, target: int) -> None:
        """Leads to a node: its code follows here, or a branch."""

    def line(self, number: int) -> None:
        """Lowers a node and those behind it up to the next one that has code of its own."""

    def ret(self, code: int) -> None:
        """Returns a code."""

    def put_back(self) -> None:
        """Writes what the function keeps in locals where others read it."""


class Driver(Protocol):
    """Who makes decisions, where chance comes from, and where the counters of a run are kept."""

    fuel: Variable
    """The work that is left."""
    rng: Variable
    """The state of the choosing generator."""
    trial: Operand
    """Whether the code runs in a trial."""

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        """What is only tried fails; what is carried out is a fault."""

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        """Lowers a decision; the node that follows it, if it is only one."""

    def stop_at(self, number: int, code: int) -> None:
        """Stops the run at a node."""

    def count_decision(self, number: int) -> None:
        """Counts a decision; too many are a fault."""

    def draw_number(self, node: ir.Chance, total: Value) -> None:
        """Leaves a random number below `total`."""

    def refuel(self) -> None:
        """A decision restarts the count of work."""

    def take(self, part: OptionPart, bit: Variable) -> None:
        """Carries out the option of a part whose bit is in a local."""

    def take_pair(self, part: OptionPart, pair: Pair, x: Variable, y: Variable) -> None:
        """Carries out the option of a part whose two parameters are in locals."""


class Undo(Protocol):
    """What a trial in place has changed."""

    def note(self, address: Operand) -> None:
        """What stands at an address is about to change: 32 or 64 bits."""

    def note_pieces(self, place: Value, class_: Value, number: Value) -> None:
        """So many pieces of a class are about to come to a place, or to leave it."""

    def give_up(self) -> None:
        """There is no room for what has been changed: the trial is undone, to be run on a copy."""


@dataclass(frozen=True, slots=True)
class LoweringTable:
    """The functions by which the parts of the language are lowered that contain each other."""

    num: Callable[[FunctionContext, ir.Expr], Interval]
    compare: Callable[[FunctionContext, ir.Op], Interval]
    logic: Callable[[FunctionContext, ir.Op], Interval]
    fold: Callable[[FunctionContext, ir.Fold], Interval]
    best: Callable[[FunctionContext, ir.Best], Interval]
    contains: Callable[[FunctionContext, ir.Expr, ir.Source], Interval]
    size: Callable[[FunctionContext, ir.Source], Interval]
    mask: Callable[[FunctionContext, ir.Source, int], Interval]
    can: Callable[[FunctionContext, ir.Doing], Interval]
    domain: Callable[[FunctionContext, ir.Source], Interval]
    each: Callable[[FunctionContext, ir.Source, Visit, int], None]
    keep: Callable[[FunctionContext, ir.Expr, int, Range, Bits], None]
    form: Callable[[FunctionContext, ir.Expr, int, Range], Form | None]
    joins: Callable[[FunctionContext, ir.Fold, int, Range], bool]
    source_bits: Callable[[FunctionContext, ir.Source, Range], Bits]
    choices: Callable[[FunctionContext, int, ir.Decide, OptionSink], None]


class BoundRegister:
    """A register has a value for one `with` block; a generator would take three times as long."""

    __slots__ = ("before", "index", "regs", "value")

    def __init__(self, regs: dict[int, Value], index: int, value: Value) -> None:
        self.regs, self.index, self.value = regs, index, value

    def __enter__(self) -> None:
        self.before = self.regs.get(self.index)
        self.regs[self.index] = self.value

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            return
        if self.before is None:
            del self.regs[self.index]
        else:
            self.regs[self.index] = self.before


class KnownPresence:
    """Some expressions are known not to be none within one `with` block."""

    __slots__ = ("before", "expressions", "fx")

    def __init__(self, fx: FunctionContext, expressions: frozenset[int]) -> None:
        self.fx, self.expressions = fx, expressions

    def __enter__(self) -> None:
        self.before = self.fx.present
        self.fx.present = self.before | self.expressions

    def __exit__(self, *_: object) -> None:
        self.fx.present = self.before


@dataclass(frozen=True, slots=True)
class Sieves:
    """Sieves of some histories, each as it is now."""

    histories: frozenset[int]
    made: Operand
    """Whether they are made."""


class FunctionContext:
    """One function under construction."""

    frames: FrameStrategy
    control: ControlStrategy
    driver: Driver

    def __init__(self, builder: ModuleBuilder, body: Body, lowering: LoweringTable) -> None:
        self.builder = builder
        self.mc = builder.machine
        self.b = body
        self.lowering = lowering
        self._frame: Variable | None = None
        self.node = 0
        self.routine: int | None = None
        """The routine in whose frame the code runs, or none where that is not known."""
        self.regs: dict[int, Value] = {}
        self.slots: dict[int, Value | Lazy] = {}
        """Words of the frame that are kept in locals while something is tried without a copy."""
        self.fault_label: Label | None = None
        self.kept: dict[int, Variable] = {}
        """Words of the state that are kept in locals."""
        self.kept_boards: dict[str, Bits] = {}
        """Bit boards whose sets, one for each value, are kept in locals, by their names."""
        self.chosen_sets: Counter[str] = Counter()
        """How often it is only known while the code runs which set of a kept bit board is read."""
        self.moved_boards: set[str] = set()
        """Bit boards in memory that functions for pieces on any place may change."""
        self.nesting = 0
        """Loops over collections that stand around the code."""
        self.copies = 1
        """How often the code is written, as loops around it are written out."""
        self.hoisted: dict[int, tuple[Variable, Variable]] = {}
        self.sets: dict[tuple[int, int, Range], Bits] = {}
        """Sets found before a loop, by the identity of the first equal condition, and its register."""
        self.common: dict[int, tuple[Variable, Variable]] = {}
        """Common subexpressions by the identity of the first equal one: if it is evaluated, and its value."""
        self.present: frozenset[int] = frozenset()
        """The expressions that are known not to be none here, by the identity of the first equal one."""
        self.taking = False
        """A choice is carried out: the cell that it names is run, and not only offered."""
        self.quiet = False
        """A fault only branches to the label; its record is not written."""
        self.faults = 0
        """Places emitted so far at which a fault may occur."""
        self.exhaustions = 0
        """Those of them at which nothing may be left to work with."""
        self.one_by_one = False
        """Collections are iterated in their order, and nothing is evaluated before its turn."""
        self.in_order = False
        """Collections are iterated in their order; what is evaluated for each of their values, in any."""
        self.any_buffer: Variable | None = None
        """In functions that look for options: the parameter with the address of the buffer, or 0."""
        self.undo: Undo | None = None
        """In the function of a trial in place: what it has changed."""
        self.sieves: Sieves | None = None
        """The sieves of the histories that trials ask."""
        self.frameless = False
        """There are no frames in the state: whatever is tried has virtual ones."""
        self.offering = False
        """The code looks for what can be chosen; nothing of it is carried out."""
        self.untried = False
        """What is looked for are candidates: those that are drawn are tried later."""
        self.divided = False
        """Not all conditions are asked of them, but those of `Candidates`."""

    # ---- what a profile wants to know

    def enter(self, number: int) -> None:
        """The code of a node begins here."""
        self.node = number

    def resume(self, number: int) -> None:
        """The code of a node continues here."""
        self.node = number

    def note_trial(self, words: int = 0) -> None:
        """A trial begins here that may change the state, or so many words of a copy of it."""

    # ---- the parts of the language that contain each other

    def num(self, e: ir.Expr) -> Interval:
        """Leaves the value of an expression on the stack; returns the interval in which it lies."""
        self.count()
        return self.lowering.num(self, e)

    def count(self) -> None:
        """One more expression is written, or looked at; raises `DiagnosticError` if they are too many."""
        self.builder.emitted += 1
        if self.builder.emitted > MOST_EMITTED:
            mc = self.builder.machine
            at = mc.nodes[self.node].span if self.node < len(mc.nodes) else NOWHERE
            raise DiagnosticError(LargeRules(at.first_line(), MOST_EMITTED, WRITTEN_OUT))

    def evaluate(self, variable: Variable, e: ir.Expr) -> Interval:
        """Assigns the value of an expression; returns the interval in which it lies."""
        span = self.num(e)
        self.b.assign(variable, STACK)
        return span

    def compare(self, e: ir.Op) -> Interval:
        """Leaves the truth of a comparison."""
        return self.lowering.compare(self, e)

    def logic(self, e: ir.Op) -> Interval:
        """Leaves the truth of `and` or `or`."""
        return self.lowering.logic(self, e)

    def fold(self, e: ir.Fold) -> Interval:
        """Leaves the number that a collection is folded to."""
        return self.lowering.fold(self, e)

    def best(self, e: ir.Best) -> Interval:
        """Leaves the best value of a collection, or none."""
        return self.lowering.best(self, e)

    def contains(self, item: ir.Expr, source: ir.Source) -> Interval:
        """Leaves whether a value stands in a collection."""
        return self.lowering.contains(self, item, source)

    def size(self, source: ir.Source) -> Interval:
        """Leaves how many values a collection has."""
        return self.lowering.size(self, source)

    def mask(self, source: ir.Source, lo: int) -> Interval:
        """Leaves the values of a collection from `lo` to `lo + 31` as bits."""
        return self.lowering.mask(self, source, lo)

    def can(self, what: ir.Doing) -> Interval:
        """Leaves whether something could be carried out now."""
        return self.lowering.can(self, what)

    def domain(self, source: ir.Source) -> Interval:
        """An interval that holds every value of a collection."""
        return self.lowering.domain(self, source)

    def each(self, source: ir.Source, visit: Visit, cost: int = 0) -> None:
        """A loop over a collection; `cost` is about how many parts `visit` emits."""
        self.lowering.each(self, source, visit, cost)

    def each_in_order(self, source: ir.Source, visit: Visit, cost: int = 0) -> None:
        """A loop over a collection in its order, where that matters."""
        before, self.in_order = self.in_order, True

        def visit_out_of_order(value: Value, n: Value) -> None:
            self.in_order = before
            visit(value, n)
            self.in_order = True

        self.each(source, visit_out_of_order, cost)
        self.in_order = before

    def keep(self, e: ir.Expr, reg: int, r: Range, bits: Bits) -> None:
        """The set keeps the values for which a condition holds."""
        self.lowering.keep(self, e, reg, r, bits)

    def form(self, e: ir.Expr, reg: int, r: Range) -> Form | None:
        """The set of the values for which a condition holds, as it is made of other sets, if it is."""
        return self.lowering.form(self, e, reg, r)

    def joins(self, e: ir.Fold, reg: int, r: Range) -> bool:
        """Whether the values for which a fold holds are found by going through its own."""
        return self.lowering.joins(self, e, reg, r)

    def source_bits(self, source: ir.Source, r: Range) -> Bits:
        """The set of a collection's values."""
        return self.lowering.source_bits(self, source, r)

    def choices(self, number: int, node: ir.Decide, to: OptionSink) -> None:
        """Emits what a sink does with every value that can be chosen, some perhaps twice."""
        self.lowering.choices(self, number, node, to)

    # ---- values

    def reads(self, part: Part, reg: int) -> bool:
        """Whether an expression reads a register that it does not bind."""
        return reg in self.builder.free_registers(part)

    def put(self, value: Value | Lazy) -> Interval:
        """Leaves a value on the stack."""
        if isinstance(value, Lazy):
            return self.num(value.expr)
        self.b.push(value.operand)
        return value.span

    def drop(self, *values: Value | Lazy) -> None:
        """Gives back the locals of values that are no longer needed."""
        for value in values:
            if isinstance(value, InLocal):
                self.b.release(value.operand)

    def reg(self, index: int, value: Value) -> BoundRegister:
        """A register has a value within the block."""
        return BoundRegister(self.regs, index, value)

    # ---- faults

    def fault(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        """Leaves the function with a fault of a kind and its details."""
        assert self.fault_label is not None
        self.faults += 1
        self.exhaustions += kind == TOO_MUCH
        if not self.quiet:
            parts = [x if isinstance(x, int) else x.operand for x in (a, b, c)]
            self.b.push(self.builder.call("fault", kind, self.node, *parts, results=()))
        self.b.br(self.fault_label)

    @contextmanager
    def faulting(self, label: Label, quiet: bool) -> Iterator[None]:
        before = self.fault_label, self.quiet
        self.fault_label, self.quiet = label, quiet
        yield
        self.fault_label, self.quiet = before

    def safely(self, quick: Callable[[], Interval], slow: Callable[[], Interval], *results: int) -> Interval:
        """What `quick` does, if it cannot fault; else `slow` starts over where `quick` faults.

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
        b, top = self.b, global_("top")
        with b.temporaries(I32) as (kept,):
            b.assign(kept, top)
            done, failed = b.block(*results), b.block()
            with self.faulting(failed, quiet=True):
                span = quick()
            b.br(done)
            b.end()
            b.assign(top, kept)
            self.one_by_one = True
            other = slow()
            self.one_by_one = False
            b.end()
        return (min(span[0], other[0]), max(span[1], other[1]))

    def comes_to_faults(self, emit: Callable[[], object]) -> bool:
        """Whether what is written by a function may fault; nothing of it stays."""
        return self._faults_of(emit)[0] > 0

    def breaks_rules(self, emit: Callable[[], object]) -> bool:
        """Whether what is written by a function may fault for another reason than that it takes too long."""
        faults, exhaustions = self._faults_of(emit)
        return faults > exhaustions

    def _faults_of(self, emit: Callable[[], object]) -> tuple[int, int]:
        """The places at which what is written by a function may fault, and those where it takes too long."""
        before, written = (self.faults, self.exhaustions), self._written()
        emit()
        emitted = self.faults - before[0], self.exhaustions - before[1]
        self.faults, self.exhaustions = before
        self._unwrite(written)
        return emitted

    def _written(self) -> tuple[Any, ...]:
        """What is written so far, to go back to."""
        b = self.b
        free = {kind: list(locals_) for kind, locals_ in b.free.items()}
        return b.written(), b.depth, len(b.types), free, self._frame, dict(self.kept)

    def _unwrite(self, written: tuple[Any, ...]) -> None:
        b = self.b
        before, b.depth, types, b.free, self._frame, self.kept = written
        b.unwrite(before)
        del b.types[types:]

    # ---- memory

    @property
    def frame(self) -> Variable:
        """The address of the running frame, in functions that have loaded it."""
        assert self._frame is not None
        return self._frame

    def load_frame(self) -> None:
        """`frame` becomes the address of the running frame."""
        b = self.b
        if self._frame is None:
            [self._frame] = b.variables(I32)
        b.assign(self._frame, b.state + (b.state.load(4 * ir.FP) << 2))

    def word(self, at: int) -> Operand:
        """The word of the state with a known index."""
        kept = self.kept.get(at)
        return self.b.state.load(4 * at) if kept is None else kept

    def set_word(self, at: int, value: Operand) -> None:
        """Writes the word of the state with a known index."""
        kept = self.kept.get(at)
        if kept is None:
            self.note_change(self.b.state, 4 * at)
            self.b.write(self.b.state, value, 4 * at)
        else:
            self.b.assign(kept, value)

    def note_change(self, address: Operand, offset: int = 0) -> None:
        """Up to 64 bits at an address plus `offset` bytes are about to change, in a trial perhaps."""
        if self.undo is not None:
            self.undo.note(address + offset if offset else address)

    def where_words(self, name: str, there: bool = True) -> AbstractContextManager[None]:
        """What is written within stands in the module only if the words of a name do, or do not."""
        return self.b.where_words(name, there) if name in self.builder.in_sets else nullcontext()

    def set_slot(self, slot: int, value: Operand | int) -> None:
        """Writes a word of the frame."""
        with self.frames.slot(slot):
            self.b.push(value)

    def zero(self, address: Operand, offset: int, words: int) -> None:
        """Sets words to zero, from an address plus `offset` bytes on."""
        b = self.b
        if words > 64:
            b.fill(address + offset, 0, 4 * words)
            return
        while words >= 4:
            b.write_vector(address, vector_const(0), offset)
            offset, words = offset + 16, words - 4
        if words >= 2:
            b.write(address, 0, offset, "i64.store")
            offset, words = offset + 8, words - 2
        if words:
            b.write(address, 0, offset)
