"""Forms to instructions. What several forms are made of is worked out once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, select
from interpreter.wasm.lower import addresses, arithmetic, bitset_rays, bitsets, const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range
from interpreter.wasm.sets.forms import (
    AskedSet,
    Difference,
    Form,
    Intersection,
    KnownSet,
    MovedSet,
    NamedSet,
    RowSet,
    TruthSet,
    Union,
    parts_of,
)


def set_of(fx: FunctionContext, form: Form, r: Range) -> Bits:
    """The set of a form over an interval, in locals of its own."""
    emission = _Emission(fx, _uses(form))
    found = emission.taken(form, r)
    assert not emission.held
    return found


def _uses(form: Form) -> Counter[int]:
    """How often each form is part of another one."""
    uses, waiting = Counter[int]((id(form),)), [form]
    while waiting:
        for part in parts_of(waiting.pop()):
            uses[id(part)] += 1
            if uses[id(part)] == 1:
                waiting.append(part)
    return uses


class _Emission:
    """Sets that are worked out, as long as they are still used: by the identity of their forms."""

    def __init__(self, fx: FunctionContext, uses: Counter[int]) -> None:
        self.fx, self.uses = fx, uses
        self.held: dict[int, Bits] = {}

    def taken(self, form: Form, r: Range) -> Bits:
        """The set of a form, which the caller may change and gives back."""
        self.uses[id(form)] -= 1
        last = not self.uses[id(form)]
        if id(form) in self.held:
            return self.held.pop(id(form)) if last else bitsets.copy_of(self.fx, self.held[id(form)], r)
        found = self._made(form, r)
        if not last:
            self.held[id(form)] = bitsets.copy_of(self.fx, found, r)
        return found

    @contextmanager
    def _reading(self, form: Form, r: Range) -> Iterator[Bits]:
        """The set of a form, which is only read."""
        self.uses[id(form)] -= 1
        if id(form) not in self.held:
            self.held[id(form)] = self._made(form, r)
        yield self.held[id(form)]
        if not self.uses[id(form)]:
            bitsets.free_bits(self.fx, self.held.pop(id(form)))

    def _made(self, form: Form, r: Range) -> Bits:
        fx = self.fx
        match form:
            case KnownSet(bits=known):
                found = bitsets.new_bits(fx, r)
                bitsets.set_bits(fx, found, known)
            case TruthSet(condition=condition):
                found = bitsets.new_bits(fx, r)
                arithmetic.truth(fx, condition)
                fx.b.assign(found[0], STACK.widened())
                bitsets.spread_truth(fx, found)
                self._mask(found, r.all)
            case AskedSet(condition=condition, reg=reg, r=r_):
                found = bitsets.new_bits(fx, r_)
                bitsets.set_bits(fx, found, r_.all)
                fx.keep(condition, reg, r_, found)
            case RowSet():
                found = self._row(form, r)
            case NamedSet(reg=reg, value=value, form=inner):
                held = const_eval.operand(fx, value)
                with fx.reg(reg, held):
                    found = self.taken(inner, r)
                fx.drop(held)
            case MovedSet():
                found = bitsets.new_bits(fx, r)
                bitsets.set_bits(fx, found, 0)
                self._unite_moved(form, r, found)
            case Intersection(parts=parts, within=within):
                found = self.taken(parts[0], r)
                for part in parts[1:]:
                    with self._reading(part, r) as bits:
                        bitsets.intersect(fx, found, bits)
                if r.all & ~within:
                    self._mask(found, within)
            case Union(parts=parts, besides=besides):
                found = bitsets.new_bits(fx, r)
                bitsets.set_bits(fx, found, besides)
                for part in parts:
                    self._unite(part, r, found)
            case Difference(form=inner, without=other):
                found = self.taken(inner, r)
                with self._reading(other, r) as taken_out:
                    bitsets.minus(fx, found, taken_out)
            case _:
                assert_never(form)
        return found

    def _row(self, form: RowSet, r: Range) -> Bits:
        fx, found = self.fx, bitsets.new_bits(self.fx, r)
        with fx.b.temporaries(I32) as (index,):
            span = fx.num(form.place)
            addresses.within(fx, span, form.lo, form.lo + len(form.rows) // form.numbers - 1)
            fx.b.assign(index, STACK - form.lo)
            if form.number is not None:
                held = const_eval.operand(fx, form.number)
                with fx.b.temporaries(I32) as (number,):
                    fx.b.assign(number, held.operand)
                    most = form.least + form.numbers - 1
                    fx.b.assign(number, select(form.least, number, number.lt_s(form.least)))
                    fx.b.assign(number, select(most, number, number.gt_s(most)))
                    fx.b.assign(index, index * form.numbers + number - form.least)
                fx.drop(held)
            bitsets.row(fx, form.rows, index, 0, found)
        return found

    def _mask(self, found: Bits, within: int) -> None:
        for i, word in enumerate(found):
            if (part := within >> 64 * i & bitsets.WORD) != bitsets.WORD:
                self.fx.b.assign(word, word & part)

    def _unite(self, part: Form, r: Range, found: Bits) -> None:
        if isinstance(part, MovedSet) and id(part) not in self.held and self.uses[id(part)] == 1:
            self.uses[id(part)] -= 1
            self._unite_moved(part, r, found)
            return
        with self._reading(part, r) as bits:
            bitsets.unite(self.fx, found, bits)

    def _unite_moved(self, form: MovedSet, r: Range, found: Bits) -> None:
        """`found` gains a set that is moved."""
        with self._reading(form.form, Range(0, form.of.size)) as bits:
            for by, sources in form.links:
                bitset_rays.shift_by(self.fx, by, sources, bits, found, None, r.size, form.form.possible)
