"""Arithmetic on 32-bit numbers, checked where an interval does not show that it fits."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from dsl.operators import Division
from interpreter import ir
from interpreter.ir.fold import calculate
from interpreter.ir.operators import Comparison, is_comparison
from interpreter.ir.visit import node_count
from interpreter.wasm.abi import BY_ZERO, OVERFLOW
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, STACK_64, Operand, Variable, select
from interpreter.wasm.lower import const_eval, if_conversion, presence
from interpreter.wasm.lower.const_eval import plain
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import TRUTH, WIDE, Interval

COMPARISONS: Mapping[Comparison, str] = {
    "<": "lt_s",
    "<=": "le_s",
    ">": "gt_s",
    ">=": "ge_s",
    "==": "eq",
    "!=": "ne",
}


def operation(fx: FunctionContext, e: ir.Op) -> Interval:
    match e.op:
        case "and" | "or":
            return fx.logic(e)
        case "<" | "<=" | ">" | ">=" | "==" | "!=":
            return fx.compare(e)
        case "min" | "max":
            return _least(fx, e)
        case "div" | "mod":
            return _divide(fx, e.op, e)
        case "+":
            return _added(fx, e, operator.add)
        case "-":
            return _added(fx, e, operator.sub)
        case "*":
            return _added(fx, e, operator.mul)
    assert_never(e.op)


def _added(fx: FunctionContext, e: ir.Op, apply: Callable[[Operand, Operand], Operand]) -> Interval:
    """A sum, a difference or a product: the ends of its interval come from those of its operands."""
    x = fx.num(e.left)
    y = fx.num(e.right)
    ends = [calculate(e.op, p, q) for p in x for q in y]
    span = (min(ends), max(ends))
    if WIDE[0] <= span[0] and span[1] <= WIDE[1]:
        fx.b.push(apply(STACK, STACK))
        return span
    return checked(fx, apply)


def checked(fx: FunctionContext, apply: Callable[[Operand, Operand], Operand]) -> Interval:
    """The operation in 64 bits; what does not fit into 32 is a fault."""
    b = fx.b
    with b.temporaries(I32, I64) as (y, wide):
        b.assign(y, STACK)
        b.push(wide.tee(apply(STACK.extended(), y.extended())))
        narrow(fx, wide)
    return WIDE


IN_32_BITS = STACK_64.wrapped().extended()
"""What is left in 32 bits of the 64-bit number on the stack, as 64 bits again."""


def narrow(fx: FunctionContext, wide: Variable) -> None:
    """The 64-bit number on the stack, which is also in a local, becomes one of 32 bits, or a fault."""
    b = fx.b
    with b.if_(IN_32_BITS.ne(wide)):
        fx.fault(OVERFLOW)
    b.push(wide.wrapped())


# ---- conditions


def comparison(fx: FunctionContext, e: ir.Op) -> Interval:
    assert is_comparison(e.op)
    b = fx.b
    if e.op == "==" and const_eval.constant(fx, e.right) == 0:
        fx.num(e.left)
        b.push(STACK.eqz())
        return TRUTH
    fx.num(e.left)
    fx.num(e.right)
    b.push(STACK.compare(COMPARISONS[e.op], STACK))
    return TRUTH


def truth(fx: FunctionContext, e: ir.Expr) -> None:
    """Leaves 1 or 0 on the stack: whether the expression holds."""
    span = fx.num(e)
    if span[0] < 0 or span[1] > 1:
        fx.b.push(STACK.ne(0))


def short_circuit(fx: FunctionContext, e: ir.Op) -> Interval:
    b = fx.b
    truth(fx, e.left)
    if (plain(e.right) and node_count(e.right) <= 8) or if_conversion.is_quick(fx, e.right):
        truth(fx, e.right)
        b.push(STACK & STACK if e.op == "and" else STACK | STACK)
        return TRUTH
    with b.if_(STACK, I32):
        if e.op == "and":
            with presence.when(fx, e.left, True):
                truth(fx, e.right)
            b.otherwise()
            b.push(0)
        else:
            b.push(1)
            b.otherwise()
            with presence.when(fx, e.left, False):
                truth(fx, e.right)
    return TRUTH


def choice(fx: FunctionContext, e: ir.If) -> Interval:
    """One of two values; both are evaluated if that is quick."""
    b = fx.b
    if not presence.tells(e.condition) and if_conversion.is_quick(fx, e.then, e.otherwise):
        x = fx.num(e.then)
        y = fx.num(e.otherwise)
        fx.num(e.condition)
        b.push(select(STACK, STACK, STACK))
        return (min(x[0], y[0]), max(x[1], y[1]))
    fx.num(e.condition)
    with b.if_(STACK, I32):
        with presence.when(fx, e.condition, True):
            x = fx.num(e.then)
        b.otherwise()
        with presence.when(fx, e.condition, False):
            y = fx.num(e.otherwise)
    return (min(x[0], y[0]), max(x[1], y[1]))


# ---- the least, and division


def _least(fx: FunctionContext, e: ir.Op) -> Interval:
    b = fx.b
    x = fx.num(e.left)
    y = fx.num(e.right)
    with b.temporaries(I32, I32) as (p, q):
        b.assign(q, STACK)
        b.push(select(p.tee(STACK), q, p.lt_s(q) if e.op == "min" else p.gt_s(q)))
    pick = min if e.op == "min" else max
    return (pick(x[0], y[0]), pick(x[1], y[1]))


def _divide(fx: FunctionContext, op: Division, e: ir.Op) -> Interval:
    """Rounded down, as in the rules; the remainder has the sign of the divisor."""
    b = fx.b
    x = fx.num(e.left)
    if op == "div" and (places := _shift(e.right)) is not None:
        fewest, most = fx.num(places)
        b.push(STACK.shr_s(STACK))
        ends = [end >> n for end in x for n in (fewest, most)]
        return min(ends), max(ends)
    y = fx.num(e.right)
    if y[0] == y[1] and _is_power(y[0]):
        return _divide_by(fx, op, y[0], x)
    if x[0] >= 0 and y[0] > 0:
        b.push(STACK.div_u(STACK) if op == "div" else STACK.rem_u(STACK))
        return (x[0] // y[1], x[1] // y[0]) if op == "div" else (0, min(x[1], y[1] - 1))
    if y[0] == y[1] and y[0] > 0:
        return _divide_by(fx, op, y[0], x)
    with b.temporaries(I32, I32, I64) as (p, q, quotient):
        b.assign(q, STACK)
        b.assign(p, STACK)
        if y[0] <= 0 <= y[1]:
            with b.if_(q.eqz()):
                fx.fault(BY_ZERO)
        # one less than the truncated quotient, if there is a remainder and the signs differ
        truncated = quotient.tee(p.extended().div_s(q.extended()))
        rest = (quotient * q.extended()).ne(p.extended())
        b.assign(quotient, truncated - (rest & (p ^ q).lt_s(0)).widened())
        if op == "mod":
            b.push((p.extended() - q.extended() * quotient).wrapped())
            return (min(0, y[0] + 1), max(0, y[1] - 1))
        b.push(quotient)
        narrow(fx, quotient)
    return WIDE


def _shift(divisor: ir.Expr) -> ir.Pick | None:
    """By how many bits to shift, for a divisor from a table of powers of two."""
    if not isinstance(divisor, ir.Pick) or not all(map(_is_power, divisor.table)):
        return None
    return replace(divisor, table=tuple(n.bit_length() - 1 for n in divisor.table))


def _is_power(divisor: int) -> bool:
    """Whether it is a power of two."""
    return divisor > 0 and divisor & (divisor - 1) == 0


def _divide_by(fx: FunctionContext, op: Division, divisor: int, x: Interval) -> Interval:
    """Both numbers are on the stack; the divisor is known and greater than 0."""
    b = fx.b
    b.drop()
    span = (x[0] // divisor, x[1] // divisor) if op == "div" else (0, divisor - 1)
    if _is_power(divisor):
        b.push(STACK.shr_s(divisor.bit_length() - 1) if op == "div" else STACK & divisor - 1)
        return span
    with b.temporaries(I32, I32) as (p, rest):
        # the remainder as truncated, plus the divisor if that is negative
        b.push(rest.tee(p.tee(STACK).rem_s(divisor)) + (rest.shr_s(31) & divisor))
        if op == "div":
            b.assign(rest, STACK)
            b.push((p.extended() - rest.extended()).div_s(divisor).wrapped())
    return span
