"""Expressions to instructions that leave one 32-bit number on the stack.

Every method returns the interval in which the number lies, so that checks which cannot fail are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, assert_never

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.compile.expressions import calculate
from interpreter.wasm.body import Body, Label
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.faults import BY_ZERO, OUT_OF_BOUNDS, OVERFLOW
from interpreter.wasm.plan import GLOBAL, Plan

Span = tuple[int, int]
WIDE: Span = (-(1 << 31), (1 << 31) - 1)
TRUTH: Span = (0, 1)
COMPARISONS = {
    "<": "i32.lt_s",
    "<=": "i32.le_s",
    ">": "i32.gt_s",
    ">=": "i32.ge_s",
    "==": "i32.eq",
    "!=": "i32.ne",
}


@dataclass(frozen=True, slots=True)
class Known:
    """A value that is the same whenever this code runs."""

    value: int

    @property
    def span(self) -> Span:
        return (self.value, self.value)


@dataclass(frozen=True, slots=True)
class Held:
    """A value in a local of the function."""

    local: int
    span: Span


@dataclass(frozen=True, slots=True)
class Thought:
    """A value that is worked out where it is used, from a state that does not change until then."""

    expr: m.Expr
    span: Span


Value = Known | Held


class Numbers:
    """One function under construction: local 0 is the state, `frame` the address of the running frame."""

    def __init__(self, plan: Plan, body: Body) -> None:
        self.plan = plan
        self.mc = plan.machine
        self.b = body
        self.s = 0
        self.frame = -1
        self.node = 0
        self.regs: dict[int, Value] = {}
        self.slots: dict[int, Value | Thought] = {}
        """Words of the frame that are kept in locals while something is tried without a copy."""
        self.fault_label: Label | None = None
        self.kept: dict[int | None, int] = {}
        """Words of the state that are kept in locals."""
        self.shared: dict[int, tuple[int, int]] = {}
        self.alike: dict[m.Expr, tuple[int, int]] = {}
        self.quiet = False
        """A fault only leads to the label; nobody reads what it was."""

    # ---- small things

    def put(self, value: Value | Thought) -> Span:
        if isinstance(value, Known):
            self.b.i32(value.value)
        elif isinstance(value, Held):
            self.b.get(value.local)
        else:
            return self.num(value.expr)
        return value.span

    @contextmanager
    def reg(self, index: int, value: Value) -> Iterator[None]:
        before = self.regs.get(index)
        self.regs[index] = value
        yield
        if before is None:
            del self.regs[index]
        else:
            self.regs[index] = before

    def fault(self, kind: int, a: Any = 0, b: Any = 0, c: Any = 0) -> None:
        """Leaves the function; `a`, `b`, `c` are numbers or locals as `Held`."""
        assert self.fault_label is not None
        if not self.quiet:
            for x in (kind, self.node, a, b, c):
                self.put(Known(x) if isinstance(x, int) else x)
            self.b.call(self.plan.function("fault", (I32,) * 5, ()))
        self.b.br(self.fault_label)

    @contextmanager
    def faulting(self, label: Label, quiet: bool) -> Iterator[None]:
        before = self.fault_label, self.quiet
        self.fault_label, self.quiet = label, quiet
        yield
        self.fault_label, self.quiet = before

    def load_frame(self) -> None:
        """`frame` becomes the address of the running frame."""
        b = self.b
        if self.frame < 0:
            self.frame = b.local()
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.FP)
        b.i32(2)
        b.op("i32.shl", "i32.add")
        b.set(self.frame)

    def read_slot(self, slot: int) -> None:
        """Leaves a word of the running frame."""
        self.b.get(self.frame)
        self.b.load(4 * slot)

    @contextmanager
    def slot(self, slot: int) -> Iterator[None]:
        """The number that the block's code leaves goes to a word of the running frame."""
        self.b.get(self.frame)
        yield
        self.b.store(4 * slot)

    def row(self, slot: int) -> None:
        """Leaves the address of words of the running frame that are gone through by number."""
        self.b.get(self.frame)
        if slot:
            self.b.i32(4 * slot)
            self.b.op("i32.add")

    def clear_slots(self, first: int, last: int) -> None:
        self.zero(self.frame, 4 * first, last - first)

    def zero(self, base: int, offset: int, words: int) -> None:
        """Words behind the address in a local are zero."""
        b = self.b
        if words > 64:
            b.get(base)
            b.i32(offset)
            b.op("i32.add")
            b.i32(0)
            b.i32(4 * words)
            b.fill()
            return
        while words >= 4:
            b.get(base)
            b.vzero()
            b.vstore(offset)
            offset, words = offset + 16, words - 4
        if words >= 2:
            b.get(base)
            b.i64(0)
            b.mem("i64.store", offset)
            offset, words = offset + 8, words - 2
        if words:
            b.get(base)
            b.i32(0)
            b.store(offset)

    # ---- what is known before

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
        b = self.constant(right) if a is not None else None
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

    # ---- what is worked out once

    @contextmanager
    def sharing(self, *conditions: m.Expr | None) -> Iterator[None]:
        """What stands in the conditions more than once is worked out once; the code runs from here on."""
        found: dict[m.Expr, int] = {}
        bound = frozenset(self.regs)
        for condition in conditions:
            for part in heavy(condition):
                if free(part) <= bound:
                    found[part] = found.get(part, 0) + 1
        twice = [part for part, times in found.items() if times > 1 and part not in self.alike]
        with self._places(twice) as places:
            before = self.alike
            self.alike = before | dict(zip(twice, places, strict=True))
            yield
            self.alike = before

    @contextmanager
    def hoisting(self, reg: int, *conditions: m.Expr | None) -> Iterator[None]:
        """What does not depend on the register of a loop is worked out once, when it is first wanted."""
        outer = frozenset(self.regs) - {reg}
        parts = [p for c in conditions for p in heavy(c) if id(p) not in self.shared and free(p) <= outer]
        with self._places(parts) as places:
            before = self.shared
            self.shared = before | {id(p): x for p, x in zip(parts, places, strict=True)}
            yield
            self.shared = before

    @contextmanager
    def _places(self, parts: list[m.Expr]) -> Iterator[list[tuple[int, int]]]:
        """For each part a local that says whether it is worked out, 0 here, and one for its value."""
        b = self.b
        places = [(b.local(), b.local()) for _ in parts]
        for flag, _ in places:
            b.i32(0)
            b.set(flag)
        yield places
        for place in places:
            b.release(*place)

    def _alike(self, e: m.Expr) -> tuple[int, int] | None:
        return self.alike.get(e) if self.alike and isinstance(e, HEAVY) else None

    def _once(self, e: m.Expr, place: tuple[int, int]) -> Span:
        b = self.b
        flag, value = place
        b.get(flag)
        b.op("i32.eqz")
        b.when()
        span = self.evaluated(e)
        b.set(value)
        b.i32(1)
        b.set(flag)
        b.end()
        b.get(value)
        return span

    # ---- numbers

    def num(self, e: m.Expr) -> Span:
        """Leaves the value on the stack."""
        known = self.constant(e)
        if known is not None:
            self.b.i32(known)
            return (known, known)
        if self.shared or self.alike:
            place = self.shared.get(id(e)) or self._alike(e)
            if place is not None:
                return self._once(e, place)
        return self.evaluated(e)

    def evaluated(self, e: m.Expr) -> Span:
        """Leaves the value on the stack, worked out here."""
        match e:
            case m.Const(value=value):
                self.b.i32(value)
                return (value, value)
            case m.Reg(index=index):
                return self.put(self.regs[index])
            case m.Local(slot=slot):
                return self._local(slot)
            case m.Head(word=word):
                if word in self.kept:
                    self.b.get(self.kept[word])
                    return self._head_span(word)
                self.b.get(self.s)
                self.b.load(4 * word)
                return self._head_span(word)
            case m.Load(address=address):
                at = self.constant(m.Spot(address)) if self.kept else None
                if at in self.kept:
                    self.b.get(self.kept[at])
                    return self._load_span(address)
                offset = self.address(address)
                self.b.load(offset)
                return self._load_span(address)
            case m.Spot(address=address):
                return self._spot(address)
            case m.Op():
                return self._operation(e)
            case m.Not(operand=operand):
                self.num(operand)
                self.b.op("i32.eqz")
                return TRUTH
            case m.If(condition=condition, then=then, otherwise=otherwise):
                self.num(condition)
                self.b.when(I32)
                x = self.num(then)
                self.b.otherwise()
                y = self.num(otherwise)
                self.b.end()
                return (min(x[0], y[0]), max(x[1], y[1]))
            case m.Let(reg=reg, value=value_, body=body):
                return self._let(reg, value_, body)
            case m.Pick(table=table, index=index_, lo=lo):
                return self._pick(table, index_, lo)
            case m.ClassOf(piece=m.PieceAt(place=m.Const(value=at)), classes=classes) if (
                at in self.plan.solid
            ):
                self._place_word(at)
                self.b.i32(1)
                self.b.op("i32.sub")
                return (0, classes - 1)
            case m.ClassOf(piece=piece, classes=classes):
                return self._of_piece(piece, lambda: self._class(classes), (0, classes - 1))
            case m.PlaceIndex(piece=piece, classes=classes, table=table):
                span = (min(table), max(table))
                return self._of_piece(piece, lambda: self._index(classes, table), span)
            case m.PieceAt(place=place, classes=classes):
                return self._piece_at(place, classes)
            case m.Fold():
                return self.fold(e)
            case m.Best():
                return self.best(e)
            case m.Contains(item=item, source=source):
                return self.contains(item, source)
            case m.Size(source=source):
                return self.size(source)
            case m.Can(what=what):
                return self.can(what)
        assert_never(e)

    def fold(self, e: m.Fold) -> Span:
        raise NotImplementedError

    def best(self, e: m.Best) -> Span:
        raise NotImplementedError

    def contains(self, item: m.Expr, source: m.Source) -> Span:
        raise NotImplementedError

    def size(self, source: m.Source) -> Span:
        raise NotImplementedError

    def can(self, what: m.Doing) -> Span:
        raise NotImplementedError

    def held(self, e: m.Expr) -> Value:
        """The value in a local of its own, or as a known one."""
        known = self.constant(e)
        if known is not None:
            return Known(known)
        span = self.num(e)
        local = self.b.local()
        self.b.set(local)
        return Held(local, span)

    def drop(self, *values: Value | Thought) -> None:
        for value in values:
            if isinstance(value, Held):
                self.b.release(value.local)

    def _local(self, slot: int) -> Span:
        if slot in self.slots:
            return self.put(self.slots[slot])
        self.read_slot(slot)
        return (0, self.mc.seats - 1) if slot == m.ME else WIDE

    def _head_span(self, word: int) -> Span:
        if word in (m.ACTIVE,):
            return (0, self.mc.seats - 1)
        return (-1, self.mc.seats - 1) if word == m.ROTATION else WIDE

    def _load_span(self, address: m.Address) -> Span:
        words = self.plan.words_of(address.base)
        if words is None:
            return WIDE
        lo, hi = min(r[0] for r in words.ranges), max(r[1] for r in words.ranges)
        return (NONE, hi) if words.kind == "pointer" else (lo, hi)

    # ---- addresses

    def index(self, term: m.Term) -> Span:
        """Leaves an index on the stack, within its bounds."""
        span = self.num(term.index)
        return self.within(span, term.lo, term.hi)

    def within(self, span: Span, lo: int, hi: int) -> Span:
        """The number on the stack stays there if it is within bounds."""
        if lo <= span[0] and span[1] <= hi:
            return span
        b = self.b
        with b.borrowed(I32) as (i,):
            b.tee(i)
            if lo:
                b.i32(lo)
                b.op("i32.sub")
            b.i32(hi - lo)
            b.op("i32.gt_u")
            b.when()
            self.fault(OUT_OF_BOUNDS, Held(i, WIDE), lo, hi)
            b.end()
            b.get(i)
        return (max(lo, span[0]), min(hi, span[1]))

    def offset(self, address: m.Address, scale: int, base: int | None) -> int:
        """Adds the moving part of an address to `base` (a local, or nothing); returns the fixed part."""
        fixed, b = address.base * scale, self.b
        started = base is not None
        if base is not None:
            b.get(base)
        for term in address.terms:
            known = self.constant(term.index)
            if known is not None and term.lo <= known <= term.hi:
                fixed += (known - term.lo) * term.stride * scale
                continue
            self.index(term)
            if term.stride * scale != 1:
                b.i32(term.stride * scale)
                b.op("i32.mul")
            if started:
                b.op("i32.add")
            started = True
            fixed -= term.lo * term.stride * scale
        if not started:
            b.i32(0)
        if fixed < 0:
            b.i32(fixed)
            b.op("i32.add")
            fixed = 0
        return fixed

    def address(self, address: m.Address) -> int:
        """Leaves an address on the stack; returns what a load has to add to it."""
        return self.offset(address, 4, self.s)

    def _spot(self, address: m.Address) -> Span:
        fixed = self.offset(address, 1, None)
        if fixed:
            self.b.i32(fixed)
            self.b.op("i32.add")
        last = address.base + sum((t.hi - t.lo) * t.stride for t in address.terms)
        return (address.base, last)

    # ---- arithmetic

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

    # ---- locals of expressions, tables, pieces

    def _let(self, reg: int, value: m.Expr, body: m.Expr) -> Span:
        found = self.held(value)
        with self.reg(reg, found):
            span = self.num(body)
        self.drop(found)
        return span

    def _pick(self, table: tuple[int, ...], index: m.Expr, lo: int) -> Span:
        b = self.b
        span = self.num(index)
        span = self.within(span, lo, lo + len(table) - 1)
        first, last = max(span[0], lo) - lo, min(span[1], lo + len(table) - 1) - lo
        part = table[first : last + 1] or table
        if part == tuple(range(part[0], part[0] + len(part))):
            if part[0] - lo - first:
                b.i32(part[0] - lo - first)
                b.op("i32.add")
        elif len(table) == 1:
            b.op("drop")
            b.i32(table[0])
        else:
            self.look_up(self.plan.table(table), lo)
        return (min(part), max(part))

    def look_up(self, table: int, lo: int = 0) -> None:
        """The number on the stack becomes the entry of a table that begins with `lo`."""
        b = self.b
        b.i32(2)
        b.op("i32.shl")
        fixed = table - 4 * lo
        if fixed < 0:
            b.i32(fixed)
            b.op("i32.add")
            fixed = 0
        b.load(fixed)

    def _of_piece(self, piece: m.Expr, found: Any, span: Span) -> Span:
        """Something of a piece; none of none. The piece is on the stack when `found` goes on."""
        b = self.b
        x = self.num(piece)
        if x[0] >= 0:
            found()
            return span
        with b.borrowed(I32) as (p,):
            b.tee(p)
            b.i32(NONE)
            b.op("i32.eq")
            b.when(I32)
            b.i32(NONE)
            b.otherwise()
            b.get(p)
            found()
            b.end()
        return (NONE, span[1])

    def _class(self, classes: int) -> None:
        if classes == 1:
            self.b.op("drop")
            self.b.i32(0)
            return
        self.b.i32(classes)
        self.b.op("i32.rem_u")

    def _index(self, classes: int, table: tuple[int, ...]) -> None:
        if classes > 1:
            self.b.i32(classes)
            self.b.op("i32.div_u")
        self.within((0, WIDE[1]), 0, len(table) - 1)
        self.look_up(self.plan.table(table))

    def _place_word(self, place: int) -> None:
        """Leaves the first word of a known place."""
        base = self.mc.places[place].base
        if base in self.kept:
            self.b.get(self.kept[base])
            return
        self.b.get(self.s)
        self.b.load(4 * base)

    def _piece_at(self, place: m.Expr, classes: int) -> Span:
        b = self.b
        known = self.constant(place)
        if known in self.plan.solid:
            assert known is not None
            self._place_word(known)
            b.i32(known * classes - 1)
            b.op("i32.add")
            return (known * classes, known * classes + classes - 1)
        with b.borrowed(I32, I32) as (p, c):
            if known is not None:
                self._place_word(known)
                b.set(c)
            else:
                span = self.num(place)
                b.set(p)
                self.place_base(p, span)
                b.load(0)
                b.set(c)
            if known is not None:
                b.i32(known * classes - 1)
            else:
                b.get(p)
                b.i32(classes)
                b.op("i32.mul")
                b.i32(1)
                b.op("i32.sub")
            b.get(c)
            b.op("i32.add")
            b.i32(NONE)
            b.get(c)
            b.op("select")
        return (NONE, len(self.mc.places) * classes)

    def place_base(self, place: int, span: Span) -> None:
        """Leaves the address of the first word of the place whose number is in a local."""
        b = self.b
        places = self.mc.places
        first, last = span
        b.get(self.s)
        b.get(place)
        if 0 <= first <= last < len(places):
            stride = self.stride(first, last)
            if stride is not None:
                b.i32(4 * stride)
                b.op("i32.mul")
                b.i32(4 * (places[first].base - first * stride))
                b.op("i32.add", "i32.add")
                return
        b.i32(20)
        b.op("i32.mul")
        b.load(self.plan.places)
        b.i32(2)
        b.op("i32.shl", "i32.add")

    def stride(self, first: int, last: int) -> int | None:
        """The words from place to place, if some places all lie equally far from each other."""
        places = self.mc.places
        if first == last:
            return 0
        step = places[first + 1].base - places[first].base
        if places[last].base - places[first].base != step * (last - first):
            return None
        if any(places[i + 1].base - places[i].base != step for i in range(first, last)):
            return None
        return step

    # ---- globals

    def global_add(self, name: str, amount: int) -> None:
        b, index = self.b, GLOBAL[name]
        b.gget(index)
        b.i32(amount)
        b.op("i32.add")
        b.gset(index)


