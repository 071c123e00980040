"""What is known to be there: behind `x exists and …`, and behind `x is none or …`, x is not none.

A fact holds where the condition that it follows from has been asked. It makes the interval of the expression
smaller, so that checks which cannot fail are left out, and nothing there counts as a possible fault.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.lower.context import FunctionContext, KnownPresence
from interpreter.wasm.lower.values import Interval, Lazy, Value

SMALL = ir.Reg | ir.Local | ir.Load | ir.Pick | ir.PieceAt


def when(fx: FunctionContext, condition: ir.Expr | None, holds: bool) -> AbstractContextManager[None]:
    """The block's code runs only where a condition holds, or only where it does not."""
    found = [id(fx.builder.first_equal(e)) for e in present(condition, holds)]
    return KnownPresence(fx, frozenset(found)) if found else nullcontext()


def tells(condition: ir.Expr) -> bool:
    """Whether something is known to be there where a condition holds, or where it does not."""
    return bool(present(condition, True) or present(condition, False))


def present(e: ir.Expr | None, holds: bool) -> list[ir.Expr]:
    """What cannot be none if a condition holds, or if it does not."""
    match e:
        case ir.Not(operand=operand):
            return present(operand, not holds)
        case ir.Op(op="and" | "or", left=left, right=right) if (e.op == "and") == holds:
            return present(left, holds) + present(right, holds)
        case ir.Op(
            op="==" | "!=",
            left=ir.Reg() | ir.Local() | ir.Load() | ir.Pick() | ir.PieceAt() as left,
            right=right,
        ) if right == ir.Const(NONE) and (e.op == "!=") == holds:
            return [left]
    return []


def narrowed(fx: FunctionContext, e: ir.Expr, span: Interval) -> Interval:
    """The interval of an expression, without none where that is known."""
    if span[0] != NONE or not isinstance(e, SMALL) or id(fx.builder.first_equal(e)) not in fx.present:
        return span
    lowest = least(fx, e)
    return span if lowest is None else (lowest, span[1])


def least(fx: FunctionContext, e: ir.Expr) -> int | None:
    """A bound below all that an expression can be besides none, if there is one."""
    match e:
        case ir.Const(value=value):
            return None if value == NONE else value
        case ir.Pick(table=table):
            return min((value for value in table if value != NONE), default=None)
        case ir.Load(address=address):
            words = fx.builder.words_of(address.base)
            return None if words is None else min(lo for lo, _ in words.ranges)
        case ir.PieceAt():
            return 0
        case ir.Reg(index=index):
            return _least_of(fx, fx.regs.get(index))
        case ir.Local(slot=slot):
            return _least_of(fx, fx.slots.get(slot))
        case ir.Best(source=source):
            return fx.domain(source)[0]
    return None


def _least_of(fx: FunctionContext, value: Value | Lazy | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, Lazy):
        return least(fx, value.expr)
    return value.least
