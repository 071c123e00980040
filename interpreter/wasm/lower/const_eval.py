"""Compile-time evaluation: expressions whose values are known, and those that cost little or much."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import calculate
from interpreter.wasm.emit.operands import STACK
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value

KNOWABLE = frozenset(
    {
        ir.Const,
        ir.Reg,
        ir.Local,
        ir.Spot,
        ir.Op,
        ir.Not,
        ir.If,
        ir.Pick,
        ir.ClassOf,
        ir.PlaceIndex,
    }
)
"""The expressions of which some do not depend on the state."""


def constant(fx: FunctionContext, e: ir.Expr) -> int | None:
    """The value of an expression that does not depend on the state."""
    if type(e) not in KNOWABLE:
        return None
    match e:
        case ir.Const(value=value):
            return value
        case ir.Reg(index=index):
            found = fx.regs.get(index)
            return found.value if isinstance(found, Constant) else None
        case ir.Local(slot=slot):
            held = fx.slots.get(slot)
            return held.value if isinstance(held, Constant) else None
        case ir.Spot(address=address):
            return _constant_address(fx, address)
        case ir.Op(op=op, left=left, right=right):
            return _constant_op(fx, op, left, right)
        case ir.Not(operand=operand):
            one = constant(fx, operand)
            return None if one is None else int(not one)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            c = constant(fx, condition)
            return None if c is None else constant(fx, then if c else otherwise)
        case ir.Pick(table=table, index=index_, lo=lo):
            i = constant(fx, index_)
            return table[i - lo] if i is not None and 0 <= i - lo < len(table) else None
        case ir.ClassOf(piece=piece, classes=classes):
            p = constant(fx, piece)
            return None if p is None else p if p == NONE else p % classes
        case ir.PlaceIndex(piece=piece, classes=classes, table=table):
            p = constant(fx, piece)
            return None if p is None else p if p == NONE else table[p // classes]
    return None


def _constant_op(fx: FunctionContext, op: str, left: ir.Expr, right: ir.Expr) -> int | None:
    a = constant(fx, left)
    if a is not None and ((op == "and" and not a) or (op == "or" and a)):
        return int(bool(a))
    b = constant(fx, right)
    if a is None and b is not None and plain(left) and ((op == "and" and not b) or (op == "or" and b)):
        return int(bool(b))
    if a is None or b is None or (op in ("div", "mod") and not b):
        return None
    value = calculate(op, a, b)
    return value if WIDE[0] <= value <= WIDE[1] else None


def _constant_address(fx: FunctionContext, address: ir.Address) -> int | None:
    at = address.base
    for term in address.terms:
        i = constant(fx, term.index)
        if i is None or not term.lo <= i <= term.hi:
            return None
        at += (i - term.lo) * term.stride
    return at


def operand(fx: FunctionContext, e: ir.Expr) -> Value:
    """The value in a local of its own, or as a known one."""
    known = constant(fx, e)
    if known is not None:
        return Constant(known)
    span = fx.num(e)
    local = fx.b.local()
    fx.b.assign(local, STACK)
    return InLocal(local, span)


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
