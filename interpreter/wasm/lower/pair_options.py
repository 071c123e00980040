"""Choices of two parameters made as one: the pairs that may be chosen, of which one is drawn.

Where both parameters are found quickly, as sets, and nothing is to be tried, pairs are counted, and the one
that is drawn is found again. Otherwise they are candidates in a list: what only a trial tells is asked of
those that are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce

from interpreter import ir
from interpreter.ir.fold import all_conjuncts, both
from interpreter.ir.purity import cannot_refuse
from interpreter.ir.visit import node_count, of_registers
from interpreter.wasm.abi import NO_ROOM
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import (
    bitset_select,
    bitsets,
    calls,
    candidates,
    chosen_sets,
    collection_order,
    drawing,
    speculation,
    tried_choices,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.option_sinks import EachOption
from interpreter.wasm.lower.pair_moves import PairMoves, linked_pairs, moves_of
from interpreter.wasm.lower.values import Bits, InLocal, Range, Value
from interpreter.wasm.option_layout import OptionPart, Pair

OnPairs = Callable[[InLocal, Bits, Range], None]
"""Emits what is done with a first value and the set of second ones that go with it."""


MOST_AGAIN = 50
"""Nodes of the second parameter's source and conditions that are evaluated again rather than listed.

Pairs in a list would be tried where the second parameter may be refused.
"""


def pair_options(fx: FunctionContext, part: OptionPart, pair: Pair) -> PairMoves | PairSets | PairList:
    first, second = _decisions(fx, pair)
    needs = [fx.mc.node(number, ir.Precondition).condition for number in pair.needs]
    moves = moves_of(fx, first, second, needs, candidates=True)
    if moves is not None:
        return PairMoves(fx, part, pair, moves)
    settled = _settled(fx, pair)
    if settled is not None:
        is_tried = not cannot_refuse(fx.mc, second.next)
        if is_tried or node_count((settled[1].source, settled[1].where)) <= MOST_AGAIN:
            return PairSets(fx, part, pair, *settled)
    return PairList(fx, part, pair)


def _settled(fx: FunctionContext, pair: Pair) -> tuple[ir.Decide, ir.Decide] | None:
    """Two decisions that ask all that is asked of their pairs, if they have only sets of values.

    What trying the second one asks is asked of it, or of the first one if it depends on nothing else.
    """
    first, second = _decisions(fx, pair)
    asked = fx.builder.trial_of_choice(second)
    if not cannot_refuse(fx.mc, second.next):
        if not asked.exact:
            return None
        parts = all_conjuncts(asked.both) if asked.both is not None else []
        alone = [of_registers(x, {first.slot: first.reg}) for x in parts if not fx.reads(x, asked.reg)]
        rest = [x for x in parts if fx.reads(x, asked.reg)]
        first = replace(first, where=reduce(both, alone, first.where))
        second = replace(second, reg=asked.reg, where=reduce(both, rest, None))
        if alone and not (_is_safe(fx, pair, first) and _is_safe(fx, pair, second)):
            return None
    return (first, second) if _is_set(fx, first) and _is_set(fx, second) else None


def _is_safe(fx: FunctionContext, pair: Pair, node: ir.Decide) -> bool:
    """Whether the values of a decision are found as a set that cannot fault, whatever the first one is."""
    r = bitset_select.range_of(fx, node.source, node.reg, node.where, once=True)
    first, _ = _decisions(fx, pair)
    if r is None:
        return False
    with fx.b.temporaries(I32) as (x,), calls.with_slot(fx, first.slot, InLocal(x, pair.spans[0])):
        return not fx.breaks_rules(partial(chosen_sets.dry_run, fx, node.source, node.reg, node.where, r))


def _decisions(fx: FunctionContext, pair: Pair) -> tuple[ir.Decide, ir.Decide]:
    return fx.mc.node(pair.first, ir.Decide), fx.mc.node(pair.second, ir.Decide)


def _is_set(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether the values of a decision are found as a set, whatever the words of its frame are."""
    slots, regs, fx.slots, fx.regs = fx.slots, fx.regs, {}, {}
    r = bitset_select.worthwhile(fx, node.source, node.reg, node.where)
    fx.slots, fx.regs = slots, regs
    return r is not None


