"""Why a choice is refused: the same trial again, noting what refuses it, and the values of its condition."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.condition_reads import pieces_of_payment
from interpreter.refusal_tables import NamedCondition, conditions_of, is_explained
from interpreter.wasm.abi import FAIL, FAULT, OK, TOO_DEEP
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select, word_at
from interpreter.wasm.lower import refusals
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.refusals import (
    CAPTURE,
    CAUGHT,
    CONDITION,
    FOUND,
    NODE,
    NOTES,
    VALUES,
    WANTED,
    asking,
    record,
)
from interpreter.wasm.lower.values import WIDE, InLocal
from interpreter.wasm.runtime.entry_points import back_to_main, decision_at, function_number
from interpreter.wasm.runtime.questions import (
    ACTOR,
    ARGUMENTS,
    GIVEN,
    ROUTINE,
    cases,
    nodes_of,
    place_in,
    row_words,
)
from interpreter.wasm.runtime.runs import reset_run

OFFERED, REFUSED, UNWANTED, ASKS, NOTHING, COMPLETE = range(6)
"""What `why` answers."""
NO_TARGET = -100
"""The target of an offer does nothing."""
UNKNOWN = -1
"""Stands for a piece that cannot be told."""
NAMELESS = -2
"""The condition of a choice does not hold, but no part of it has a name."""


def write_reasons(builder: ModuleBuilder) -> None:
    refusals.write_refused(builder)
    _write_reason(builder)
    _write_try(builder)
    _write_reach(builder)
    _write_noted(builder)
    _write_candidates(builder)
    _write_why(builder)


# ---- what is said of one node


def _explained(builder: ModuleBuilder) -> list[int]:
    kinds = (ir.Precondition, ir.Transfer, ir.Decide)
    nodes = builder.machine.nodes
    return sorted(i for kind in kinds for i in nodes_of(builder, kind) if is_explained(nodes[i]))


def _write_reason(builder: ModuleBuilder) -> None:
    """reason(s, node, value): writes the pieces and sides of what a node asks of the running frame.

    For a payment: -1. For a need, and for a choice and a value: the innermost condition that does not hold;
    -1 if all hold, -2 if the one that does not has no name; or FAULT.
    """
    b = builder.body("reason", (I32, I32, I32))
    fx = function_context(builder, b)
    fx.load_frame()
    _, node, value = b.arguments()
    explained = _explained(builder)
    places = place_in(builder, node, explained, len(explained))

    def one(number: int) -> None:
        found = fx.mc.nodes[number]
        match found:
            case ir.Decide():
                with fx.reg(found.reg, InLocal(value, WIDE)):
                    _unwanted(fx, found)
            case ir.Transfer():
                _pieces(fx, pieces_of_payment(found), 0)
            case _:
                _unmet(fx, conditions_of(found))
        b.ret(-1)

    bad = b.block()
    with b.temporaries(I32) as (index,):
        with b.if_(index.tee(places).eq(len(explained))):
            b.ret(-1)
        with fx.faulting(bad, quiet=False):
            cases(fx, index, explained, one)
    b.end()
    b.push(FAULT)


def _unwanted(fx: FunctionContext, node: ir.Decide) -> None:
    """Returns the condition of a choice that does not hold, with the pieces of all up to it."""
    _unmet(fx, conditions_of(node))
    if node.where is not None and not node.wants:
        fx.num(node.where)
        fx.b.ret_if(NAMELESS, STACK.eqz())


def _unmet(fx: FunctionContext, conditions: tuple[NamedCondition, ...]) -> None:
    """Returns the first of some conditions that does not hold, or the part of it that does not.

    Their pieces are written, and the sides of those that do not hold.
    """
    b = fx.b
    for condition in conditions:
        asked = condition.wanted.condition
        _pieces(fx, condition.pieces, condition.at)
        if isinstance(asked, ir.Const) and asked.value:
            continue
        fx.num(asked)
        with b.if_(STACK.eqz()):
            _sides(fx, condition)
            _unmet(fx, condition.parts)
            b.ret(condition.number)


def _pieces(fx: FunctionContext, pieces: tuple[tuple[ir.Expr, int], ...], first: int) -> None:
    """Writes some pieces to the record, from a word on."""
    for i, (piece, _) in enumerate(pieces):
        at = record(fx.builder, VALUES + first + i)
        if _value(fx, piece, at):
            fx.b.write(const(0), UNKNOWN, at)
            fx.b.end()


def _sides(fx: FunctionContext, condition: NamedCondition) -> None:
    """Writes the sides of a condition to the record, and which of them have a value."""
    known = record(fx.builder, VALUES + condition.known)
    sides = condition.wanted.sides
    fx.b.write(const(0), (1 << len(sides)) - 1, known)
    for i, (_, side, _) in enumerate(sides):
        if _value(fx, side, known + 4 * (i + 1)):
            fx.b.write(const(0), word_at(known) & ~(1 << i), known)
            fx.b.end()


def _value(fx: FunctionContext, expr: ir.Expr, at: int) -> bool:
    """Writes a value to an address. If that may be a fault: what follows, up to an end, is done for it."""
    b = fx.b

    def write() -> None:
        b.push(0)
        fx.num(expr)
        b.write(STACK, STACK, at)

    if not fx.comes_to_faults(write):
        write()
        return False
    done, failed = b.block(), b.block()
    with fx.faulting(failed, quiet=True):
        write()
    b.br(done)
    b.end()
    return True


# ---- trials


def _write_try(builder: ModuleBuilder) -> None:
    """try(t, node): runs a copy from a node in a trial that notes what refuses; the code of its end."""
    b = builder.body("try", (I32, I32))
    t, node = b.arguments()
    code = b.local()
    notes = const(asking(builder, NOTES))
    b.write(notes, 1)
    b.write(const(record(builder, NODE)), -1)
    b.assign(global_("trial"), 1)
    b.assign(code, builder.call("run", t, node))
    b.assign(global_("trial"), 0)
    b.write(notes, 0)
    b.push(code)


def _write_reach(builder: ModuleBuilder) -> None:
    """reach(t, node, part): a copy comes to the choice that is asked about; its node.

    A plain choice is there already. A target of an offer is entered and runs to its first parameter. Below 0:
    FAIL, OK if it has none, NO_TARGET, or FAULT.
    """
    b = builder.body("reach", (I32, I32, I32))
    t, node, part = b.arguments()
    mc = builder.machine
    if not nodes_of(builder, ir.Offer):
        b.push(node)
        return
    seat, row, entry, code = b.variables(I32, I32, I32, I32)
    offers = builder.table(int(isinstance(n, ir.Offer)) for n in mc.nodes)
    b.ret_if(node, node.entry_of(offers).eqz())
    b.assign(seat, builder.call_indirect(function_number(builder, node, 2), t, const(0)))
    b.ret_if(FAULT, seat.eq(FAULT))
    b.ret_if(FAULT, builder.call("targets", t, node).lt_s(0))
    b.assign(row, part * (4 * row_words(mc)) + builder.out)
    b.ret_if(NO_TARGET, row.load(4 * ROUTINE).lt_s(0))
    b.ret_if(FAULT, entry.tee(builder.call("enter", t, node, row, seat)).lt_s(0))
    b.write(const(asking(builder, CAUGHT)), -1)
    b.write(const(asking(builder, CAPTURE)), t.load(4 * ir.FP))
    b.assign(code, builder.call("try", t, entry))
    b.write(const(asking(builder, CAPTURE)), 0)
    b.ret_if(FAIL, code.eq(FAIL))
    caught = word_at(asking(builder, CAUGHT))
    b.push(select(caught, OK, caught.ge_s(0)))
    _write_enter(builder)


def _write_enter(builder: ModuleBuilder) -> None:
    """enter(t, node, row, seat): a frame for the target of a row; the node at which it begins, or FAULT."""
    b = builder.body("enter", (I32, I32, I32, I32))
    t, node, row, seat = b.arguments()
    mc = builder.machine
    caller, frame, routine, given = b.variables(I32, I32, I32, I32)
    b.assign(routine, row.load(4 * ROUTINE))
    b.assign(given, row.load(4 * GIVEN))
    b.assign(caller, t.load(4 * ir.FP))
    b.assign(frame, caller + node.entry_of(builder.table(builder.size_at)))
    end = frame + routine.entry_of(builder.table(code.size for code in mc.routines))
    limit: Operand = const(mc.stack + mc.stack_size)
    if mc.branches:
        running = t.load(4 * ir.RUNNING)
        limit = select(limit, running * mc.branch_size + mc.branch_stack, running.eqz())
    with b.if_(end.gt_s(limit)):
        b.push(builder.call("fault", const(TOO_DEEP), node, routine, const(0), const(0), results=()))
        b.ret(FAULT)
    b.write(t, frame, 4 * ir.FP)
    b.assign(frame, t + (frame << 2))
    for word, value in ((ir.RETURN, OK), (ir.CALLER, caller), (ir.ME, seat), (ir.SELF, row.load(4 * ACTOR))):
        b.write(frame, value, 4 * word)
    b.copy(frame + 4 * ir.FRAME, row + 4 * ARGUMENTS, given << 2)
    most = row_words(mc) - ARGUMENTS + 1
    entries = builder.table(code.entry(i) for code in mc.routines for i in range(most))
    b.push((routine * most + given).entry_of(entries))


# ---- questions


def _write_noted(builder: ModuleBuilder) -> None:
    """noted(): completes the record of what has refused; REFUSED, or FAULT."""
    b = builder.body("noted", (), (I32,))
    node, unmet = b.local(), b.local()
    with b.if_(node.tee(word_at(record(builder, NODE))).ge_s(0)):
        failed = const(builder.failed)
        b.ret_if(FAULT, unmet.tee(builder.call("reason", failed, node, const(0))).eq(FAULT))
        with b.if_(unmet.ge_s(0)):
            b.write(const(record(builder, CONDITION)), unmet)
    b.push(REFUSED)


def _frame(t: Operand) -> Operand:
    """The address of the running frame of a state."""
    return t + (t.load(4 * ir.FP) << 2)


def _begin(builder: ModuleBuilder, b: Body, node: Variable, t: Variable) -> None:
    """`t` becomes a copy of the state, in the branch that is asked about, and `node` its decision."""
    s, branch = b.arguments()[:2]
    top = global_("top")
    reset_run(builder, b)
    for word, value in ((NODE, -1), (WANTED, 0), (FOUND, 0), (CONDITION, -1)):
        b.write(const(record(builder, word)), value)
    decision_at(builder, b, branch, node)
    b.assign(t, top)
    b.assign(top, t + (builder.state_bytes + 15) // 16 * 16)
    b.copy(t, s, builder.state_bytes)
    back_to_main(builder, b)


def _write_candidates(builder: ModuleBuilder) -> None:
    """candidates(s, branch, part): a choice's values, offered or not, at `out`; their number, or below 0."""
    b = builder.body("candidates", (I32, I32, I32), (I32,), export=True)
    part = b.arguments()[2]
    node, t, found = b.variables(I32, I32, I32)
    _begin(builder, b, node, t)
    b.assign(found, builder.call("reach", t, node, part))
    with b.if_(found.eq(FAIL)):
        b.ret_if(FAULT, builder.call("noted").lt_s(0))
        b.ret(FAIL)
    b.ret_if(OK, found.eq(NO_TARGET))
    b.ret_if(found, found.lt_s(0))
    b.write(const(record(builder, NODE)), found)
    b.push(builder.call("listed", t, found))


