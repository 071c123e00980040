"""Frames of routines, on the stack of the state or virtual, and the calls that run in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.cfg import done
from interpreter.wasm.abi import OK, TOO_DEEP
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Lazy, Value
from interpreter.wasm.option_layout import OptionPart

# ---- virtual frames: their words are values of the code under construction


class Zeros(dict[int, Value | Lazy]):
    """Words of a virtual frame: those not named are zero."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: int) -> Value | Lazy:
        return Constant(0)

    def get(self, key: int, default: object = None) -> Value | Lazy:
        return self[key]


class UnknownWords(Zeros):
    """Words of a frame of which nothing is known, to be asked and not to be emitted."""

    def __init__(self, seats: int) -> None:
        super().__init__({ir.ME: InLocal(Variable(0), (0, seats - 1))})

    def __missing__(self, key: int) -> Value | Lazy:
        return InLocal(Variable(0), WIDE)


@contextmanager
def virtual(fx: FunctionContext, slots: Mapping[int, Value | Lazy]) -> Iterator[None]:
    """Words of the frame are these values, and zero; nothing is written."""
    before = fx.slots
    fx.slots = Zeros(slots)
    yield
    fx.slots = before


@contextmanager
def with_slot(fx: FunctionContext, slot: int, value: Value | Lazy) -> Iterator[None]:
    before = fx.slots
    fx.slots = Zeros({**before, slot: value}) if isinstance(before, Zeros) else {**before, slot: value}
    yield
    fx.slots = before


@contextmanager
def offered_frame(fx: FunctionContext, node: ir.Offer, doing: ir.DoRoutine) -> Iterator[dict[int, Value]]:
    """The words that an offer sets in the frame of a routine: `me`, `self` and the arguments."""
    me = const_eval.operand(fx, node.seat)
    arguments = [const_eval.operand(fx, a) for a in doing.arguments]
    words: dict[int, Value] = {ir.ME: me, ir.SELF: Constant(NONE)}
    yield words | {ir.FRAME + i: a for i, a in enumerate(arguments)}
    fx.drop(me, *arguments)


@contextmanager
def offered_part(fx: FunctionContext, part: OptionPart) -> Iterator[dict[int, Value]]:
    """The words that an offer sets in the frame of a part's routine."""
    node = fx.mc.node(part.node, ir.Offer)
    doing = node.what[part.index]
    assert isinstance(doing, ir.DoRoutine)
    with offered_frame(fx, node, doing) as words:
        yield words


@contextmanager
def if_needed(fx: FunctionContext, needs: tuple[int, ...]) -> Iterator[None]:
    """The code is skipped if a need does not hold."""
    failed = fx.b.block()
    for number in needs:
        fx.enter(number)
        fx.num(fx.mc.node(number, ir.Precondition).condition)
        fx.b.br_if(failed, STACK.eqz())
    yield
    fx.b.end()


# ---- frames on the stack


def push_frame(
    fx: FunctionContext, number: int, routine: int, me: Value, actor: Value, arguments: list[Value], back: int
) -> None:
    """A new frame on top of the running one becomes the running one; `frame` stays."""
    b = fx.b
    size = 4 * fx.builder.size_at[number]
    if fx.builder.recursive:
        _check_depth(fx, size, routine)
    with b.temporaries(I32) as (fp,):
        b.assign(fp, b.state.load(4 * ir.FP))
        words: list[tuple[int, Value]] = [
            (ir.RETURN, Constant(back)),
            (ir.CALLER, InLocal(fp, WIDE)),
            (ir.ME, me),
            (ir.SELF, actor),
        ]
        words += [(ir.FRAME + i, a) for i, a in enumerate(arguments)]
        for slot, value in words:
            b.write(fx.frame, value.operand, size + 4 * slot)
        b.write(b.state, fp + fx.builder.size_at[number], 4 * ir.FP)


def write_in_pushed(fx: FunctionContext, number: int, slot: int, value: Operand | int) -> None:
    """Writes a word of the frame that was pushed last."""
    fx.b.write(fx.frame, value, 4 * (fx.builder.size_at[number] + slot))


def _check_depth(fx: FunctionContext, size: int, routine: int) -> None:
    """The frame's end must lie within the stack, or within the stack of the running branch."""
    end = fx.frame + (size + 4 * fx.mc.routines[routine].size) - fx.b.state
    with fx.b.if_(end.gt_s(stack_end(fx))):
        fx.fault(TOO_DEEP, routine)


def stack_end(fx: FunctionContext) -> Operand:
    """Where the stack ends, or that of the running branch, in bytes behind the state's address."""
    mc = fx.mc
    last = const(4 * (mc.stack + mc.stack_size))
    if not mc.branches:
        return last
    branch = fx.b.state.load(4 * ir.RUNNING)
    return select(last, branch * (4 * mc.branch_size) + 4 * mc.branch_stack, branch.eqz())