class PairSets:
    """Pairs of two parameters that are both found as sets: counted, and the one that is drawn found again."""

    tried = False

    def __init__(
        self, fx: FunctionContext, part: OptionPart, pair: Pair, first: ir.Decide, second: ir.Decide
    ) -> None:
        self.fx, self.part, self.pair = fx, part, pair
        self.first, self.second = first, second
        self.count = fx.b.local()

    def find(self) -> None:
        b, count = self.fx.b, self.count
        b.assign(count, 0)
        self._each_first(lambda _, bits, __: b.assign(count, count + bitsets.size(bits)))

    def try_drawn(self, k: Variable, picked: Label) -> None:
        raise AssertionError("pairs in sets need no trial")

    def take(self, k: Variable) -> None:
        b = self.fx.b
        with b.temporaries(I32, I32, I32) as (x, y, n):
            found = b.block()

            def try_pairs(first: InLocal, bits: Bits, r: Range) -> None:
                with b.if_(n.tee(bitsets.size(bits)).gt_s(k)):
                    b.assign(x, first.operand)
                    self._kth(bits, r, k, y)
                    b.br(found)
                b.assign(k, k - n)

            self._each_first(try_pairs)
            b.unreachable()
            b.end()
            self.fx.driver.take_pair(self.part, self.pair, x, y)

    def release(self) -> None:
        self.fx.b.release(self.count)

    def _each_first(self, on_pairs: OnPairs) -> None:
        """Emits `on_pairs` for each first value."""
        fx, pair, first, second = self.fx, self.pair, self.first, self.second

        def seconds(value: InLocal) -> None:
            with calls.with_slot(fx, first.slot, value), self._values(pair.needs, second) as (bits, r):
                on_pairs(value, bits, r)

        with (
            calls.offered_part(fx, self.part) as words,
            calls.virtual(fx, words),
            self._values(pair.entry.needs, first) as (bits, r),
        ):
            bitsets.each_bit(fx, bits, r, seconds)

    @contextmanager
    def _values(self, needs: tuple[int, ...], node: ir.Decide) -> Iterator[tuple[Bits, Range]]:
        """The set of what can be chosen at a decision; the code is skipped if a need does not hold."""
        fx = self.fx
        with calls.if_needed(fx, needs):
            r = bitset_select.worthwhile(fx, node.source, node.reg, node.where)
            assert r is not None
            bits = chosen_sets.chosen_bits(fx, node.source, node.reg, node.where, r)
            yield bits, r
            bitsets.free_bits(fx, bits)

    def _kth(self, bits: Bits, r: Range, k: Variable, to: Variable) -> None:
        """`to` becomes the k-th value of a set."""
        b = self.fx.b
        done = b.block()
        for i, word in enumerate(bits):
            with b.temporaries(I32) as (n,):
                b.assign(n, word.popcnt().wrapped())
                here = b.block()
                if i < len(bits) - 1:
                    b.br_if(here, k.ge_s(n))
                b.assign(to, drawing.nth_of_few(self.fx, word, k) + (r.lo + 64 * i))
                b.br(done)
                b.end()
                b.assign(k, k - n)
        b.end()


