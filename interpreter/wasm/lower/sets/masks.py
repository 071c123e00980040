"""Conditions on all values of an interval at once: sets of bits instead of loops.

A condition with a free register is turned into the set of the values for which it holds. What compares a
pointer or mark of a place is read off its bit board; what depends on the value alone is known beforehand;
`and`, `or`, `not`, `any` and `all` are operations on sets; the rest is asked of each value that is still in.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.machine.fold import both
from interpreter.machine.visit import reads_register as depends
from interpreter.machine.visit import substitute as replaced
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower.numbers.loops import Visit
from interpreter.wasm.lower.numbers.terms import drawn_in, guarded, plain
from interpreter.wasm.lower.numbers.values import ONE, Held, Known
from interpreter.wasm.lower.sets.ranges import Bits, Range
from interpreter.wasm.lower.sets.rays import Rays


class Masks(Rays):
    """Adds the sets of conditions and collections."""

    def each(self, source: m.Source, visit: Visit, cost: int = 0) -> None:
        inner, reg, where = source, -1, None
        if isinstance(source, m.Filtered):
            inner, reg, where = source.source, source.reg, source.where
        r = self.worthwhile(inner, reg, where)
        if r is None or self.comes_to_faults(partial(self.in_vain, inner, reg, where, r)):
            super().each(source, visit, cost)
            return
        bits = self.chosen_bits(inner, reg, where, r)
        self.each_bit(bits, r, lambda value: visit(value, ONE))
        self.free(bits)

    # ---- conditions that keep some of a set

    def in_vain(self, source: m.Source, reg: int, where: m.Expr | None, r: Range) -> None:
        """A set that nobody uses: to see what finding it takes."""
        self.free(self.chosen_bits(source, reg, where, r))

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
        e = drawn_in(e, reg)
        if isinstance(e, m.Op) and e.op == "and":
            behind = self.behind(e, reg, r)
            if behind is None:
                self.keep(e.left, reg, r, bits)
                self._keep_too(e.right, reg, r, bits)
                return
            for part in behind.before:
                self._keep_too(part, reg, r, bits)
            found = self.behind_set(behind, r)
            self.combine(bits, "i64.and", found)
            self.free(found)
            for part in behind.after:
                self._keep_too(part, reg, r, bits)
            return
        if not self.settable(e, reg, r):
            self._keep_by_asking(e, reg, r, bits)
            return
        found = self._set(e, reg, r, bits)
        self.combine(bits, "i64.and", found)
        self.free(found)

    def _keep_too(self, e: m.Expr, reg: int, r: Range, bits: Bits) -> None:
        """The set keeps values for which a further condition holds, which is not evaluated in vain."""
        if plain(e) or self._cannot_fault(e, reg, r):
            self.keep(e, reg, r, bits)
            return
        self.any_bit(bits)
        self.b.when()
        self.keep(e, reg, r, bits)
        self.b.end()

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

    # ---- sets of conditions

    def _set(self, e: m.Expr, reg: int, r: Range, within: Bits) -> Bits:
        """The values for which a condition holds; `within` are those that matter, and stay as they are."""
        b = self.b
        e = drawn_in(e, reg)
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

    # ---- sets of folds and memberships

    def _fold_set(self, e: m.Fold, reg: int, r: Range, within: Bits) -> Bits:
        if e.kind == "all":
            turned = replace(e, kind="any", where=both(e.where, m.Not(e.body or m.Const(1))), body=None)
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
        guard, rest = guarded(drawn_in(where, reg), reg)
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
