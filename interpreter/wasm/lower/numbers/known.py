"""What is known before the code runs."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.machine.fold import calculate
from interpreter.wasm.lower.numbers.terms import plain
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value
from interpreter.wasm.lower.numbers.writer import Writer


class Knowing(Writer):
    """Works out expressions that do not depend on the state."""

    def constant(self, e: m.Expr) -> int | None:
        """The value of an expression that does not depend on the state."""
        match e:
            case m.Const(value=value):
                return value
            case m.Reg(index=index):
                found = self.regs.get(index)
                return found.value if isinstance(found, Known) else None
            case m.Local(slot=slot):
                held = self.slots.get(slot)
                return held.value if isinstance(held, Known) else None
            case m.Spot(address=address):
                return self._constant_address(address)
            case m.Op(op=op, left=left, right=right):
                return self._constant_op(op, left, right)
            case m.Not(operand=operand):
                one = self.constant(operand)
                return None if one is None else int(not one)
            case m.If(condition=condition, then=then, otherwise=otherwise):
                c = self.constant(condition)
                return None if c is None else self.constant(then if c else otherwise)
            case m.Pick(table=table, index=index_, lo=lo):
                i = self.constant(index_)
                return table[i - lo] if i is not None and 0 <= i - lo < len(table) else None
            case m.ClassOf(piece=piece, classes=classes):
                p = self.constant(piece)
                return None if p is None else p if p == NONE else p % classes
            case m.PlaceIndex(piece=piece, classes=classes, table=table):
                p = self.constant(piece)
                return None if p is None else p if p == NONE else table[p // classes]
        return None

    def _constant_op(self, op: str, left: m.Expr, right: m.Expr) -> int | None:
        a = self.constant(left)
        if a is not None and ((op == "and" and not a) or (op == "or" and a)):
            return int(bool(a))
        b = self.constant(right)
        if a is None and b is not None and plain(left) and ((op == "and" and not b) or (op == "or" and b)):
            return int(bool(b))
        if a is None or b is None or (op in ("div", "mod") and not b):
            return None
        value = calculate(op, a, b)
        return value if WIDE[0] <= value <= WIDE[1] else None

    def _constant_address(self, address: m.Address) -> int | None:
        at = address.base
        for term in address.terms:
            i = self.constant(term.index)
            if i is None or not term.lo <= i <= term.hi:
                return None
            at += (i - term.lo) * term.stride
        return at

    def held(self, e: m.Expr) -> Value:
        """The value in a local of its own, or as a known one."""
        known = self.constant(e)
        if known is not None:
            return Known(known)
        span = self.num(e)
        local = self.b.local()
        self.b.set(local)
        return Held(local, span)