HEAVY = m.Fold | m.Best | m.Size | m.Contains


def heavy(node: Any) -> Iterator[m.Expr]:
    """The parts of an expression that go through collections, outermost first, each as often as it stands."""
    if isinstance(node, HEAVY):
        yield node
    if isinstance(node, tuple):
        for x in node:
            if is_dataclass(x):
                yield from heavy(x)
    elif is_dataclass(node):
        for f in fields(node):
            yield from heavy(getattr(node, f.name))


def free(node: Any) -> frozenset[int]:
    """The registers that an expression reads and does not bind."""
    if isinstance(node, m.Reg):
        return frozenset((node.index,))
    if isinstance(node, tuple):
        return frozenset().union(*(free(x) for x in node if is_dataclass(x)))
    if not is_dataclass(node):
        return frozenset()
    found = frozenset().union(*(free(getattr(node, f.name)) for f in fields(node)))
    bound = getattr(node, "reg", None)
    return found - {bound} if isinstance(bound, int) else found


def plain(e: m.Expr) -> bool:
    """Whether an expression is quick, cannot fault and has no loop: it may be evaluated in vain."""
    match e:
        case m.Const() | m.Reg() | m.Local() | m.Head():
            return True
        case m.Load(address=address):
            return not address.terms
        case m.Op(op="<" | "<=" | ">" | ">=" | "==" | "!=" | "and" | "or", left=left, right=right):
            return plain(left) and plain(right)
        case m.Not(operand=operand):
            return plain(operand)
    return False


def weight(node: Any) -> int:
    """How many parts an expression or collection has; tables count as one."""
    if isinstance(node, tuple):
        return sum(weight(x) for x in node if is_dataclass(x)) if node and is_dataclass(node[0]) else 0
    if not is_dataclass(node):
        return 0
    return 1 + sum(weight(getattr(node, f.name)) for f in fields(node))
