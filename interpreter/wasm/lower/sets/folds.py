"""What is asked of collections as a whole: whether there is any, how many, which sum."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_never

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.machine.visit import size as weight
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import OVERFLOW
from interpreter.wasm.lower.numbers.loops import Visit
from interpreter.wasm.lower.numbers.values import ONE, TRUTH, WIDE, Held, Span, Thought, Value
from interpreter.wasm.lower.sets.masks import Masks
from interpreter.wasm.lower.sets.ranges import Range

ALWAYS = m.Const(1)


class Folds(Masks):
    """Adds folds, and conditions that sets answer together."""

    def logic(self, e: m.Op) -> Span:
        if e.op == "or" or not self.plan.boards or self.one_by_one:
            return super().logic(e)
        b = self.b
        rest = self.together(e)
        if rest is e:
            return super().logic(e)
        if rest is not None:
            b.when(I32)
            self.truth(rest)
            b.otherwise()
            b.i32(0)
            b.end()
        return TRUTH

    def compare(self, e: m.Op) -> Span:
        """Whether there is a best one is whether there is any."""
        if e.op in ("==", "!=") and self.constant(e.right) == NONE:
            best = self.thought(e.left)
            if isinstance(best, m.Best) and not self.notes(best.keys):
                self.fold(m.Fold("any", best.reg, best.source, best.where, None))
                if e.op == "==":
                    self.b.op("i32.eqz")
                return TRUTH
        return super().compare(e)

    def thought(self, e: m.Expr) -> m.Expr:
        """What a word of a frame that is only thought of stands for."""
        if isinstance(e, m.Local):
            value = self.slots.get(e.slot)
            if isinstance(value, Thought):
                return value.expr
        return e

    # ---- folds

    def fold(self, e: m.Fold) -> Span:
        match e.kind:
            case "any":
                return self._any(e)
            case "all":
                return self._all(e)
            case "count" | "sum":
                return self._total(e)
            case "min" | "max":
                return self._extreme(e)
            case "distinct":
                return self._distinct(e)
        assert_never(e.kind)

    def chosen(self, e: m.Fold, visit: Visit) -> None:
        """The collection's values that meet the fold's `where`, each bound to its register.

        A condition that may come to a fault is asked of a value just before that is visited.
        """
        r = self.worthwhile(e.source, e.reg, e.where)
        if r is not None and not self.comes_to_faults(partial(self.in_vain, e.source, e.reg, e.where, r)):
            bits = self.chosen_bits(e.source, e.reg, e.where, r)

            def at(value: Held) -> None:
                with self.reg(e.reg, value):
                    visit(value, ONE)

            self.each_bit(bits, r, at)
            self.free(bits)
            return
        cost = weight(e.where) + weight(e.body) + 4

        def one(value: Value, n: Value) -> None:
            with self.reg(e.reg, value), self.sharing(e.where, e.body):
                known = self.constant(e.where) if e.where is not None else 1
                if known == 0:
                    return
                if known is None:
                    assert e.where is not None
                    self.num(e.where)
                    self.b.when()
                visit(value, n)
                if known is None:
                    self.b.end()

        with self.hoisting(e.reg, e.where, e.body):
            self.each(e.source, one, cost)

    def _any(self, e: m.Fold) -> Span:
        """The first value that meets the condition settles it: what comes after it is not looked at."""
        r = self.worthwhile(e.source, e.reg, e.where, once=False)
        if r is None:
            return self._any_one_by_one(e)
        if isinstance(e.source, m.Spread) and e.where is not None:
            quick: Callable[[], Span] = partial(self._reached, e.source, e.reg, e.where, r)
        else:
            quick = partial(self._any_of_set, e.source, e.reg, e.where, r)
        return self.safely(quick, partial(self._any_one_by_one, e), I32)

    def _reached(self, source: m.Spread, reg: int, where: m.Expr, r: Range) -> Span:
        self.reaches(source, reg, where, r)
        return TRUTH

    def _any_of_set(self, source: m.Source, reg: int, where: m.Expr | None, r: Range) -> Span:
        bits = self.chosen_bits(source, reg, where, r)
        self.any_bit(bits)
        self.free(bits)
        return TRUTH

    def _any_one_by_one(self, e: m.Fold) -> Span:
        b = self.b
        out = b.block(I32)

        def one(_: Value, __: Value) -> None:
            b.i32(1)
            b.br(out)

        self.chosen(e, one)
        b.i32(0)
        b.end()
        return TRUTH

    def _all(self, e: m.Fold) -> Span:
        """The first value that fails settles it."""
        assert e.body is not None
        failing = m.Not(e.body) if e.where is None else m.Op("and", e.where, m.Not(e.body))
        r = None if self.notes(e) else self.worthwhile(e.source, e.reg, failing, once=False)
        if r is None:
            return self._all_one_by_one(e, e.body)

        def quick() -> Span:
            self._any_of_set(e.source, e.reg, failing, r)
            self.b.op("i32.eqz")
            return TRUTH

        return self.safely(quick, partial(self._all_one_by_one, e, e.body), I32)

    def _all_one_by_one(self, e: m.Fold, body: m.Expr) -> Span:
        b = self.b
        out = b.block(I32)

        def one(_: Value, __: Value) -> None:
            self.num(body)
            b.op("i32.eqz")
            b.when()
            b.i32(0)
            b.br(out)
            b.end()

        self.chosen(e, one)
        b.i32(1)
        b.end()
        return TRUTH

    def _total(self, e: m.Fold) -> Span:
        r = self.worthwhile(e.source, e.reg, e.where) if e.kind == "count" else None
        if r is None:
            return self._total_one_by_one(e)

        def quick() -> Span:
            bits = self.chosen_bits(e.source, e.reg, e.where, r)
            self.how_many(bits)
            self.free(bits)
            return (0, r.size)

        return self.safely(quick, partial(self._total_one_by_one, e), I32)

    def _total_one_by_one(self, e: m.Fold) -> Span:
        """The sum is kept in 64 bits, which no sum of so few numbers leaves."""
        b = self.b
        counted = e.kind == "count"
        with b.borrowed(I64 if not counted else I32) as (total,):
            b.i32(0)
            if not counted:
                b.op("i64.extend_i32_s")
            b.set(total)

            def one(_: Value, n: Value) -> None:
                b.get(total)
                if counted:
                    self.put(n)
                    b.op("i32.add")
                else:
                    assert e.body is not None
                    self.num(e.body)
                    b.op("i64.extend_i32_s")
                    if n != ONE:
                        self.put(n)
                        b.op("i64.extend_i32_s", "i64.mul")
                    b.op("i64.add")
                b.set(total)

            self.chosen(e, one)
            b.get(total)
            if counted:
                return (0, WIDE[1])
            self.narrow(total)
        return WIDE

    def narrow(self, wide: int) -> None:
        """The 64-bit number on the stack, which is also in a local, becomes one of 32 bits."""
        b = self.b
        b.op("i32.wrap_i64", "i64.extend_i32_s")
        b.get(wide)
        b.op("i64.ne")
        b.when()
        self.fault(OVERFLOW)
        b.end()
        b.get(wide)
        b.op("i32.wrap_i64")

    def _extreme(self, e: m.Fold) -> Span:
        b = self.b
        assert e.body is not None
        body = e.body
        with b.borrowed(I32, I32, I32) as (best, has, v):
            b.i32(0)
            b.tee(best)
            b.set(has)

            def one(_: Value, __: Value) -> None:
                self.num(body)
                b.tee(v)
                b.get(best)
                b.op("i32.lt_s" if e.kind == "min" else "i32.gt_s")
                b.get(has)
                b.op("i32.eqz", "i32.or")
                b.when()
                b.get(v)
                b.set(best)
                b.i32(1)
                b.set(has)
                b.end()

            self.chosen(e, one)
            b.get(best)
        return WIDE

    def _distinct(self, e: m.Fold) -> Span:
        """Values seen stand in the scratch, and each new one is looked for among them."""
        b, top = self.b, GLOBAL["top"]
        assert e.body is not None
        body = e.body
        with b.borrowed(I32, I32) as (first, v):
            b.gget(top)
            b.set(first)

            def one(_: Value, __: Value) -> None:
                self.num(body)
                b.set(v)
                b.get(first)
                b.get(v)
                b.call(self.plan.function("distinct", (I32, I32), ()))

            self.chosen(e, one)
            b.gget(top)
            b.get(first)
            b.op("i32.sub")
            b.i32(2)
            b.op("i32.shr_u")
            b.get(first)
            b.gset(top)
        return (0, WIDE[1])
