"""If-conversion: what is quick and cannot fail is evaluated without a branch whether it is asked or not.

In random play most conditions are hard to predict, and a branch that was predicted wrongly costs as much as
some fifty instructions.

Source: Allen, Kennedy, Porterfield, Warren, "Conversion of Control Dependence to Data Dependence"
(POPL 1983).
"""

from __future__ import annotations

from dsl.operators import is_division
from interpreter import ir
from interpreter.wasm.lower import addresses
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Lazy

MOST = 10
"""About how many instructions are executed rather than jumped over."""
TOO_MANY = 1000


def is_quick(fx: FunctionContext, *parts: ir.Expr) -> bool:
    """Whether expressions are quick and can come to no fault, even where they are not asked."""
    if fx.one_by_one or fx.mc.cover or sum(_cost(fx, e) for e in parts) > MOST:
        return False

    def evaluate() -> None:
        for e in parts:
            fx.num(e)
            fx.b.drop()

    before = fx.faults, fx.exhaustions
    found = fx.comes_to_faults(evaluate)
    fx.faults, fx.exhaustions = before
    return not found


def _cost(fx: FunctionContext, e: ir.Expr) -> int:
    """About how many instructions it takes to evaluate an expression, or `TOO_MANY`."""
    match e:
        case ir.Const():
            return 0
        case ir.Reg() | ir.Head():
            return 1
        case ir.Local(slot=slot):
            return TOO_MANY if isinstance(fx.slots.get(slot), Lazy) else 1
        case ir.Load(address=address):
            return 1 + sum(1 + _cost(fx, term.index) for term in address.terms)
        case ir.Pick(index=index):
            return 2 + _cost(fx, index)
        case ir.Not(operand=operand):
            return 1 + _cost(fx, operand)
        case ir.Op(op=op, left=left, right=right) if not is_division(op):
            return 1 + _cost(fx, left) + _cost(fx, right)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return 2 + _cost(fx, condition) + _cost(fx, then) + _cost(fx, otherwise)
        case ir.ClassOf(piece=piece) | ir.PlaceIndex(piece=piece):
            return 2 if addresses.piece_in_loop(fx, piece) is not None else TOO_MANY
    return TOO_MANY
