"""Arithmetic on 32-bit numbers, checked where an interval does not show that it fits."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.machine.fold import calculate
from interpreter.machine.visit import size as weight
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.faults import BY_ZERO, OVERFLOW
from interpreter.wasm.lower.numbers.addresses import Addresses
from interpreter.wasm.lower.numbers.terms import plain
from interpreter.wasm.lower.numbers.values import TRUTH, WIDE, Span

COMPARISONS = {
    "<": "i32.lt_s",
    "<=": "i32.le_s",
    ">": "i32.gt_s",
    ">=": "i32.ge_s",
    "==": "i32.eq",
    "!=": "i32.ne",
}


class Arithmetic(Addresses):
    """Adds operations: sums, comparisons, conditions, division."""

    def _operation(self, e: m.Op) -> Span:
        match e.op:
            case "and" | "or":
                return self.logic(e)
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                return self.compare(e)
            case "min" | "max":
                return self._least(e)
            case "div" | "mod":
                return self._divide(e)
        x = self.num(e.left)
        y = self.num(e.right)
        ends = [calculate(e.op, p, q) for p in x for q in y]
        span = (min(ends), max(ends))
        name = {"+": "add", "-": "sub", "*": "mul"}[e.op]
        if WIDE[0] <= span[0] and span[1] <= WIDE[1]:
            self.b.op(f"i32.{name}")
            return span
        return self._checked(name)

    def _checked(self, name: str) -> Span:
        """The operation in 64 bits; what does not fit into 32 is a fault."""
        b = self.b
        with b.borrowed(I32, I64) as (y, wide):
            b.set(y)
            b.op("i64.extend_i32_s")
            b.get(y)
            b.op("i64.extend_i32_s", f"i64.{name}")
            b.tee(wide)
            b.op("i32.wrap_i64", "i64.extend_i32_s")
            b.get(wide)
            b.op("i64.ne")
            b.when()
            self.fault(OVERFLOW)
            b.end()
            b.get(wide)
            b.op("i32.wrap_i64")
        return WIDE

    # ---- conditions

    def compare(self, e: m.Op) -> Span:
        b = self.b
        if e.op == "==" and self.constant(e.right) == 0:
            self.num(e.left)
            b.op("i32.eqz")
            return TRUTH
        self.num(e.left)
        self.num(e.right)
        b.op(COMPARISONS[e.op])
        return TRUTH

    def truth(self, e: m.Expr) -> None:
        """Leaves 1 or 0 on the stack: whether the expression holds."""
        span = self.num(e)
        if span[0] < 0 or span[1] > 1:
            self.b.i32(0)
            self.b.op("i32.ne")

    def logic(self, e: m.Op) -> Span:
        b = self.b
        self.truth(e.left)
        if plain(e.right) and weight(e.right) <= 8:
            self.truth(e.right)
            b.op("i32.and" if e.op == "and" else "i32.or")
            return TRUTH
        b.when(I32)
        if e.op == "and":
            self.truth(e.right)
            b.otherwise()
            b.i32(0)
        else:
            b.i32(1)
            b.otherwise()
            self.truth(e.right)
        b.end()
        return TRUTH

    # ---- the least, and division

    def _least(self, e: m.Op) -> Span:
        b = self.b
        x = self.num(e.left)
        y = self.num(e.right)
        with b.borrowed(I32, I32) as (p, q):
            b.set(q)
            b.tee(p)
            b.get(q)
            b.get(p)
            b.get(q)
            b.op("i32.lt_s" if e.op == "min" else "i32.gt_s", "select")
        pick = min if e.op == "min" else max
        return (pick(x[0], y[0]), pick(x[1], y[1]))

    def _divide(self, e: m.Op) -> Span:
        """Rounded down, as in the rules; the remainder has the sign of the divisor."""
        b = self.b
        x = self.num(e.left)
        y = self.num(e.right)
        if x[0] >= 0 and y[0] > 0:
            b.op("i32.div_u" if e.op == "div" else "i32.rem_u")
            return (x[0] // y[1], x[1] // y[0]) if e.op == "div" else (0, min(x[1], y[1] - 1))
        if y[0] == y[1] and y[0] > 0:
            return self._divide_by(e.op, y[0], x)
        with b.borrowed(I32, I32, I64) as (p, q, wide):
            b.set(q)
            b.set(p)
            if y[0] <= 0 <= y[1]:
                b.get(q)
                b.op("i32.eqz")
                b.when()
                self.fault(BY_ZERO)
                b.end()
            self._floored(p, q, wide)
            if e.op == "mod":
                b.get(p)
                b.op("i64.extend_i32_s")
                b.get(q)
                b.op("i64.extend_i32_s")
                b.get(wide)
                b.op("i64.mul", "i64.sub", "i32.wrap_i64")
                return (min(0, y[0] + 1), max(0, y[1] - 1))
            b.get(wide)
            b.op("i32.wrap_i64", "i64.extend_i32_s")
            b.get(wide)
            b.op("i64.ne")
            b.when()
            self.fault(OVERFLOW)
            b.end()
            b.get(wide)
            b.op("i32.wrap_i64")
        return WIDE

    def _divide_by(self, op: str, divisor: int, x: Span) -> Span:
        """Both numbers are on the stack; the divisor is known and greater than 0."""
        b = self.b
        b.op("drop")
        span = (x[0] // divisor, x[1] // divisor) if op == "div" else (0, divisor - 1)
        if divisor & (divisor - 1) == 0:
            b.i32(divisor.bit_length() - 1 if op == "div" else divisor - 1)
            b.op("i32.shr_s" if op == "div" else "i32.and")
            return span
        with b.borrowed(I32, I32) as (p, rest):
            b.tee(p)
            b.i32(divisor)
            b.op("i32.rem_s")
            b.tee(rest)
            b.get(rest)
            b.i32(31)
            b.op("i32.shr_s")
            b.i32(divisor)
            b.op("i32.and", "i32.add")
            if op == "div":
                b.set(rest)
                b.get(p)
                b.op("i64.extend_i32_s")
                b.get(rest)
                b.op("i64.extend_i32_s", "i64.sub")
                b.i64(divisor)
                b.op("i64.div_s", "i32.wrap_i64")
        return span

    def _floored(self, p: int, q: int, wide: int) -> None:
        """`wide` becomes p div q, rounded down."""
        b = self.b
        for x in (p, q):
            b.get(x)
            b.op("i64.extend_i32_s")
        b.op("i64.div_s")
        b.tee(wide)
        b.get(wide)
        b.get(q)
        b.op("i64.extend_i32_s", "i64.mul")
        b.get(p)
        b.op("i64.extend_i32_s", "i64.ne")
        b.get(p)
        b.get(q)
        b.op("i32.xor")
        b.i32(0)
        b.op("i32.lt_s", "i32.and", "i64.extend_i32_u", "i64.sub")
        b.set(wide)
