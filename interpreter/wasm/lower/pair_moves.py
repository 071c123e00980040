"""Pairs of two parameters as sets: of a place and one that it is linked to, or of a place and a way.

From all places that can be first, the links of one length lead on by one shift. What is asked of the second
place is asked of the whole set that this gives; the first place is known from the second there. Where the
second parameter is one of a few values, each of them has the set of the places that it goes with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import compress, islice
from typing import cast

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.effects import has_trial
from interpreter.ir.fold import all_conjuncts, both, choice, operation
from interpreter.ir.purity import cannot_refuse
from interpreter.ir.trials import YES, TriedChoice
from interpreter.ir.visit import Part, mapped, reads_slot, substitute
from interpreter.wasm.emit.bit_boards import FEWEST
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Variable, const
from interpreter.wasm.lower import (
    bitset_rays,
    bitset_select,
    bitsets,
    calls,
    chosen_sets,
    const_eval,
    drawing,
    option_layouts,
    speculation,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, InLocal, Interval, Range
from interpreter.wasm.option_layout import OptionPart, Pair
from interpreter.wasm.sets import vectors
from interpreter.wasm.sets.costs import operations, work
from interpreter.wasm.sets.tables import MOST_PAIRS, PLACE

MOST_WORDS = 24
"""The most words that the pairs of an action have."""
FEW_RELATED = 2
"""How many times as many pairs there are, at least, as those that are listed because they are related."""
FEW_FIRST = 16
"""How many times as many places there are, about, as those of which a list of pairs asks a condition."""
FIRST = PLACE + 1
"""The register of the first place, which nothing else binds."""


@dataclass(frozen=True, slots=True)
class Move:
    """Links that lead on by the same number: from which places, and what is asked of those behind them.

    With `second`, that value is chosen for the places, and nothing leads on.
    """

    by: int
    sources: int
    where: ir.Expr | None
    second: int | None = None


@dataclass(frozen=True, slots=True)
class MovedPairs:
    """The pairs of two parameters: what can be first, and how moves lead from there to the second.

    `reg` is the register of the second place in what is asked of it, or of the first one for each second.
    """

    r: Range
    firsts: ir.Filtered
    moves: tuple[Move, ...]
    reg: int


def moves_of(
    fx: FunctionContext,
    first: ir.Decide,
    second: ir.Decide,
    needs: Sequence[ir.Expr] = (),
    *,
    candidates: bool = False,
) -> MovedPairs | None:
    """The moves of two parameters, if pairs are found as sets of them.

    `needs` are asked between them. What trying the second one asks is asked of it like its own condition;
    if that may not be all, they are `candidates`.
    """
    asked = fx.builder.trial_of_choice(second)
    if not (asked.exact or cannot_refuse(fx.mc, second.next) or candidates):
        return None
    while isinstance(source := second.source, ir.Filtered):
        if source.where is not None:
            inside = substitute(source.where, source.reg, ir.Reg(asked.reg))
            asked = replace(
                asked, where=inside if asked.where is None else operation("and", inside, asked.where)
            )
        second = replace(second, source=source.source)
    r = _places(fx, first, second)
    if r is None and (r := _places_of_first(fx, first, second)) is not None:
        offered = ir.Contains(ir.Reg(asked.reg), second.source)
        asked = replace(
            asked, where=offered if asked.where is None else operation("and", offered, asked.where)
        )
        second = replace(second, source=ir.Values(tuple(range(r.lo, r.lo + r.size))))
    slots, regs, fx.slots, fx.regs = fx.slots, fx.regs, {}, {}
    if r is not None:
        found = _by_links(fx, first, second, asked, needs, r)
    else:
        found = _by_seconds(fx, first, second, asked, needs)
    fx.slots, fx.regs = slots, regs
    return found


def _by_seconds(
    fx: FunctionContext, first: ir.Decide, second: ir.Decide, asked: TriedChoice, needs: Sequence[ir.Expr]
) -> MovedPairs | None:
    """The places with which each of a few second values goes."""
    first_where = _of_first(first, needs)
    r = bitset_select.range_of(fx, first.source, FIRST, first_where, once=False)
    lo, hi = option_layouts.values_of(fx, second)
    if r is None or (hi - lo + 1) * r.words > MOST_WORDS or not bitset_select.set_of(fx, first.source, r):
        return None
    firsts = ir.Filtered(FIRST, first.source, first_where)
    if not _is_safe_set(fx, firsts, r):
        return None
    moves = []
    for value in range(lo, hi + 1):
        offered = _offers(second.source, value)
        where = operation("and", offered, substitute(asked.both or YES, asked.reg, ir.Const(value)))
        where = _with_first(where, first.slot, ir.Reg(FIRST))
        if const_eval.constant(fx, where) != 0:
            moves.append(Move(0, r.all, where, value))
    if not moves or not all(_is_set(fx, x, FIRST, r) for x in moves):
        return None
    return MovedPairs(r, firsts, tuple(moves), FIRST)


def _of_first(first: ir.Decide, others: Sequence[ir.Expr]) -> ir.Expr | None:
    """What is asked of the first place, in a register that nothing else binds."""
    place = ir.Reg(FIRST)
    where = None if first.where is None else substitute(first.where, first.reg, place)
    return reduce(both, (_with_first(x, first.slot, place) for x in others), where)


def _offers(source: ir.Source, value: int) -> ir.Expr:
    """Whether a value stands in a collection."""
    match source:
        case ir.Values(values=values):
            return ir.Const(int(value in values))
        case ir.Listed(items=items):
            found: ir.Expr = ir.Const(0)
            for item in items:
                found = operation("or", found, operation("==", item, ir.Const(value)))
            return found
        case ir.Either(condition=condition, then=then, otherwise=otherwise):
            return choice(condition, _offers(then, value), _offers(otherwise, value))
    return ir.Contains(ir.Const(value), source)


def _is_safe_set(fx: FunctionContext, firsts: ir.Filtered, r: Range) -> bool:
    """Whether what can be first is a set that cannot fault."""
    if firsts.where is not None and not bitset_select.settable(fx, firsts.where, firsts.reg, r):
        return False
    return not fx.breaks_rules(partial(chosen_sets.dry_run, fx, firsts.source, firsts.reg, firsts.where, r))


def _places(fx: FunctionContext, first: ir.Decide, second: ir.Decide) -> Range | None:
    """The places among which both are chosen."""
    match second.source:
        case ir.Linked(links=links, lo=lo, index=index) if index == ir.Local(first.slot):
            known = fx.builder.links(links)
            r = Range(lo, len(links))
            fits = known.distinct and known.within(r.lo, r.size)
        case ir.Values(values=values):
            r = Range(values[0], len(values)) if values else Range(0, 0)
            fits = values == tuple(range(r.lo, r.lo + r.size))
        case _:
            return None
    return r if fits and r.size >= FEWEST and bitset_select.set_of(fx, first.source, r) else None


def _places_of_first(fx: FunctionContext, first: ir.Decide, second: ir.Decide) -> Range | None:
    """The places among which the first is chosen, if those that the second is chosen from depend on it."""
    r = bitset_select.range_of(fx, first.source, first.reg, first.where, once=False)
    if r is None or not reads_slot(second.source, first.slot) or r.size**2 > MOST_PAIRS:
        return None
    if not isinstance(second.source, ir.Joined | ir.Prefix | ir.Either) or has_trial(second.source):
        return None
    lo, hi = fx.domain(second.source)
    inside = r.lo <= lo and hi < r.lo + r.size
    return r if inside and bitset_select.set_of(fx, first.source, r) else None


def _by_links(
    fx: FunctionContext,
    first: ir.Decide,
    second: ir.Decide,
    asked: TriedChoice,
    needs: Sequence[ir.Expr],
    r: Range,
) -> MovedPairs | None:
    """The moves by which links lead on, of which known relations leave some out."""
    of_first, related = list(needs), list[ir.Expr]()
    links = _links(second.source, r)
    for part in all_conjuncts(asked.both) if asked.both is not None else ():
        if part == YES:
            continue
        if not fx.reads(part, asked.reg):
            of_first.append(part)
        elif (rows := _rows(fx, part, asked.reg, first.slot, r)) is not None:
            links = [x & y for x, y in zip(links, rows, strict=True)]
        else:
            related.append(part)
    firsts = ir.Filtered(FIRST, first.source, _of_first(first, of_first))
    if sum(row.bit_count() for row in links) > MOST_PAIRS or not _is_safe_set(fx, firsts, r):
        return None
    where = reduce(both, related) if related else None
    if where is not None:
        links = _possible(fx, where, asked.reg, first.slot, r, links)
    for masked in (False, True):
        every = _moves(first, links, r, where, asked.reg, masked=masked)
        moves = tuple(islice(every, MOST_WORDS // r.words + 1))
        if not moves or len(moves) * r.words > MOST_WORDS:
            return None
        if all(_is_set(fx, x, asked.reg, r) for x in moves):
            return MovedPairs(r, firsts, moves, asked.reg)
    return None


def _links(source: ir.Source, r: Range) -> list[int]:
    """For each first place the set of the second ones that are offered."""
    if isinstance(source, ir.Linked):
        return [sum(1 << v - r.lo for v in row) for row in source.links]
    return [r.all] * r.size


def _rows(fx: FunctionContext, e: ir.Expr, reg: int, slot: int, r: Range) -> Sequence[int] | None:
    """For each first place the set of the second ones that a condition relates to it, if they say all."""
    if r.size**2 > MOST_PAIRS:
        return None
    places = range(r.lo, r.lo + r.size)
    columns = {FIRST: tuple(x for x in places for _ in places), reg: tuple(places) * r.size}
    related = vectors.known(fx, _with_first(e, slot, ir.Reg(FIRST)), columns)
    return None if related is None else [related >> r.size * i & r.all for i in range(r.size)]


def _possible(
    fx: FunctionContext, e: ir.Expr, reg: int, slot: int, r: Range, links: Sequence[int]
) -> list[int]:
    """Those of some links whose two places a condition can relate."""
    e = fx.builder.first_equal(_with_first(e, slot, ir.Reg(FIRST)))
    name = ("possible", id(e), reg, r, tuple(links))
    if name not in fx.builder.relations:
        found = [0] * r.size
        pairs = [(i, j) for i, row in enumerate(links) for j in range(r.size) if row >> j & 1]
        columns = {FIRST: tuple(r.lo + i for i, _ in pairs), reg: tuple(r.lo + j for _, j in pairs)}
        for i, j in compress(pairs, vectors.possible(fx, e, columns)) if pairs else ():
            found[i] |= 1 << j
        fx.builder.relations[name] = e, found
    possible: list[int] = fx.builder.relations[name][1]
    return possible


def linked_pairs(
    fx: FunctionContext, slot: int, firsts: Interval, reg: int, source: ir.Source, asked: Sequence[ir.Expr]
) -> ir.Linked | None:
    """For each first place the second ones that conditions can relate to it, if these are by far not all."""
    if not asked or not isinstance(source, ir.Values):
        return None
    r = Range(firsts[0], firsts[1] - firsts[0] + 1)
    if source.values != tuple(range(r.lo, r.lo + r.size)) or r.size < FEWEST or r.size**2 > MOST_PAIRS:
        return None
    rows = _possible(fx, reduce(both, asked), reg, slot, r, [r.all] * r.size)
    if FEW_RELATED * sum(row.bit_count() for row in rows) > r.size**2:
        return None
    links = tuple(tuple(r.lo + j for j in range(r.size) if row >> j & 1) for row in rows)
    return ir.Linked(links, ir.Local(slot), r.lo)


def _moves(
    first: ir.Decide, links: Sequence[int], r: Range, asked: ir.Expr | None, reg: int, *, masked: bool
) -> Iterator[Move]:
    """The moves; `masked`: where one does not lead, nothing more is asked."""
    sources: dict[int, int] = {}
    for i, row in enumerate(links):
        while row:
            lowest = row & -row
            by = lowest.bit_length() - 1 - i
            sources[by] = sources.get(by, 0) | 1 << i
            row ^= lowest
    for by, mask in sorted(sources.items()):
        where = None
        if asked is not None:
            where = _with_first(asked, first.slot, ir.Pick(_origins(r, by, mask), ir.Reg(reg), r.lo))
            if masked:
                reached = tuple(int(_is_reached(Move(by, mask, None), i)) for i in range(r.size))
                where = operation("and", ir.Pick(reached, ir.Reg(reg), r.lo), where)
        yield Move(by, mask, where)


def _origins(r: Range, by: int, sources: int) -> tuple[int, ...]:
    """For each place the one from which a move leads there; any other where none does."""
    other = (sources & -sources).bit_length() - 1
    move = Move(by, sources, None)
    return tuple(r.lo + (i - by if _is_reached(move, i) else other) for i in range(r.size))


def _with_first(e: ir.Expr, slot: int, first: ir.Expr) -> ir.Expr:
    """A condition that reads the first place from the second."""

    def change(part: Part) -> Part:
        return first if part == ir.Local(slot) else mapped(part, change)

    return cast(ir.Expr, change(e))


def _is_set(fx: FunctionContext, move: Move, reg: int, r: Range) -> bool:
    if move.where is None:
        return True
    every = ir.Values(tuple(range(r.lo, r.lo + r.size)))
    if not bitset_select.settable_whole(fx, move.where, reg, r):
        form = fx.form(move.where, reg, r)
        if form is None or FEW_FIRST * operations(form, r) > r.size * work(move.where):
            return False
    return not fx.breaks_rules(partial(chosen_sets.dry_run, fx, every, reg, move.where, r))


def _is_reached(move: Move, place: int) -> bool:
    """Whether a move leads to a place, counted from the first."""
    return place >= move.by and bool(move.sources >> place - move.by & 1)


def linked_firsts(fx: FunctionContext, found: MovedPairs) -> Bits:
    """The first places from which a move leads on: the seconds of each length, shifted back."""
    r, to = found.r, bitsets.new_bits(fx, found.r)
    bitsets.set_bits(fx, to, 0)
    firsts = fx.source_bits(found.firsts, r)
    for move in found.moves:
        words = bitsets.new_bits(fx, r)
        bitsets.set_bits(fx, words, 0)
        _add_seconds(fx, move, found.reg, r, firsts, words)
        reached = move.sources << move.by if move.by > 0 else move.sources >> -move.by
        bitset_rays.shift_by(fx, -move.by, reached, words, to, None, r.size)
        bitsets.free_bits(fx, words)
    bitsets.free_bits(fx, firsts)
    return to


def _add_seconds(fx: FunctionContext, move: Move, reg: int, r: Range, firsts: Bits, words: Bits) -> None:
    """An empty set gains the places to which a move leads from some first ones."""
    bitset_rays.shift_by(fx, move.by, move.sources, firsts, words, None, r.size)
    if move.where is not None:
        fx.keep(move.where, reg, r, words)


class PairMoves:
    """Pairs of two parameters as the sets of the second one, by how a link leads there."""

    def __init__(self, fx: FunctionContext, part: OptionPart, pair: Pair, found: MovedPairs) -> None:
        self.fx, self.part, self.pair, self.found = fx, part, pair, found
        second = fx.mc.node(pair.second, ir.Decide)
        self.tried = not (fx.builder.trial_of_choice(second).exact or cannot_refuse(fx.mc, second.next))
        self.moves, self.r = found.moves, found.r
        self.count = fx.b.local()
        self.words = [bitsets.new_bits(fx, self.r) for _ in found.moves]

    def find(self) -> None:
        fx, r = self.fx, self.r
        for words in self.words:
            bitsets.set_bits(fx, words, 0)
        with (
            calls.offered_part(fx, self.part) as frame,
            calls.virtual(fx, frame),
            calls.if_needed(fx, self.pair.entry.needs),
        ):
            firsts = fx.source_bits(self.found.firsts, r)
            for move, words in zip(self.moves, self.words, strict=True):
                _add_seconds(fx, move, self.found.reg, r, firsts, words)
            bitsets.free_bits(fx, firsts)
        fx.resume(self.part.node)
        fx.b.assign(self.count, bitsets.size(self._all_words()))

    def _all_words(self) -> Bits:
        return [word for words in self.words for word in words]

    def try_drawn(self, k: Variable, picked: Label) -> None:
        fx, b, pair = self.fx, self.fx.b, self.pair
        slots = [fx.mc.node(number, ir.Decide).slot for number in (pair.first, pair.second)]
        with b.temporaries(I32, I32, I32) as (x, y, bit), calls.offered_part(fx, self.part) as words:
            self._values(k, x, y, bit)
            values = (InLocal(x, pair.spans[0]), InLocal(y, pair.spans[1]))
            chosen = dict(zip(slots, values, strict=True))
            speculation.try_chosen(fx, pair.entry, words, chosen, pair.second)
            b.br_if(picked, STACK)
            for i, word in enumerate(self._all_words()):
                with b.if_((bit >> 6).eq(i)):
                    b.assign(word, word ^ const(1, I64) << bit.widened())
        b.assign(self.count, self.count - 1)

    def take(self, k: Variable) -> None:
        with self.fx.b.temporaries(I32, I32, I32) as (x, y, bit):
            self._values(k, x, y, bit)
            self.fx.driver.take_pair(self.part, self.pair, x, y)

    def _values(self, k: Variable, x: Variable, y: Variable, bit: Variable) -> None:
        """`x` and `y` become the values of the k-th pair, and `bit` where it stands."""
        fx, r = self.fx, self.r
        seconds = [r.lo + 64 * i for _ in self.moves for i in range(r.words)]
        firsts = [lo - self.moves[i // r.words].by for i, lo in enumerate(seconds)]
        drawing.nth_of_words(fx, self._all_words(), k, bit)
        fx.b.assign(x, (bit >> 6).entry_of(fx.builder.table(firsts)) + (bit & 63))
        values = [move.second for move in self.moves for _ in range(r.words) if move.second is not None]
        if values:
            fx.b.assign(y, (bit >> 6).entry_of(fx.builder.table(values)))
        else:
            fx.b.assign(y, (bit >> 6).entry_of(fx.builder.table(seconds)) + (bit & 63))

    def release(self) -> None:
        self.fx.b.release(self.count, *self._all_words())
