"""Compile-time evaluation: expressions whose values are known, and those that cost little or much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl.domains import NONE
from dsl.operators import Connective, is_division
from interpreter import ir
from interpreter.ir.fold import calculate
from interpreter.ir.operators import Operator
from interpreter.wasm.emit.operands import STACK
from interpreter.wasm.lower import presence
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value


def constant(fx: FunctionContext, e: ir.Expr) -> int | None:
    """The value of an expression that does not depend on the state."""
    evaluate = _BY_KIND.get(type(e))
    return None if evaluate is None else evaluate(fx, e)


def known_or_pushed(fx: FunctionContext, condition: ir.Expr | None) -> bool | None:
    """What a condition comes to, true if there is none. If that is not known, its value is on the stack."""
    if condition is None:
        return True
    known = constant(fx, condition)
    if known is None:
        fx.num(condition)
        return None
    return known != 0


def _register(fx: FunctionContext, e: ir.Reg) -> int | None:
    found = fx.regs.get(e.index)
    return found.value if isinstance(found, Constant) else None


def _local(fx: FunctionContext, e: ir.Local) -> int | None:
    held = fx.slots.get(e.slot)
    return held.value if isinstance(held, Constant) else None


def _negation(fx: FunctionContext, e: ir.Not) -> int | None:
    one = constant(fx, e.operand)
    return None if one is None else int(not one)


def _choice(fx: FunctionContext, e: ir.If) -> int | None:
    condition = constant(fx, e.condition)
    return None if condition is None else constant(fx, e.then if condition else e.otherwise)


def _picked(fx: FunctionContext, e: ir.Pick) -> int | None:
    i = constant(fx, e.index)
    return e.table[i - e.lo] if i is not None and 0 <= i - e.lo < len(e.table) else None


def _class(fx: FunctionContext, e: ir.ClassOf) -> int | None:
    piece = constant(fx, e.piece)
    return None if piece is None else piece if piece == NONE else piece % e.classes


def _place_index(fx: FunctionContext, e: ir.PlaceIndex) -> int | None:
    piece = constant(fx, e.piece)
    return None if piece is None else piece if piece == NONE else e.table[piece // e.classes]


def _number_of_links(fx: FunctionContext, e: ir.Size) -> int | None:
    if not isinstance(e.source, ir.Linked):
        return None
    i = constant(fx, e.source.index)
    return (
        len(e.source.links[i - e.source.lo])
        if i is not None and 0 <= i - e.source.lo < len(e.source.links)
        else None
    )


def _operation(fx: FunctionContext, e: ir.Op) -> int | None:
    a = constant(fx, e.left)
    if e.op == "and" or e.op == "or":
        return _logic(fx, e.op, e, a)
    return None if a is None else result(e.op, a, constant(fx, e.right))


def _logic(fx: FunctionContext, op: Connective, e: ir.Op, a: int | None) -> int | None:
    """`and` or `or`, if the left side is known to be `a`, or is not known."""
    if a is not None and settles(op, a):
        return int(bool(a))
    if a is None and not plain(e.left):
        return None
    b = constant(fx, e.right)
    if a is None:
        return int(bool(b)) if b is not None and settles(op, b) else None
    return result(op, a, b)


def settles(op: Connective, value: int) -> bool:
    """Whether `and` or `or` is decided by a side with this value."""
    return bool(value) == (op == "or")


def result(op: Operator, a: int | None, b: int | None) -> int | None:
    """What an operator comes to; none if a side is not known, or it faults."""
    if a is None or b is None or (not b and is_division(op)):
        return None
    value = calculate(op, a, b)
    return value if WIDE[0] <= value <= WIDE[1] else None


def _spot(fx: FunctionContext, e: ir.Spot) -> int | None:
    at = e.address.base
    for term in e.address.terms:
        i = constant(fx, term.index)
        if i is None or not term.lo <= i <= term.hi:
            return None
        at += (i - term.lo) * term.stride
    return at


_BY_KIND: dict[type[ir.Expr], Callable[[FunctionContext, Any], int | None]] = {
    ir.Const: lambda _, e: e.value,
    ir.Reg: _register,
    ir.Local: _local,
    ir.Spot: _spot,
    ir.Op: _operation,
    ir.Not: _negation,
    ir.If: _choice,
    ir.Pick: _picked,
    ir.ClassOf: _class,
    ir.PlaceIndex: _place_index,
    ir.Size: _number_of_links,
}
"""How those expressions are evaluated that may not depend on the state; all others do."""


def operand(fx: FunctionContext, e: ir.Expr) -> Value:
    """The value in a local of its own, or as a known one."""
    known = constant(fx, e)
    if known is not None:
        return Constant(known)
    span = fx.num(e)
    local = fx.b.local()
    fx.b.assign(local, STACK)
    return InLocal(local, span, least=presence.least(fx, e) if span[0] == NONE else span[0])


# ---- the cost of expressions


def plain(e: ir.Expr) -> bool:
    """Whether an expression is quick, cannot fault and has no loop: it may be evaluated speculatively."""
    match e:
        case ir.Const() | ir.Reg() | ir.Local() | ir.Head():
            return True
        case ir.Load(address=address):
            return not address.terms
        case ir.Op(op="<" | "<=" | ">" | ">=" | "==" | "!=" | "and" | "or", left=left, right=right):
            return plain(left) and plain(right)
        case ir.Not(operand=operand):
            return plain(operand)
    return False