def _write_why(builder: ModuleBuilder) -> None:
    """why(s, branch, part, value): what refuses a value, or, if it is none, a target of an offer."""
    mc = builder.machine
    b = builder.body("why", (I32,) * 4, (I32,), export=True)
    _, _, part, value = b.arguments()
    node, t, found, unmet = b.variables(I32, I32, I32, I32)
    _begin(builder, b, node, t)
    b.assign(found, builder.call("reach", t, node, part))
    with b.if_(found.eq(FAIL)):
        b.ret(builder.call("noted"))
    for code, answer in ((FAULT, FAULT), (OK, COMPLETE), (NO_TARGET, NOTHING)):
        b.ret_if(answer, found.eq(code))
    b.write(const(record(builder, NODE)), found)
    b.ret_if(ASKS, value.eq(NONE))
    b.ret_if(FAULT, unmet.tee(builder.call("reason", t, found, value)).eq(FAULT))
    with b.if_(unmet.ne(-1)):
        b.write(const(record(builder, CONDITION)), select(unmet, -1, unmet.ge_s(0)))
        b.copy(const(builder.failed), t, builder.state_bytes)
        b.ret(UNWANTED)
    slots = builder.table(n.slot if isinstance(n, ir.Decide) else 0 for n in mc.nodes)
    following = builder.table(n.next if isinstance(n, ir.Decide) else 0 for n in mc.nodes)
    b.write(_frame(t) + (found.entry_of(slots) << 2), value)
    b.write(_frame(t), OK, 4 * ir.RETURN)
    b.ret_if(OFFERED, builder.call("try", t, found.entry_of(following)).ne(FAIL))
    b.push(builder.call("noted"))