class PairList:
    """Pairs in a list, as numbers in the scratch."""

    def __init__(self, fx: FunctionContext, part: OptionPart, pair: Pair) -> None:
        self.fx, self.part, self.pair = fx, part, pair
        self.count, self.at = fx.b.variables(I32, I32)
        self.first, self.second = _candidates(fx, pair)
        self.tried = not cannot_refuse(fx.mc, fx.mc.node(pair.second, ir.Decide).next)

    def find(self) -> None:
        fx, pair = self.fx, self.pair
        b, top = fx.b, global_("top")
        first, second = self.first, self.second
        b.assign(self.at, top)
        seen = self._local_of_seen(first, second)

        def with_first(x: Value) -> None:
            with b.if_(top.gt_u(fx.builder.scratch_end - 4096 - 4 * pair.width)):
                fx.fault(NO_ROOM)
            with b.temporaries(I32) as (row,), calls.with_slot(fx, first.slot, x):
                b.assign(row, (x.operand - pair.spans[0][0]) * pair.width - pair.spans[1][0])
                if seen is not None:
                    b.assign(seen, 0)
                with calls.if_needed(fx, pair.needs):
                    _each(fx, pair.second, second, lambda y: keep(row, y))

        def keep(row: Operand, y: Value) -> None:
            if seen is not None:
                with b.temporaries(I64) as (one,):
                    b.assign(one, const(1, I64) << (y.operand - pair.spans[1][0]).widened())
                    with b.if_((seen & one).eqz()):
                        b.assign(seen, seen | one)
                        append(row + y.operand)
            elif self._is_distinct(first, second):
                append(row + y.operand)
            else:
                b.push(fx.builder.call("distinct", self.at, row + y.operand, results=()))

        def append(number: Operand) -> None:
            b.write(top, number)
            b.assign(top, top + 4)

        with (
            calls.offered_part(fx, self.part) as words,
            calls.virtual(fx, words),
            calls.if_needed(fx, pair.entry.needs),
            self._if_not_in_vain(first, second),
        ):
            _each(fx, pair.first, first, with_first)
        fx.resume(self.part.node)
        b.assign(self.count, top - self.at >> 2)
        if seen is not None:
            b.release(seen)

    @contextmanager
    def _if_not_in_vain(self, first: ir.Decide, second: ir.Decide) -> Iterator[None]:
        """The code is skipped if no pair can be carried out, as far as that is seen without one."""
        fx = self.fx
        with (
            calls.with_slot(fx, first.slot, InLocal(self.count, self.pair.spans[0])),
            tried_choices.if_not_in_vain(fx, second, (first.slot,)),
        ):
            yield

    def _is_distinct(self, first: ir.Decide, second: ir.Decide) -> bool:
        return _is_distinct(self.fx, first) and _is_distinct(self.fx, second)

    def _local_of_seen(self, first: ir.Decide, second: ir.Decide) -> Variable | None:
        """A local for the second values that a first one has, if they are few and some may come twice."""
        if self.pair.width > 64 or not _is_distinct(self.fx, first) or _is_distinct(self.fx, second):
            return None
        return self.fx.b.local(I64)

    def try_drawn(self, k: Variable, picked: Label) -> None:
        fx, pair = self.fx, self.pair
        b = fx.b
        first, second = _decisions(fx, pair)
        with b.temporaries(I32, I32) as (x, y), calls.offered_part(fx, self.part) as words:
            self._values(k, x, y)
            chosen = {first.slot: InLocal(x, pair.spans[0]), second.slot: InLocal(y, pair.spans[1])}
            speculation.try_chosen(fx, pair.entry, words, chosen, pair.second)
        b.br_if(picked, STACK)
        last = (self.count + -1 << 2) + self.at
        b.write((k << 2) + self.at, last.load())
        b.assign(self.count, self.count - 1)

    def take(self, k: Variable) -> None:
        with self.fx.b.temporaries(I32, I32) as (x, y):
            self._values(k, x, y)
            self.fx.driver.take_pair(self.part, self.pair, x, y)

    def release(self) -> None:
        self.fx.b.release(self.count, self.at)

    def _values(self, k: Operand, x: Variable, y: Variable) -> None:
        """`x` and `y` become the values of the k-th pair."""
        b, pair = self.fx.b, self.pair
        with b.temporaries(I32) as (number,):
            b.assign(number, ((k << 2) + self.at).load())
            b.assign(x, number.div_u(pair.width) + pair.spans[0][0])
            b.assign(y, number.rem_u(pair.width) + pair.spans[1][0])


def _candidates(fx: FunctionContext, pair: Pair) -> tuple[ir.Decide, ir.Decide]:
    """Two decisions of which fewer pairs are listed than may be tried.

    Needs behind both that only look at words are asked of either, and pairs are left out that no trial can
    relate. What may fault is asked by the trial alone.
    """
    first, second = _decisions(fx, pair)
    if cannot_refuse(fx.mc, second.next) or fx.mc.cover or not isinstance(second.source, ir.Values):
        return first, second
    asked = fx.builder.trial_of_choice(second)
    of_first, of_second, rest = list[ir.Expr](), list[ir.Expr](), list[ir.Expr]()
    for part in candidates.needs_of(fx, second, asked, {first.slot: pair.spans[0]}):
        if candidates.goes_through(part):
            rest.append(part)
        elif fx.reads(part, asked.reg):
            of_second.append(part)
        else:
            of_first.append(of_registers(part, {first.slot: first.reg}))
    first = replace(first, where=reduce(both, of_first, first.where))
    if of_second:
        second = replace(second, reg=asked.reg, where=reduce(both, of_second, asked.where))
    links = linked_pairs(fx, first.slot, pair.spans[0], asked.reg, second.source, rest)
    return first, second if links is None else replace(second, source=links)


def _each(fx: FunctionContext, number: int, node: ir.Decide, visit: Callable[[Value], None]) -> None:
    """Emits `visit` for each candidate of a decision."""
    untried, fx.untried = fx.untried, True
    fx.choices(number, node, EachOption(visit))
    fx.untried = untried


def _is_distinct(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether every candidate of a decision is found once."""
    return _is_set(fx, node) or collection_order.stands_once(fx, node.source)
