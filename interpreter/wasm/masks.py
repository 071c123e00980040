"""Conditions on all values of an interval at once: sets of bits instead of loops.

A condition with a free register is turned into the set of the values for which it holds. What compares a
pointer or mark of a place is read off its bit board; what depends on the value alone is known beforehand;
`and`, `or`, `not`, `any` and `all` are operations on sets; the rest is asked of each value that is still in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.boards import FEWEST, MOST, Board
from interpreter.wasm.encoding import I32, I64, V128
from interpreter.wasm.numbers import Held, Known, Value, plain, weight
from interpreter.wasm.sources import ONE, Sources, Visit

Bits = list[int]
"""Locals of 64 bits, the lowest first."""

OPPOSITE: dict[str, Any] = {"and": "or", "or": "and", "==": "!=", "!=": "=="}
WRITTEN_OUT = 900
"""The most parts that a fold over known values may come to when it is written out as a set."""


@dataclass(frozen=True, slots=True)
class Range:
    """The interval whose values have bits."""

    lo: int
    size: int

    @property
    def words(self) -> int:
        return (self.size + 63) // 64

    @property
    def all(self) -> int:
        return (1 << self.size) - 1


def depends(node: Any, reg: int) -> bool:
    """Whether an expression reads a register."""
    if isinstance(node, m.Reg):
        return node.index == reg
    if isinstance(node, tuple):
        return any(depends(x, reg) for x in node) if node and is_dataclass(node[0]) else False
    if not is_dataclass(node):
        return False
    return any(depends(getattr(node, f.name), reg) for f in fields(node))


def replaced(node: Any, reg: int, value: m.Expr) -> Any:
    """The expression with another in the place of a register."""
    if isinstance(node, m.Reg):
        return value if node.index == reg else node
    if isinstance(node, tuple):
        return tuple(replaced(x, reg, value) for x in node) if node and is_dataclass(node[0]) else node
    if not is_dataclass(node) or isinstance(node, type):
        return node
    found = {f.name: replaced(getattr(node, f.name), reg, value) for f in fields(node)}
    return replace(node, **found)


class Masks(Sources):
    """Emits sets of bits."""

    def tabular(self, node: m.Expr, reg: int) -> bool:
        """Whether an expression reads nothing but a register and what is known."""
        match node:
            case m.Const():
                return True
            case m.Reg(index=index):
                return index == reg or isinstance(self.regs.get(index), Known)
            case m.Op(left=left, right=right):
                return self.tabular(left, reg) and self.tabular(right, reg)
            case m.Not(operand=operand):
                return self.tabular(operand, reg)
            case m.If(condition=condition, then=then, otherwise=otherwise):
                return all(self.tabular(x, reg) for x in (condition, then, otherwise))
            case m.Pick(index=index_):
                return self.tabular(index_, reg)
        return False

    # ---- whether it is worth it

    def range_of(self, source: m.Source, reg: int, where: m.Expr | None, once: bool) -> Range | None:
        """The interval of a collection, if it is small enough: that of a bit board which is asked, if any.

        `once`: each value must stand in the collection once.
        """
        if once and not _once(source):
            return None
        asked = self._asked(where, reg)
        if asked is not None:
            return asked
        match source:
            case m.Values(values=values) if values:
                lo, hi = min(values), max(values)
            case m.Linked(links=links) if any(links):
                flat = [v for row in links for v in row]
                lo, hi = min(flat), max(flat)
            case m.Filtered(source=inner, reg=reg_, where=where_):
                return self.range_of(inner, reg_, where_, once)
            case m.Spread(links=links, lo=lo_):
                lo, hi = lo_, lo_ + len(links) - 1
            case _:
                return None
        return Range(lo, hi - lo + 1) if FEWEST <= hi - lo + 1 <= MOST else None

    def _asked(self, e: m.Expr | None, reg: int) -> Range | None:
        """The indices of what a condition asks at a register."""
        for part in _loads(e):
            words = self.plan.words_of(part.address.base)
            board = self.plan.boards.get(words.name) if words is not None else None
            if board is not None and self._board_of(part, reg, Range(board.lo, board.size)) is not None:
                return Range(board.lo, board.size)
            moving = [t for t in part.address.terms if t.index == m.Reg(reg)]
            if len(moving) == 1 and FEWEST <= moving[0].hi - moving[0].lo + 1 <= MOST:
                r = Range(moving[0].lo, moving[0].hi - moving[0].lo + 1)
                if self._is_column(part, reg, r):
                    return r
        return None

    def settable(self, e: m.Expr, reg: int, r: Range) -> bool:
        """Whether a condition becomes a set by operations on sets alone."""
        if not depends(e, reg):
            return True
        e = _drawn_in(e, reg)
        match e:
            case m.Op(op="and" | "or", left=left, right=right):
                return self.settable(left, reg, r) and self.settable(right, reg, r)
            case m.Not(operand=operand):
                return self.settable(operand, reg, r)
            case m.If(condition=condition, then=then, otherwise=otherwise):
                return (
                    not depends(condition, reg)
                    and self.settable(then, reg, r)
                    and self.settable(otherwise, reg, r)
                )
            case m.Let(reg=inner, value=value, body=body):
                if not depends(value, reg):
                    return self.settable(body, reg, r)
                return self.tabular(value, reg) and self.settable(replaced(body, inner, value), reg, r)
            case m.Load():
                return self._board_of(e, reg, r) is not None
            case m.Op(op="<" | "<=" | ">" | ">=", left=m.Load() as load, right=right):
                return not depends(right, reg) and self._is_column(load, reg, r)
            case m.Op(op="==" | "!=", left=left, right=right):
                return (
                    self._equality(left, right, reg, r)
                    or self._equality(right, left, reg, r)
                    or self.is_known(e, reg, r)
                )
            case m.Contains(item=item, source=source):
                return self._membership(item, source, reg, r)
            case m.Fold(kind="any" | "all"):
                return self._folds(e, reg, r)
        return self.is_known(e, reg, r)

    def is_known(self, e: m.Expr, reg: int, r: Range) -> bool:
        """Whether a condition is known for every value of the interval."""
        if not self.tabular(e, reg):
            return False
        for x in range(r.lo, r.lo + r.size):
            with self.reg(reg, Known(x)):
                if self.constant(e) is None:
                    return False
        return True

    def _equality(self, left: m.Expr, right: m.Expr, reg: int, r: Range) -> bool:
        if depends(right, reg):
            return False
        if right == m.Const(0) and self._firsts(left, reg, r) is not None:
            return True
        if isinstance(left, m.Load):
            return self._board_of(left, reg, r) is not None or self._is_column(left, reg, r)
        return left == m.Reg(reg) or self.table_of(left, reg, r) is not None

    def table_of(self, e: m.Expr, reg: int, r: Range, most: int = 64) -> tuple[int, ...] | None:
        """What an expression is for each value, if it depends on nothing else and takes few values."""
        if not self.tabular(e, reg):
            return None
        found = []
        for x in range(r.lo, r.lo + r.size):
            with self.reg(reg, Known(x)):
                value = self.constant(e)
            if value is None:
                return None
            found.append(value)
        real = [v for v in found if v != NONE]
        return tuple(found) if not real or max(real) - min(real) < most else None

    def _membership(self, item: m.Expr, source: m.Source, reg: int, r: Range) -> bool:
        if item == m.Reg(reg):
            if depends(source, reg):
                return False
            return self.set_of(source, r)
        return (
            isinstance(source, m.Linked)
            and source.index == m.Reg(reg)
            and not depends(item, reg)
            and len(source.links) == r.size
            and source.lo == r.lo
        )

    def _folds(self, e: m.Fold, reg: int, r: Range) -> bool:
        parts = [x for x in (e.where, e.body) if x is not None]
        source = e.source
        if isinstance(source, m.Values):
            cost = len(source.values) * (weight(e.where) + weight(e.body) + 4)
            return cost <= WRITTEN_OUT and self._begin_settable(e, parts, reg, r)
        return (
            isinstance(source, m.Linked)
            and source.index == m.Reg(reg)
            and (source.lo, len(source.links)) == (r.lo, r.size)
            and not any(depends(x, reg) for x in parts)
            and (inner := self.range_of(source, e.reg, None, True)) is not None
            and inner.lo >= r.lo
            and inner.lo + inner.size <= r.lo + r.size
            and all(self.settable(x, e.reg, r) for x in parts)
        )

    def _begin_settable(self, e: m.Fold, parts: list[m.Expr], reg: int, r: Range) -> bool:
        """Whether the condition of a written out fold is a set, or begins with one: the rest is asked."""
        for value in e.source.values if isinstance(e.source, m.Values) else ():
            with self.reg(e.reg, Known(value)):
                for part in parts:
                    rest = _split(_drawn_in(part, reg), reg)[1]
                    if rest is None or self.settable(rest, reg, r):
                        continue
                    first = _drawn_in(_joined(rest)[0], reg)
                    while isinstance(first, m.Op) and first.op == "and":
                        first = _drawn_in(first.left, reg)
                    if e.kind != "any" or not self.settable(first, reg, r):
                        return False
        return True

    def set_of(self, source: m.Source, r: Range) -> bool:
        """Whether a collection becomes a set of an interval without a loop."""
        match source:
            case m.Values(values=values):
                return all(r.lo <= v < r.lo + r.size for v in values)
            case m.Filtered(reg=reg, source=inner, where=where):
                return self.set_of(inner, r) and (where is None or self.settable(where, reg, r))
            case m.Linked(links=links):
                return all(r.lo <= v < r.lo + r.size for row in links for v in row)
            case m.Listed(items=items):
                return len(items) <= 8
            case m.Joined(parts=parts):
                return all(self.set_of(p, r) for p in parts)
            case m.Spread(links=links, lo=lo, start=start, through=through):
                inside = r.lo == lo and r.size == len(links)
                return inside and self.set_of(start, r) and self.set_of(through, r)
        return False

    def worthwhile(self, source: m.Source, reg: int, where: m.Expr | None, once: bool = True) -> Range | None:
        """The interval, if a collection and its condition are better found as a set."""
        r = self.range_of(source, reg, where, once)
        if r is None or not self.set_of(source, r):
            return None
        if not isinstance(source, m.Values | m.Linked | m.Joined | m.Listed):
            return r
        if where is None:
            return None
        first = _drawn_in(where, reg)
        while isinstance(first, m.Op) and first.op == "and":
            first = _drawn_in(first.left, reg)
        if not depends(first, reg) and self.settable(where, reg, r):
            return r
        return r if depends(first, reg) and self.settable(first, reg, r) else None

    def each(self, source: m.Source, visit: Visit, cost: int = 0) -> None:
        inner, reg, where = source, -1, None
        if isinstance(source, m.Filtered):
            inner, reg, where = source.source, source.reg, source.where
        r = self.worthwhile(inner, reg, where)
        if r is None:
            super().each(source, visit, cost)
            return
        bits = self.chosen_bits(inner, reg, where, r)
        self.each_bit(bits, r, lambda value: visit(value, ONE))
        self.free(bits)

    # ---- emission

    def bits(self, r: Range) -> Bits:
        return [self.b.local(I64) for _ in range(r.words)]

    def free(self, bits: Bits) -> None:
        self.b.release(*bits)

    def set_bits(self, to: Bits, value: int) -> None:
        for i, local in enumerate(to):
            self.b.i64(value >> 64 * i & (1 << 64) - 1)
            self.b.set(local)

    def combine(self, to: Bits, op: str, other: Bits) -> None:
        for x, y in zip(to, other, strict=True):
            self.b.get(x)
            self.b.get(y)
            self.b.op(op)
            self.b.set(x)

    def copy_bits(self, to: Bits, other: Bits) -> None:
        for x, y in zip(to, other, strict=True):
            self.b.get(y)
            self.b.set(x)

    def minus(self, to: Bits, other: Bits) -> None:
        """`to` loses what is in the other."""
        for x, y in zip(to, other, strict=True):
            self.b.get(x)
            self.b.get(y)
            self.b.i64(-1)
            self.b.op("i64.xor", "i64.and")
            self.b.set(x)

    def any_bit(self, bits: Bits) -> None:
        """Leaves whether a set is not empty."""
        b = self.b
        b.get(bits[0])
        for local in bits[1:]:
            b.get(local)
            b.op("i64.or")
        b.i64(0)
        b.op("i64.ne")

    def how_many(self, bits: Bits) -> None:
        b = self.b
        for i, local in enumerate(bits):
            b.get(local)
            b.op("i64.popcnt")
            if i:
                b.op("i64.add")
        b.op("i32.wrap_i64")

    def each_bit(self, bits: Bits, r: Range, visit: Callable[[Held], None]) -> None:
        """Emits `visit` for every value of a set, ascending; the set is empty afterwards."""
        b = self.b
        for i, local in enumerate(bits):
            with b.borrowed(I32) as (v,):
                out = b.block()
                again = b.loop()
                b.get(local)
                b.op("i64.eqz")
                b.br_if(out)
                b.get(local)
                b.op("i64.ctz", "i32.wrap_i64")
                if r.lo + 64 * i:
                    b.i32(r.lo + 64 * i)
                    b.op("i32.add")
                b.set(v)
                b.get(local)
                b.get(local)
                b.i64(1)
                b.op("i64.sub", "i64.and")
                b.set(local)
                visit(Held(v, (r.lo, r.lo + r.size - 1)))
                b.br(again)
                b.end()
                b.end()

    def chosen_bits(self, source: m.Source, reg: int, where: m.Expr | None, r: Range) -> Bits:
        """The set of a collection's values that meet a condition."""
        found = self.source_bits(source, r)
        if where is not None:
            self.keep(where, reg, r, found)
        return found

    def keep(self, e: m.Expr, reg: int, r: Range, bits: Bits) -> None:
        """The set keeps the values for which a condition holds."""
        b = self.b
        if not depends(e, reg):
            known = self.constant(e)
            if known is not None:
                if not known:
                    self.set_bits(bits, 0)
                return
            self.truth(e)
            b.op("i32.eqz")
            b.when()
            self.set_bits(bits, 0)
            b.end()
            return
        e = _drawn_in(e, reg)
        if isinstance(e, m.Op) and e.op == "and":
            self.keep(e.left, reg, r, bits)
            if plain(e.right) or self._cannot_fault(e.right, reg, r):
                self.keep(e.right, reg, r, bits)
                return
            self.any_bit(bits)
            b.when()
            self.keep(e.right, reg, r, bits)
            b.end()
            return
        if not self.settable(e, reg, r):
            self._keep_by_asking(e, reg, r, bits)
            return
        found = self._set(e, reg, r, bits)
        self.combine(bits, "i64.and", found)
        self.free(found)

    def _cannot_fault(self, e: m.Expr, reg: int, r: Range) -> bool:
        """Whether a condition may be evaluated though no value needs it."""
        match e:
            case m.Op(op="==" | "!=", left=m.Load() as load, right=m.Const() | m.Local()):
                return self._board_of(load, reg, r) is not None and len(load.address.terms) == 1
            case m.Load():
                return self._board_of(e, reg, r) is not None and len(e.address.terms) == 1
        return self.tabular(e, reg)

    def _keep_by_asking(self, e: m.Expr, reg: int, r: Range, bits: Bits) -> None:
        """Each value that is still in is asked for itself."""
        b = self.b
        left, kept = self.bits(r), self.bits(r)
        self.copy_bits(left, bits)
        self.set_bits(kept, 0)

        def one(value: Held) -> None:
            with self.reg(reg, value), self.sharing(e):
                self.num(e)
            b.when()
            self.add_bit(kept, value, r)
            b.end()

        with self.hoisting(reg, e):
            self.each_bit(left, r, one)
        self.copy_bits(bits, kept)
        self.free(left)
        self.free(kept)

    def add_bit(self, bits: Bits, value: Value, r: Range) -> None:
        """A value of the interval comes into a set."""
        b = self.b
        if isinstance(value, Known):
            i = (value.value - r.lo) // 64
            b.get(bits[i])
            b.i64(1 << (value.value - r.lo) % 64)
            b.op("i64.or")
            b.set(bits[i])
            return
        for i, local in enumerate(bits):
            b.get(local)
            self._one_bit(value.local, r.lo + 64 * i, len(bits) > 1)
            b.op("i64.or")
            b.set(local)

    def _one_bit(self, local: int, lo: int, several: bool) -> None:
        """Leaves the bit of a value in the word that begins with `lo`, or nothing if it lies in another."""
        b = self.b
        b.i64(1)
        b.get(local)
        if lo:
            b.i32(lo)
            b.op("i32.sub")
        b.op("i64.extend_i32_u", "i64.shl")
        if several:
            b.i64(0)
            b.get(local)
            b.i32(lo)
            b.op("i32.sub")
            b.i32(64)
            b.op("i32.lt_u", "select")

    # ---- sets of conditions

    def _set(self, e: m.Expr, reg: int, r: Range, within: Bits) -> Bits:
        """The values for which a condition holds; `within` are those that matter, and stay as they are."""
        b = self.b
        e = _drawn_in(e, reg)
        if not depends(e, reg):
            found = self.bits(r)
            self.truth(e)
            b.op("i64.extend_i32_u")
            b.set(found[0])
            return self._spread_truth(found)
        match e:
            case m.Op(op="and"):
                found = self._copy(within, r)
                self.keep(e, reg, r, found)
                return found
            case m.Op(op="or", left=left, right=right):
                return self._either(left, right, reg, r, within)
            case m.Not(operand=operand):
                found = self._set(operand, reg, r, within)
                self._turn(found)
                return found
            case m.If(condition=condition, then=then, otherwise=otherwise):
                found = self.bits(r)
                self.num(condition)
                b.when()
                self._into(found, self._set(then, reg, r, within))
                b.otherwise()
                self._into(found, self._set(otherwise, reg, r, within))
                b.end()
                return found
            case m.Let(reg=inner, value=value, body=body):
                if depends(value, reg):
                    return self._set(replaced(body, inner, value), reg, r, within)
                held = self.held(value)
                with self.reg(inner, held):
                    found = self._set(body, reg, r, within)
                self.drop(held)
                return found
            case m.Fold():
                return self._fold_set(e, reg, r, within)
            case m.Contains(item=item, source=source):
                return self._contains_set(item, source, reg, r)
        return self._leaf(e, reg, r)

    def _spread_truth(self, found: Bits) -> Bits:
        """A truth in the first word becomes all bits or none in every word."""
        b = self.b
        for local in found[::-1]:
            b.i64(0)
            b.get(found[0])
            b.op("i64.sub")
            b.set(local)
        return found

    def _copy(self, bits: Bits, r: Range) -> Bits:
        found = self.bits(r)
        self.copy_bits(found, bits)
        return found

    def _into(self, to: Bits, other: Bits) -> None:
        self.copy_bits(to, other)
        self.free(other)

    def _turn(self, bits: Bits) -> None:
        for local in bits:
            self.b.get(local)
            self.b.i64(-1)
            self.b.op("i64.xor")
            self.b.set(local)

    def _either(self, left: m.Expr, right: m.Expr, reg: int, r: Range, within: Bits) -> Bits:
        found = self._set(left, reg, r, within)
        rest = self._copy(within, r)
        self.minus(rest, found)
        if not self._cannot_fault(right, reg, r):
            self.any_bit(rest)
            self.b.when()
            self.keep(right, reg, r, rest)
            self.b.end()
        else:
            self.keep(right, reg, r, rest)
        self.combine(found, "i64.or", rest)
        self.free(rest)
        return found

    def _leaf(self, e: m.Expr, reg: int, r: Range) -> Bits:
        """A comparison, or a condition on the value alone."""
        if self.tabular(e, reg):
            found = self.bits(r)
            self.set_bits(found, self._known_bits(e, reg, r))
            return found
        if isinstance(e, m.Load):
            return self._load_set(e, m.Const(1), reg, r)
        assert isinstance(e, m.Op)
        left, right = e.left, e.right
        if depends(right, reg):
            left, right = right, left
        firsts = self._firsts(left, reg, r) if right == m.Const(0) else None
        if isinstance(left, m.Load) and (self._board_of(left, reg, r) is None or e.op not in ("==", "!=")):
            return self._column_set(e.op, left, right, reg, r)
        if isinstance(left, m.Load):
            found = self._load_set(left, right, reg, r)
        elif firsts is not None:
            found = self._begins_set(left, firsts, r)
            self._turn(found)
        elif left == m.Reg(reg):
            found = self._equal_set(right, r)
        else:
            found = self._table_set(left, right, reg, r)
        if e.op == "!=":
            self._turn(found)
        return found

    def _known_bits(self, e: m.Expr, reg: int, r: Range) -> int:
        """The set of a condition on the value alone."""
        bits = 0
        for i in range(r.size):
            with self.reg(reg, Known(r.lo + i)):
                if self.constant(e):
                    bits |= 1 << i
        return bits

    def _equal_set(self, value: m.Expr, r: Range) -> Bits:
        found = self.bits(r)
        known = self.constant(value)
        if known is not None:
            inside = r.lo <= known < r.lo + r.size
            self.set_bits(found, 1 << known - r.lo if inside else 0)
            return found
        held = self.held(value)
        assert isinstance(held, Held)
        self.set_bits(found, 0)
        inside = r.lo <= held.span[0] and held.span[1] < r.lo + r.size
        if not inside:
            self._in_range(held.local, r)
            self.b.when()
        self.add_bit(found, held, r)
        if not inside:
            self.b.end()
        self.drop(held)
        return found

    def _in_range(self, local: int, r: Range) -> None:
        b = self.b
        b.get(local)
        b.i32(r.lo)
        b.op("i32.sub")
        b.i32(r.size)
        b.op("i32.lt_u")

    def _table_set(self, e: m.Expr, value: m.Expr, reg: int, r: Range) -> Bits:
        """The values for which a known function gives something: a row of sets for all that it can give."""
        table = self.table_of(e, reg, r)
        assert table is not None
        real = [v for v in table if v != NONE]
        lo, hi = min(real, default=0), max(real, default=0)
        rows = [sum(1 << i for i, v in enumerate(table) if v == x) for x in range(lo, hi + 1)]
        none = sum(1 << i for i, v in enumerate(table) if v == NONE)
        found = self.bits(r)
        known = self.constant(value)
        if known is not None:
            self.set_bits(found, none if known == NONE else rows[known - lo] if lo <= known <= hi else 0)
            return found
        held = self.held(value)
        assert isinstance(held, Held)
        b = self.b
        b.get(held.local)
        b.i32(lo)
        b.op("i32.sub")
        b.i32(hi - lo)
        b.op("i32.le_u")
        b.when()
        self._row(rows, held.local, lo, found)
        b.otherwise()
        self.set_bits(found, 0)
        if none:
            b.get(held.local)
            b.i32(NONE)
            b.op("i32.eq")
            b.when()
            self.set_bits(found, none)
            b.end()
        b.end()
        self.drop(held)
        return found

    def _row(self, rows: list[int], local: int, lo: int, found: Bits) -> None:
        """`found` becomes the set in the row of a local, counted from `lo`."""
        b = self.b
        words = [
            x
            for row in rows
            for i in range(len(found))
            for x in ((row >> 64 * i) & 0xFFFFFFFF, (row >> 64 * i + 32) & 0xFFFFFFFF)
        ]
        table = self.plan.table(x - (1 << 32) if x >> 31 else x for x in words)
        for i, to in enumerate(found):
            b.get(local)
            if lo:
                b.i32(lo)
                b.op("i32.sub")
            b.i32(8 * len(found))
            b.op("i32.mul")
            b.mem("i64.load", table + 8 * i)
            b.set(to)

    # ---- words side by side

    def _is_column(self, e: m.Load, reg: int, r: Range) -> bool:
        """Whether a load reads one word after the other as the register goes through an interval."""
        moving = [t for t in e.address.terms if depends(t.index, reg)]
        return (
            not self.plan.flavour.stops
            and len(moving) == 1
            and moving[0].index == m.Reg(reg)
            and moving[0].stride == 1
            and moving[0].lo <= r.lo
            and r.lo + r.size - 1 <= moving[0].hi
        )

    def _column_set(self, op: str, e: m.Load, value: m.Expr, reg: int, r: Range) -> Bits:
        """The indices at which a comparison with a number holds: sixteen words at a time."""
        b = self.b
        (moving,) = [t for t in e.address.terms if depends(t.index, reg)]
        rest = m.Address(e.address.base, tuple(t for t in e.address.terms if t is not moving))
        found, vectors = self.bits(r), [b.local(V128) for _ in range(2)]
        compare = {"<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s", "==": "eq", "!=": "ne"}[op]
        with b.borrowed(I32) as (at,):
            offset = self.address(rest) + 4 * (r.lo - moving.lo)
            b.set(at)
            self.num(value)
            b.vec("i32x4.splat")
            b.set(vectors[0])
            self.set_bits(found, 0)
            for first in range(0, r.size, 16):
                self._sixteen(at, offset + 4 * first, min(16, r.size - first), f"i32x4.{compare}", vectors)
                b.op("i64.extend_i32_u")
                if first % 64:
                    b.i64(first % 64)
                    b.op("i64.shl")
                b.get(found[first // 64])
                b.op("i64.or")
                b.set(found[first // 64])
        b.release(*vectors)
        return found

    def _sixteen(self, at: int, offset: int, size: int, compare: str, vectors: list[int]) -> None:
        """Leaves a bit for each of up to sixteen words."""
        b = self.b

        def four(i: int) -> None:
            b.get(at)
            b.vload(offset + 16 * i)
            b.get(vectors[0])
            b.vec(compare)

        if size <= 4:
            four(0)
            b.vec("i32x4.bitmask")
        else:
            four(0)
            four(1)
            b.vec("i16x8.narrow_i32x4_s")
            for i in (2, 3):
                if size > 4 * i:
                    four(i)
                else:
                    b.vconst(0, 0, 0, 0)
            b.vec("i16x8.narrow_i32x4_s", "i8x16.narrow_i16x8_s", "i8x16.bitmask")
        b.i32((1 << size) - 1)
        b.op("i32.and")

    # ---- bit boards

    def _board_of(self, e: m.Load, reg: int, r: Range) -> Board | None:
        """The bit board of which a load with the register as index is one value."""
        words = self.plan.words_of(e.address.base)
        board = self.plan.boards.get(words.name) if words is not None else None
        if board is None or (board.lo, board.size) != (r.lo, r.size):
            return None
        last = 1 if board.rows == 1 or board.words.at is None else board.words.at_size
        moving = [t for t in e.address.terms if depends(t.index, reg)]
        if len(moving) != 1 or moving[0].index != m.Reg(reg) or moving[0].lo != board.lo:
            return None
        stride = 1 if board.words.at is not None else board.words.at_size
        if moving[0].stride != stride or last < 1:
            return None
        rest = [t for t in e.address.terms if t is not moving[0]]
        return board if len(rest) <= 1 else None

    def _load_set(self, e: m.Load, value: m.Expr, reg: int, r: Range) -> Bits:
        """The indices at which a pointer or mark has a value."""
        b = self.b
        board = self._board_of(e, reg, r)
        assert board is not None
        rest = [t for t in e.address.terms if depends(t.index, reg) is False]
        row = (e.address.base - board.words.base) // max(1, board.size) if not rest else 0
        found = self.bits(r)
        known = self.constant(value)
        if board.words.kind == "mark":
            self._load_row(board, rest, row, Known(0), found)
            if known == 0:
                self._turn(found)
            elif known is None:
                held = self.held(value)
                self.put(held)
                b.op("i32.eqz")
                b.when()
                self._turn(found)
                b.end()
                self.drop(held)
            return found
        if known is not None:
            if known == NONE or 0 < board.index(known) < board.values:
                self._load_row(board, rest, row, Known(board.index(known)), found)
            else:
                self.set_bits(found, 0)
            return found
        self._load_by_value(board, rest, row, value, found)
        return found

    def _load_by_value(self, board: Board, rest: list[m.Term], row: int, value: m.Expr, found: Bits) -> None:
        b = self.b
        held = self.held(value)
        assert isinstance(held, Held)
        with b.borrowed(I32) as (index,):
            self.board_index(board, held)
            b.set(index)
            safe = board.low <= held.span[0] and held.span[1] <= board.low + board.values - 2
            if not safe:
                b.get(index)
                b.i32(board.values)
                b.op("i32.lt_u")
                b.when()
            self._load_row(board, rest, row, Held(index, (0, board.values - 1)), found)
            if not safe:
                b.otherwise()
                self.set_bits(found, 0)
                b.end()
        self.drop(held)

    def board_index(self, board: Board, value: Held) -> None:
        """Leaves the number of the set of a value: 0 for none."""
        b = self.b
        b.get(value.local)
        if board.low != 1:
            b.i32(1 - board.low)
            b.op("i32.add")
        if value.span[0] < board.low:
            b.i32(0)
            b.get(value.local)
            b.i32(NONE)
            b.op("i32.ne", "select")

    def _load_row(self, board: Board, rest: list[m.Term], row: int, index: Value, found: Bits) -> None:
        """The words of one set; `rest` holds the moving index of its row, if there is one."""
        b = self.b
        fixed = board.first + row * board.row_bytes
        with b.borrowed(I32) as (at,):
            b.get(self.s)
            for term in rest:
                known = self.constant(term.index)
                if known is not None and term.lo <= known <= term.hi:
                    fixed += (known - term.lo) * board.row_bytes
                    continue
                self.index(term)
                b.i32(term.lo)
                b.op("i32.sub")
                b.i32(board.row_bytes)
                b.op("i32.mul", "i32.add")
            if isinstance(index, Known):
                fixed += index.value * 8 * board.wide
            else:
                b.get(index.local)
                b.i32(8 * board.wide)
                b.op("i32.mul", "i32.add")
            b.set(at)
            for i, local in enumerate(found):
                b.get(at)
                b.mem("i64.load", fixed + 8 * i)
                b.set(local)

    # ---- several places at once

    def together(self, e: m.Expr) -> m.Expr | None:
        """Leaves whether known places of one bit board all have one value, as far as `e` joins such by `and`.

        Gives what is left of the condition, or all of it if it joins nothing like that.
        """
        parts = _joined(e)
        groups: dict[tuple[str, int, m.Expr], list[tuple[int, m.Expr]]] = {}
        for part in parts:
            found = self._known_place(part)
            if found is None and not plain(part):
                break
            if found is not None:
                name, row, value, index = found
                groups.setdefault((name, row, value), []).append((index, part))
        best = max(groups.items(), key=lambda item: len(item[1]), default=None)
        if best is None or len(best[1]) < 2:
            return e
        (name, row, value), places = best
        board = self.plan.boards[name]
        wanted = 0
        for index, _ in places:
            wanted |= 1 << index
        found_bits = self.bits(Range(board.lo, board.size))
        self._value_row(board, row, value, found_bits)
        self._holds(found_bits, wanted)
        self.free(found_bits)
        taken = [part for _, part in places]
        rest: m.Expr | None = None
        for part in parts:
            if not any(part is x for x in taken):
                rest = part if rest is None else m.Op("and", rest, part)
        return rest

    def _known_place(self, e: m.Expr) -> tuple[str, int, m.Expr, int] | None:
        """The board, row, value and index of a comparison with a place that is known."""
        if not isinstance(e, m.Op) or e.op != "==" or not isinstance(e.left, m.Load):
            return None
        if not isinstance(e.right, m.Const | m.Reg | m.Local):
            return None
        at = self.constant(m.Spot(e.left.address))
        words = self.plan.words_of(at) if at is not None else None
        board = self.plan.boards.get(words.name) if words is not None else None
        if at is None or board is None or board.words.kind == "mark":
            return None
        row, index = divmod(at - board.words.base, board.size)
        return board.words.name, row, e.right, index

    def _value_row(self, board: Board, row: int, value: m.Expr, found: Bits) -> None:
        known = self.constant(value)
        if known is None:
            self._load_by_value(board, [], row, value, found)
        elif known == NONE or 0 < board.index(known) < board.values:
            self._load_row(board, [], row, Known(board.index(known)), found)
        else:
            self.set_bits(found, 0)

    def _holds(self, bits: Bits, wanted: int) -> None:
        """Leaves whether all of some bits are in a set."""
        b = self.b
        first = True
        for i, local in enumerate(bits):
            part = wanted >> 64 * i & (1 << 64) - 1
            if not part:
                continue
            b.get(local)
            b.i64(part)
            b.op("i64.and")
            b.i64(part)
            b.op("i64.eq")
            if not first:
                b.op("i32.and")
            first = False

    # ---- sets of folds and memberships

    def _fold_set(self, e: m.Fold, reg: int, r: Range, within: Bits) -> Bits:
        if e.kind == "all":
            turned = replace(e, kind="any", where=_both(e.where, m.Not(e.body or m.Const(1))), body=None)
            found = self._fold_set(turned, reg, r, within)
            self._turn(found)
            return found
        if isinstance(e.source, m.Linked):
            return self._linked_set(e, r)
        assert isinstance(e.source, m.Values)
        found = self.bits(r)
        self.set_bits(found, 0)
        for value in e.source.values:
            with self.reg(e.reg, Known(value)):
                if e.where is None:
                    self.set_bits(found, r.all)
                    break
                self._add_where(e.where, reg, r, within, found)
        return found

    def _add_where(self, where: m.Expr, reg: int, r: Range, within: Bits, found: Bits) -> None:
        """`found` gains the values of `within` for which a condition holds."""
        b = self.b
        guard, rest = _split(_drawn_in(where, reg), reg)
        if guard is not None:
            known = self.constant(guard)
            if known == 0:
                return
            if known is None:
                self.truth(guard)
                b.when()
        if rest is None:
            self.combine(found, "i64.or", within)
        else:
            part = self._copy(within, r)
            self.keep(rest, reg, r, part)
            self.combine(found, "i64.or", part)
            self.free(part)
        if guard is not None and known is None:
            b.end()

    def _linked_set(self, e: m.Fold, r: Range) -> Bits:
        """The places with a neighbour for which a condition holds: the set of those, led over the links."""
        assert isinstance(e.source, m.Linked)
        found = self.bits(r)
        self.set_bits(found, r.all)
        if e.where is not None:
            self.keep(e.where, e.reg, r, found)
        links: list[list[int]] = [[] for _ in e.source.links]
        for i, row in enumerate(e.source.links):
            for v in row:
                links[v - e.source.lo].append(i + e.source.lo)
        led = self.bits(r)
        self.set_bits(led, 0)
        self.lead(links, e.source.lo, found, led, None)
        self.free(found)
        return led

    def _contains_set(self, item: m.Expr, source: m.Source, reg: int, r: Range) -> Bits:
        if item == m.Reg(reg):
            return self.source_bits(source, r)
        assert isinstance(source, m.Linked)
        rows = [0] * r.size
        for i, row in enumerate(source.links):
            for v in row:
                if r.lo <= v < r.lo + r.size:
                    rows[v - r.lo] |= 1 << i
        found = self.bits(r)
        held = self.held(item)
        if isinstance(held, Known):
            inside = r.lo <= held.value < r.lo + r.size
            self.set_bits(found, rows[held.value - r.lo] if inside else 0)
            return found
        self._in_range(held.local, r)
        self.b.when()
        self._row(rows, held.local, r.lo, found)
        self.b.otherwise()
        self.set_bits(found, 0)
        self.b.end()
        self.drop(held)
        return found

    # ---- sets of collections

    def source_bits(self, source: m.Source, r: Range) -> Bits:
        """The set of a collection's values."""
        found = self.bits(r)
        match source:
            case m.Values(values=values):
                self.set_bits(found, sum(1 << v - r.lo for v in set(values)))
            case m.Filtered(reg=reg, source=inner, where=where):
                self._into(found, self.source_bits(inner, r))
                if where is not None:
                    self.keep(where, reg, r, found)
            case m.Linked(links=links, index=index, lo=lo):
                self._linked_row(links, index, lo, r, found)
            case m.Listed(items=items):
                self.set_bits(found, 0)
                for item in items:
                    one = self._equal_set(item, r)
                    self.combine(found, "i64.or", one)
                    self.free(one)
            case m.Joined(parts=parts):
                self.set_bits(found, 0)
                for part in parts:
                    more = self.source_bits(part, r)
                    self.combine(found, "i64.or", more)
                    self.free(more)
            case m.Spread():
                self._spread_set(source, r, found)
            case _:
                raise AssertionError(source)
        return found

    def _linked_row(
        self, links: tuple[tuple[int, ...], ...], index: m.Expr, lo: int, r: Range, found: Bits
    ) -> None:
        rows = [sum(1 << v - r.lo for v in set(row)) for row in links]
        held = self.held(index)
        if isinstance(held, Known) and 0 <= held.value - lo < len(rows):
            self.set_bits(found, rows[held.value - lo])
            return
        with self.b.borrowed(I32) as (i,):
            self.put(held)
            self.within(held.span, lo, lo + len(links) - 1)
            self.b.set(i)
            self._row(rows, i, lo, found)
        self.drop(held)

    def _spread_set(self, source: m.Spread, r: Range, found: Bits) -> None:
        """Reached is led over the links again and again, within what may be gone through."""
        b = self.b
        through = self.source_bits(source.through, r)
        self._into(found, self.source_bits(source.start, r))
        self.combine(found, "i64.and", through)
        before = self.bits(r)
        self.any_bit(found)
        b.when()
        again = b.loop()
        self.copy_bits(before, found)
        self.lead([list(row) for row in source.links], source.lo, found, found, through)
        for i, (x, y) in enumerate(zip(before, found, strict=True)):
            b.get(x)
            b.get(y)
            b.op("i64.ne")
            if i:
                b.op("i32.or")
        b.br_if(again)
        b.end()
        b.end()
        self.free(before)
        self.free(through)

    def reaches(self, source: m.Spread, reg: int, where: m.Expr, r: Range) -> None:
        """Leaves whether a place that meets a condition is reached; the flood ends as soon as one is."""
        b = self.b
        through, goal = self.source_bits(source.through, r), self.bits(r)
        self.copy_bits(goal, through)
        self.keep(where, reg, r, goal)
        out = b.block(I32)
        b.i32(0)
        self.any_bit(goal)
        b.op("i32.eqz")
        b.br_if(out)
        b.op("drop")
        found, before = self.source_bits(source.start, r), self.bits(r)
        self.combine(found, "i64.and", through)
        again = b.loop(I32)
        self.copy_bits(before, found)
        self.lead([list(row) for row in source.links], source.lo, found, found, through)
        for x, y in zip(goal, found, strict=True):
            b.get(x)
            b.get(y)
            b.op("i64.and", "i64.eqz", "i32.eqz")
            b.when()
            b.i32(1)
            b.br(out)
            b.end()
        for i, (x, y) in enumerate(zip(before, found, strict=True)):
            b.get(x)
            b.get(y)
            b.op("i64.ne")
            if i:
                b.op("i32.or")
        b.br_if(again)
        b.i32(0)
        b.end()
        b.end()
        for bits in (through, goal, found, before):
            self.free(bits)

    # ---- beginnings of rays

    def _firsts(self, e: m.Expr, reg: int, r: Range) -> list[int] | None:
        """For each place of an interval the first of the ray whose beginning is counted, or none (-1)."""
        if not isinstance(e, m.Size) or not isinstance(e.source, m.Prefix):
            return None
        prefix, rays = e.source, e.source.source
        if not isinstance(rays, m.Linked) or depends(prefix.where, reg):
            return None
        rows = self.table_of(rays.index, reg, r, most=1 << 16)
        if rows is None or not self.settable(prefix.where, prefix.reg, r):
            return None
        if any(not rays.lo <= row < rays.lo + len(rays.links) for row in rows):
            return None
        ends = [rays.links[row - rays.lo][:1] for row in rows]
        if any(not r.lo <= v < r.lo + r.size for end in ends for v in end):
            return None
        return [end[0] if end else -1 for end in ends]

    def _begins_set(self, e: m.Expr, firsts: list[int], r: Range) -> Bits:
        """The places whose rays begin with a value that meets the condition."""
        assert isinstance(e, m.Size)
        assert isinstance(e.source, m.Prefix)
        found = self.bits(r)
        self.set_bits(found, r.all)
        self.keep(e.source.where, e.source.reg, r, found)
        links: list[list[int]] = [[] for _ in range(r.size)]
        for i, first in enumerate(firsts):
            if first >= 0:
                links[first - r.lo].append(i + r.lo)
        led = self.bits(r)
        self.set_bits(led, 0)
        self.lead(links, r.lo, found, led, None)
        self.free(found)
        return led

    def way_of(self, source: m.Prefix) -> tuple[Range, bool | None] | None:
        """The interval of a beginning whose condition is a set; whether it goes up (none: that depends)."""
        rays = source.source
        if not isinstance(rays, m.Linked):
            return None
        r = self.range_of(rays, source.reg, source.where, True)
        if r is None or not self.set_of(rays, r) or not self.settable(source.where, source.reg, r):
            return None
        rows = [rays.links[i] for i in self._rows_of(rays)]
        for up in (True, False):
            if all(_goes(row, up) for row in rows):
                return r, up
        mixed = r.words == 1 and all(_goes(row, True) or _goes(row, False) for row in rows)
        return (r, None) if mixed else None

    def _rows_of(self, rays: m.Linked) -> range:
        """The rows that an index can mean, as far as its last summand is known."""
        size, index = len(rays.links), rays.index
        if (
            isinstance(index, m.Op)
            and index.op == "+"
            and isinstance(index.left, m.Op)
            and index.left.op == "*"
        ):
            step, last = self.constant(index.left.right), self.constant(index.right)
            if step is not None and last is not None and 0 <= last - rays.lo < step:
                return range(last - rays.lo, size, step)
        return range(size)

    def count_beginning(self, source: m.Prefix, r: Range, up: bool | None) -> tuple[int, int]:
        """Leaves how many values stand before the first that does not meet the condition."""
        if up is None:
            return self._count_either_way(source, r)
        b = self.b
        row = self.source_bits(source.source, r)
        stops = self._copy(row, r)
        self.keep(m.Not(source.where), source.reg, r, stops)
        order = list(range(len(row))) if up else list(reversed(range(len(row))))
        with b.borrowed(I32) as (total,):
            b.i32(0)
            b.set(total)
            out = b.block()
            for i in order:
                b.get(total)
                b.get(row[i])
                b.get(stops[i])
                b.op("i64.eqz")
                b.when(I64)
                b.i64(-1)
                b.otherwise()
                if up:
                    b.get(stops[i])
                    b.i64(1)
                    b.op("i64.sub")
                    b.get(stops[i])
                    b.i64(-1)
                    b.op("i64.xor", "i64.and")
                else:
                    b.i64(-2)
                    b.i64(63)
                    b.get(stops[i])
                    b.op("i64.clz", "i64.sub", "i64.shl")
                b.end()
                b.op("i64.and", "i64.popcnt", "i32.wrap_i64", "i32.add")
                b.set(total)
                if i != order[-1]:
                    b.get(stops[i])
                    b.op("i64.eqz", "i32.eqz")
                    b.br_if(out)
            b.end()
            b.get(total)
        self.free(row)
        self.free(stops)
        return (0, r.size)

    def _count_either_way(self, source: m.Prefix, r: Range) -> tuple[int, int]:
        """The same for rays of one word, each of which goes up or down by a table."""
        b, rays = self.b, source.source
        assert isinstance(rays, m.Linked)
        index = self.held(rays.index)
        rows = self._under(rays, index)
        row = self.source_bits(rows, r)
        stops = self._copy(row, r)
        self.keep(m.Not(source.where), source.reg, r, stops)
        (x,), (y,) = row, stops
        b.get(x)
        b.get(y)
        b.i64(1)
        b.op("i64.sub")
        b.get(y)
        b.i64(-1)
        b.op("i64.xor", "i64.and")
        b.i64(-1)
        b.i64(-2)
        b.i64(63)
        b.get(y)
        b.op("i64.clz", "i64.sub", "i64.shl")
        b.get(y)
        b.op("i64.eqz", "select")
        self.put(index)
        self.look_up(self.plan.table(int(_goes(row_, True)) for row_ in rays.links), rays.lo)
        b.op("select", "i64.and", "i64.popcnt", "i32.wrap_i64")
        self.drop(index)
        self.free(row)
        self.free(stops)
        return (0, r.size)

    def _under(self, rays: m.Linked, index: Value) -> m.Linked:
        """The same rays with an index that is worked out already."""
        if isinstance(index, Known):
            return replace(rays, index=m.Const(index.value))
        spare = max(self.regs, default=0) + 1000
        self.regs[spare] = index
        return replace(rays, index=m.Reg(spare))

    def lead(self, links: list[list[int]], lo: int, start: Bits, to: Bits, through: Bits | None) -> None:
        """`to` gains the places that links lead to from `start`, as far as they lie in `through`.

        Links of equal length are one shift. `start` may be `to`: then one round may lead over several links.
        """
        by_length: dict[int, int] = {}
        for i, row in enumerate(links):
            for v in row:
                by_length[v - lo - i] = by_length.get(v - lo - i, 0) | 1 << i
        for length, sources in by_length.items():
            self._lead_by(length, sources, start, to, through, len(links))

    def _lead_by(
        self, length: int, sources: int, start: Bits, to: Bits, through: Bits | None, size: int
    ) -> None:
        b = self.b
        every = (1 << size) - 1
        needed = sources != every & (every >> length if length > 0 else every << -length) & every
        parts = []
        for i, local in enumerate(start):
            part = b.local(I64)
            b.get(local)
            if needed:
                b.i64(sources >> 64 * i & (1 << 64) - 1)
                b.op("i64.and")
            b.set(part)
            parts.append(part)
        for i, local in enumerate(to):
            b.get(local)
            self._shifted(parts, i, length)
            if not needed and 64 * (i + 1) > size:
                b.i64(every >> 64 * i)
                b.op("i64.and")
            if through is not None:
                b.get(through[i])
                b.op("i64.and")
            b.op("i64.or")
            b.set(local)
        b.release(*parts)

    def _shifted(self, parts: list[int], i: int, length: int) -> None:
        """Leaves the i-th word of a set whose bits have been moved up by `length`."""
        b = self.b
        terms: list[tuple[int, str, int]] = []
        for j, part in enumerate(parts):
            move = 64 * (j - i) + length
            if -64 < move < 64:
                terms.append((part, "i64.shl" if move >= 0 else "i64.shr_u", abs(move)))
        if not terms:
            b.i64(0)
        for k, (part, op, by) in enumerate(terms):
            b.get(part)
            if by:
                b.i64(by)
                b.op(op)
            if k:
                b.op("i64.or")


def _drawn_in(e: m.Expr, reg: int) -> m.Expr:
    """A condition in a form that sets can be made of.

    A comparison of one of two things is one of two comparisons, if which one is known for all values; one of
    two conditions, of which one is known, is `and` or `or`; `not` goes inside.
    """
    if isinstance(e, m.Not) and isinstance(e.operand, m.Op) and e.operand.op in OPPOSITE:
        inner = e.operand
        if inner.op in ("and", "or"):
            return m.Op(OPPOSITE[inner.op], m.Not(inner.left), m.Not(inner.right))
        return m.Op(OPPOSITE[inner.op], inner.left, inner.right)
    if isinstance(e, m.Not) and isinstance(e.operand, m.Not):
        return _drawn_in(e.operand.operand, reg)
    if isinstance(e, m.If) and depends(e.condition, reg):
        if e.then == m.Const(0):
            return m.Op("and", m.Not(e.condition), e.otherwise)
        if e.otherwise == m.Const(0):
            return m.Op("and", e.condition, e.then)
    if isinstance(e, m.Op) and isinstance(e.left, m.If) and not depends(e.left.condition, reg):
        then, otherwise = replace(e, left=e.left.then), replace(e, left=e.left.otherwise)
        return m.If(e.left.condition, then, otherwise)
    return e


def _goes(row: tuple[int, ...], up: bool) -> bool:
    return list(row) == sorted(row, reverse=not up)


def _once(source: m.Source) -> bool:
    """Whether every value of a collection stands in it once."""
    match source:
        case m.Values(values=values):
            return len(set(values)) == len(values)
        case m.Linked(links=links):
            return all(len(set(row)) == len(row) for row in links)
        case m.Filtered(source=inner):
            return _once(inner)
        case m.Spread():
            return True
    return False


def _loads(node: Any) -> Iterator[m.Load]:
    """The loads in an expression, the collections of folds left out."""
    match node:
        case m.Load():
            yield node
        case m.Op(left=left, right=right):
            yield from _loads(left)
            yield from _loads(right)
        case m.Not(operand=operand):
            yield from _loads(operand)
        case m.If(condition=condition, then=then, otherwise=otherwise):
            for part in (condition, then, otherwise):
                yield from _loads(part)
        case m.Let(value=value, body=body):
            yield from _loads(value)
            yield from _loads(body)
        case m.Fold(where=where, body=body):
            yield from _loads(where)
            yield from _loads(body)


def _both(left: m.Expr | None, right: m.Expr) -> m.Expr:
    return right if left is None else m.Op("and", left, right)


def _joined(e: m.Expr) -> list[m.Expr]:
    """What a condition joins by `and`."""
    if isinstance(e, m.Op) and e.op == "and":
        return [*_joined(e.left), *_joined(e.right)]
    return [e]


def _split(e: m.Expr, reg: int) -> tuple[m.Expr | None, m.Expr | None]:
    """A condition as one that does not read the register and stands first, and the rest."""
    parts = _joined(e)
    guard: m.Expr | None = None
    while parts and not depends(parts[0], reg):
        guard = _both(guard, parts.pop(0)) if guard is not None else parts.pop(0)
    rest: m.Expr | None = None
    for part in parts:
        rest = part if rest is None else m.Op("and", rest, part)
    return guard, rest
