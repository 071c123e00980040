"""Expressions that depend on one register alone: what they are for each of its values."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.lower import const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Constant, Range


def tabular(fx: FunctionContext, node: ir.Expr, reg: int) -> bool:
    """Whether an expression reads nothing but a register and what is known."""
    match node:
        case ir.Const():
            return True
        case ir.Reg(index=index):
            return index == reg or isinstance(fx.regs.get(index), Constant)
        case ir.Op(left=left, right=right):
            return tabular(fx, left, reg) and tabular(fx, right, reg)
        case ir.Not(operand=operand):
            return tabular(fx, operand, reg)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return all(tabular(fx, x, reg) for x in (condition, then, otherwise))
        case ir.Pick(index=index_) | ir.Size(source=ir.Linked(index=index_)):
            return tabular(fx, index_, reg)
    return False


def is_known(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> bool:
    """Whether a condition is known for every value of the interval."""
    if not tabular(fx, e, reg):
        return False
    for x in range(r.lo, r.lo + r.size):
        with fx.reg(reg, Constant(x)):
            if const_eval.constant(fx, e) is None:
                return False
    return True


def table_of(fx: FunctionContext, e: ir.Expr, reg: int, r: Range, most: int = 64) -> tuple[int, ...] | None:
    """What an expression is for each value, if it depends on nothing else and takes few values."""
    if not tabular(fx, e, reg):
        return None
    found = []
    for x in range(r.lo, r.lo + r.size):
        with fx.reg(reg, Constant(x)):
            value = const_eval.constant(fx, e)
        if value is None:
            return None
        found.append(value)
    real = [v for v in found if v != NONE]
    return tuple(found) if not real or max(real) - min(real) < most else None