def pop_frame(fx: FunctionContext, number: int, arguments: int) -> None:
    """The frame that was pushed last is gone; the words that pushing wrote are zero."""
    b = fx.b
    fx.zero(fx.frame, 4 * fx.builder.size_at[number], ir.FRAME + arguments)
    b.write(b.state, b.state.load(4 * ir.FP) - fx.builder.size_at[number], 4 * ir.FP)


# ---- what runs in them


def run_region(fx: FunctionContext, state: Operand, target: int) -> Operand:
    """Runs a node's region from that node on: a code, or the node at which the caller continues."""
    return fx.builder.call(f"region {fx.builder.region_of[target]}", state, fx.builder.leader[target])


def each_cell(
    fx: FunctionContext, what: ir.DoCell, one: Callable[[int, list[Value]], None], taking: bool = False
) -> None:
    """Emits `one` for each routine and number of arguments that a cell may name; none does nothing.

    `taking`: it is carried out, and not only offered.
    """
    b = fx.b
    cells = fx.mc.cells
    known = const_eval.constant(fx, what.cell)
    if known is not None:
        if known != NONE:
            one(cells[known][0], [Constant(a) for a in cells[known][1]])
        return
    kinds = done(fx.mc, what)
    possible = [cells[i][1] for i in what.cells if i != NONE]
    if not kinds:
        return
    most = max((k for _, k in kinds), default=0)
    with b.temporaries(I32) as (c,):
        fx.taking = taking
        fx.num(what.cell)
        fx.taking = False
        with b.if_(c.tee(STACK).ne(NONE)):
            tables = [fx.builder.table(a[i] if i < len(a) else 0 for _, a in cells) for i in range(most)]
            kind_of = fx.builder.table(kinds.index(x) if (x := (r, len(a))) in kinds else 0 for r, a in cells)
            arguments: list[Value] = []
            for i, table in enumerate(tables):
                argument = b.local()
                b.assign(argument, c.entry_of(table))
                given = [a[i] for a in possible if i < len(a)]
                arguments.append(InLocal(argument, (min(given), max(given))))
            out = b.block()
            labels = [b.block() for _ in kinds]
            b.push(c.entry_of(kind_of))
            b.br_table(labels[::-1], labels[-1])
            for routine, given_ in kinds:
                b.end()
                one(routine, arguments[:given_])
                b.br(out)
            b.end()
            fx.drop(*arguments)


def run_routine(fx: FunctionContext, entry_node: int, back: int) -> None:
    """Runs a routine whose frame is pushed; returns its code unless that is a return to `back`."""
    b = fx.b
    with b.temporaries(I32) as (code,):
        b.ret_if(code, code.tee(run_region(fx, b.state, entry_node)).ne(back))


def entry_node(fx: FunctionContext, routine: int, given: int) -> int:
    return fx.mc.routines[routine].entry(given)


def call(fx: FunctionContext, number: int, node: ir.Call) -> None:
    arguments = [const_eval.operand(fx, a) for a in node.arguments]
    me = const_eval.operand(fx, ir.Local(ir.ME))
    push_frame(fx, number, node.routine, me, Constant(NONE), arguments, node.next)
    run_routine(fx, entry_node(fx, node.routine, len(arguments)), node.next)
    fx.drop(me, *arguments)


def call_cell(fx: FunctionContext, number: int, node: ir.CallCell) -> None:
    me, actor = const_eval.operand(fx, ir.Local(ir.ME)), const_eval.operand(fx, node.what.actor)

    def one(routine: int, arguments: list[Value]) -> None:
        push_frame(fx, number, routine, me, actor, arguments, node.next)
        run_routine(fx, entry_node(fx, routine, len(arguments)), node.next)

    each_cell(fx, node.what, one)
    fx.drop(me, actor)


def leave(fx: FunctionContext, number: int) -> None:
    """The routine returns: its frame is cleared, and its caller's is the current one."""
    b, frame = fx.b, fx.frame
    with b.temporaries(I32, I32) as (back, caller):
        b.assign(back, frame.load(4 * ir.RETURN))
        b.assign(caller, frame.load(4 * ir.CALLER))
        fx.zero(fx.frame, 0, fx.builder.size_at[number])
        with b.if_(caller):
            b.write(b.state, caller, 4 * ir.FP)
        b.ret(back)


def commit(fx: FunctionContext) -> None:
    """In a trial, the routine that is tried can no longer be refused."""
    with fx.b.if_(fx.frame.load(4 * ir.RETURN).eq(OK)):
        fx.control.ret(OK)
