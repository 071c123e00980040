"""Conditions whose parts use what those before them say, and searches that go through sets.

    stone at x is me and any(y in spread([x], those(z where stone at z is stone at x)) where free(y))
    stone at x is me and any(y in spread([x], those(z where stone at z is me)) where free(y))

A word that is compared with a value has that value in all that is asked behind it. So a collection that reads
the word is the same for all places for which it is asked.

    count(x where free(x) and any(y in neighbours(x) where y in group)) is 0
    not any(y in group where any(x in neighbours(y) where free(x)))

Whether there is any of a number is not counted, and places around a set are looked for from its values. Then
a set that is read once need not be there before the search begins.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from typing import cast

from dsl.domains import NONE
from interpreter.ir.expressions import (
    Bits,
    Const,
    Contains,
    Expr,
    Fold,
    If,
    Let,
    Linked,
    Load,
    Mask,
    Op,
    Pick,
    Reg,
    Source,
    Values,
)
from interpreter.ir.flood_rules import is_settled, turned, values_of
from interpreter.ir.fold import asks_for_any, both, calculate, conjuncts, negation, operation
from interpreter.ir.kept_sets import without_kept
from interpreter.ir.operators import Comparison, is_comparison
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, bound_by, free_registers, mapped


def with_known_values(mc: Machine) -> Machine:
    """The same machine with its conditions in this form."""
    known = _Known(mc)
    return mc.with_nodes(mapped(node, known.rewritten) for node in mc.nodes)


@dataclass(frozen=True)
class _Known:
    """What is known where a part is asked: the values of words, and which words are not none."""

    mc: Machine
    sets: dict[Source, Source] = field(default_factory=dict)
    """The sets of which words are kept, so that all words of one are of the same."""
    values: dict[Expr, Expr] = field(default_factory=dict)
    present: frozenset[Expr] = frozenset()

    def rewritten(self, part: Part) -> Part:
        match part:
            case Load() if self.values and part in self.values:
                return self.values[part]
            case Op(op="and", left=left, right=right):
                first = self._of(left)
                return self._joined(part, first, self._behind(first)._of(right))
            case If(condition=condition, then=then, otherwise=otherwise):
                asked = self._of(condition)
                one, two = self._behind(asked)._of(then), self._of(otherwise)
                same = asked is condition and one is then and two is otherwise
                return part if same else If(asked, one, two)
            case Fold(where=Op(), body=body) if body is not None:
                return self._folded(part, body)
        return self._settled(part, mapped(part, self._without(part).rewritten))

    def _folded(self, fold: Fold, body: Expr) -> Part:
        """A fold of which the body is asked behind the condition."""
        inside = self._without(fold)
        rewritten = mapped(replace(fold, body=None), inside.rewritten)
        assert rewritten.where is not None
        asked = inside._behind(rewritten.where)._of(body)
        same = asked is body and rewritten.where is fold.where and rewritten.source is fold.source
        return fold if same else replace(rewritten, body=asked)

    def _settled(self, before: Part, part: Part) -> Part:
        """A part of which what lies in it is in this form."""
        match part:
            case Op(op="==", left=Pick(index=Load() as word) as checked, right=value) if (
                word in self.present and self._is_same(checked, word) and self._is_there(value)
            ):
                return replace(part, left=word)
            case Op(op=op, left=left, right=Const(value=value)) if is_comparison(op):
                return self._compared(part, op, left, value)
            case Fold(kind="any"):
                return self._searched(part)
            case Mask(source=source) if part is not before:
                return replace(part, source=self.sets.setdefault(source, source))
            case Let() if part is not before:
                return _within(*_lets(part))
        return part

    def _joined(self, e: Op, left: Expr, right: Expr) -> Expr:
        """Two conditions joined. That a word is there is not asked before it is compared with a value."""
        if left is e.left and right is e.right:
            return e
        match left, conjuncts(right)[0]:
            case Op(op="!=", left=word, right=Const(value=none)), Op(op="==", left=same, right=value):
                if none == NONE and word == same and self._is_there(value):
                    return right
        return operation("and", left, right)

    def _of(self, e: Expr) -> Expr:
        return cast(Expr, self.rewritten(e))

    # ---- what is known

    def _without(self, part: Part) -> _Known:
        """What is known inside a part, which may bind registers anew."""
        bound = frozenset(bound_by(part))
        if not bound or not (self.values or self.present):
            return self
        values = {e: v for e, v in self.values.items() if not free_registers(e) & bound}
        present = frozenset(e for e in self.present if not free_registers(e) & bound)
        return _Known(self.mc, self.sets, values, present)

    def _behind(self, condition: Expr) -> _Known:
        """What is known behind a condition that holds."""
        values, present = dict(self.values), set(self.present)
        for part in conjuncts(condition):
            match part:
                case Op(op="==", left=Load() as load, right=value) if self._is_there(value):
                    values[load] = value
                case Op(op="!=", left=Load() as load, right=Const(value=value)) if value == NONE:
                    present.add(load)
        return _Known(self.mc, self.sets, values, frozenset(present))

    def _is_there(self, e: Expr) -> bool:
        """Whether an expression takes nothing to work out, and is never none."""
        few = None if isinstance(e, Reg) else values_of(self.mc, e, {})
        return few is not None and NONE not in few

    def _is_same(self, pick: Pick, index: Load) -> bool:
        """Whether a table has for each value of a word that is not none the value itself."""
        words = self.mc.words_at(index.address.base)
        last = pick.lo + len(pick.table) - 1
        return (
            words is not None
            and all(pick.lo <= low and high <= last for low, high in words.ranges)
            and pick.table == tuple(range(pick.lo, last + 1))
        )

    # ---- searches

    def _compared(self, e: Op, op: Comparison, left: Expr, value: int) -> Expr:
        """Whether there is any, if that is all that a comparison of a number asks."""
        lets, counted = _lets(left)
        match counted:
            case Fold(kind="count", where=where) if asks_for_any(op, value) and where is not None:
                if not self._never_faults(counted, where):
                    return e
                there = self._searched(replace(counted, kind="any"))
                found = there if calculate(op, 1, value) else negation(there)
                return _within(lets, found)
        return e

    def _searched(self, e: Fold) -> Fold:
        """A search for a place that has one of a set around it, as one in the set."""
        if e.where is None:
            return e
        *others, last = conjuncts(e.where)
        match last:
            case Fold(kind="any", reg=inner, where=Contains(item=Reg(index=item), source=Bits() as held)) if (
                item == inner
                and isinstance(linked := last.source, Linked)
                and linked.index == Reg(e.reg)
                and e.source == Values(tuple(range(linked.lo, linked.lo + len(linked.links))))
                and linked.lo <= held.lo
                and held.lo + held.size <= linked.lo + len(linked.links)
                and not free_registers(held) & {e.reg, inner}
                and all(self._never_faults(e, part) for part in others)
            ):
                asked = reduce(both, others, cast("Expr | None", None))
                around = replace(linked, links=turned(linked.links, linked.lo), index=Reg(inner))
                return Fold("any", inner, held, replace(e, source=around, where=asked), None)
        return e

    def _never_faults(self, fold: Fold, condition: Expr) -> bool:
        """Whether a condition on the values of a fold faults for none of them."""
        if not isinstance(fold.source, Values):
            return False
        return is_settled(self.mc, condition, "", {fold.reg: fold.source.values})


def _lets(e: Expr) -> tuple[list[tuple[int, Expr]], Expr]:
    """The names around an expression, the outermost first, and what stands within them."""
    lets = []
    while isinstance(e, Let):
        lets.append((e.reg, e.value))
        e = e.body
    return lets, e


def _within(lets: list[tuple[int, Expr]], body: Expr) -> Expr:
    """An expression within names, without a set that is read once at its beginning."""
    kept, body = without_kept(lets, body)
    for reg, value in reversed(kept):
        body = Let(reg, value, body)
    return body
