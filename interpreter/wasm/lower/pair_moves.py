"""Pairs of a place and one that it is linked to, as sets: one for each number by which a link leads on.

From all places that can be first, the links of one length lead on by one shift. What is asked of the second
place is asked of the whole set that this gives; the first place is known from the second there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import cast

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.visit import Part, mapped
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import Variable
from interpreter.wasm.lower import (
    bitset_rays,
    bitset_select,
    bitsets,
    calls,
    chosen_sets,
    drawing,
    value_tables,
)
from interpreter.wasm.lower.condition_forms import few_values, normal_conjuncts
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range
from interpreter.wasm.option_layout import OptionPart, Pair

MOST_WORDS = 16
"""The most words that the pairs of an action have."""


@dataclass(frozen=True, slots=True)
class Move:
    """Links that lead on by the same number: from which places, and what is asked of those behind them."""

    by: int
    sources: int
    where: ir.Expr | None


def moves_of(fx: FunctionContext, first: ir.Decide, second: ir.Decide) -> tuple[Move, ...] | None:
    """The moves of two parameters, if pairs are found as sets of them."""
    links, slots, regs = second.source, fx.slots, fx.regs
    if not isinstance(links, ir.Linked) or links.index != ir.Local(first.slot):
        return None
    r = Range(links.lo, len(links.links))
    known = fx.builder.links(links.links)
    if not known.distinct or not known.within(r.lo, r.size):
        return None
    fx.slots, fx.regs = {}, {}
    fits = bitset_select.worthwhile(fx, first.source, first.reg, first.where) == r
    every = _moves(first, second, links) if fits else ()
    found = tuple(x for x in every if not _is_never(fx, x, second.reg, r))
    if len(found) * r.words > MOST_WORDS or not all(_is_set(fx, x, second.reg, r) for x in found):
        found = ()
    fx.slots, fx.regs = slots, regs
    return found or None


def _moves(first: ir.Decide, second: ir.Decide, links: ir.Linked) -> Iterator[Move]:
    sources: dict[int, int] = {}
    for i, row in enumerate(links.links):
        for v in row:
            by = v - links.lo - i
            sources[by] = sources.get(by, 0) | 1 << i
    for by, mask in sorted(sources.items()):
        origin = _origins(links, by, mask)
        first_place = ir.Pick(origin, ir.Reg(second.reg), links.lo)
        where = None if second.where is None else _with_first(second.where, first.slot, first_place)
        yield Move(by, mask, where)


def _origins(links: ir.Linked, by: int, sources: int) -> tuple[int, ...]:
    """For each place the one from which a move leads there; any other where none does."""
    other = (sources & -sources).bit_length() - 1
    places = range(len(links.links))
    move = Move(by, sources, None)
    return tuple(links.lo + (i - by if _is_reached(move, i) else other) for i in places)


def _with_first(e: ir.Expr, slot: int, first: ir.Expr) -> ir.Expr:
    """A condition that reads the first place from the second."""

    def change(part: Part) -> Part:
        return first if part == ir.Local(slot) else mapped(part, change)

    return cast(ir.Expr, change(e))


def _is_set(fx: FunctionContext, move: Move, reg: int, r: Range) -> bool:
    if move.where is None:
        return True
    every = ir.Values(tuple(range(r.lo, r.lo + r.size)))
    return bitset_select.settable(fx, move.where, reg, r) and not fx.comes_to_faults(
        partial(chosen_sets.dry_run, fx, every, reg, move.where, r)
    )


def _is_never(fx: FunctionContext, move: Move, reg: int, r: Range) -> bool:
    """Whether a move is known to meet its condition nowhere."""
    for part in normal_conjuncts(fx, move.where, reg) if move.where is not None else []:
        if isinstance(part, ir.Op) and part.op == "==":
            table, values = value_tables.table_of(fx, part.left, reg, r), few_values(part.right)
            if table is None or values is None:
                continue
            if values.isdisjoint(x for i, x in enumerate(table) if _is_reached(move, i)):
                return True
    return False


def _is_reached(move: Move, place: int) -> bool:
    """Whether a move leads to a place, counted from the first."""
    return place >= move.by and bool(move.sources >> place - move.by & 1)


def places_of(second: ir.Decide) -> Range:
    """The places that are linked, where the second of two parameters has links from the first."""
    links = cast(ir.Linked, second.source)
    return Range(links.lo, len(links.links))


def linked_firsts(
    fx: FunctionContext, first: ir.Decide, second: ir.Decide, moves: tuple[Move, ...], r: Range
) -> Bits:
    """The first places from which a move leads on: the seconds of each length, shifted back."""
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, 0)
    firsts = chosen_sets.chosen_bits(fx, first.source, first.reg, first.where, r)
    for move in moves:
        words = bitsets.new_bits(fx, r)
        bitsets.set_bits(fx, words, 0)
        _add_seconds(fx, move, second.reg, r, firsts, words)
        reached = move.sources << move.by if move.by > 0 else move.sources >> -move.by
        bitset_rays.shift_by(fx, -move.by, reached, words, found, None, r.size)
        bitsets.free_bits(fx, words)
    bitsets.free_bits(fx, firsts)
    return found


def _add_seconds(fx: FunctionContext, move: Move, reg: int, r: Range, firsts: Bits, words: Bits) -> None:
    """An empty set gains the places to which a move leads from some first ones."""
    bitset_rays.shift_by(fx, move.by, move.sources, firsts, words, None, r.size)
    if move.where is not None:
        fx.keep(move.where, reg, r, words)


class PairMoves:
    """Pairs of two parameters as the sets of the second one, by how a link leads there."""

    tried = False

    def __init__(self, fx: FunctionContext, part: OptionPart, pair: Pair, moves: tuple[Move, ...]) -> None:
        self.fx, self.part, self.pair, self.moves = fx, part, pair, moves
        self.first, self.second = (fx.mc.node(x, ir.Decide) for x in (pair.first, pair.second))
        self.r = places_of(self.second)
        self.count = fx.b.local()
        self.words = [bitsets.new_bits(fx, self.r) for _ in moves]

    def find(self) -> None:
        fx, r = self.fx, self.r
        for words in self.words:
            bitsets.set_bits(fx, words, 0)
        with (
            calls.offered_part(fx, self.part) as frame,
            calls.virtual(fx, frame),
            calls.if_needed(fx, self.pair.entry.needs),
        ):
            node = self.first
            firsts = chosen_sets.chosen_bits(fx, node.source, node.reg, node.where, r)
            for move, words in zip(self.moves, self.words, strict=True):
                _add_seconds(fx, move, self.second.reg, r, firsts, words)
            bitsets.free_bits(fx, firsts)
        fx.resume(self.part.node)
        fx.b.assign(self.count, bitsets.size(self._all_words()))

    def _all_words(self) -> Bits:
        return [word for words in self.words for word in words]

    def try_drawn(self, k: Variable, picked: Label) -> None:
        raise AssertionError("pairs in sets need no trial")

    def take(self, k: Variable) -> None:
        fx, r = self.fx, self.r
        seconds = [r.lo + 64 * i for _ in self.moves for i in range(r.words)]
        firsts = [lo - self.moves[i // r.words].by for i, lo in enumerate(seconds)]
        with fx.b.temporaries(I32, I32, I32) as (x, y, bit):
            drawing.nth_of_words(fx, self._all_words(), k, bit)
            fx.b.assign(x, (bit >> 6).entry_of(fx.builder.table(firsts)) + (bit & 63))
            fx.b.assign(y, (bit >> 6).entry_of(fx.builder.table(seconds)) + (bit & 63))
            fx.driver.take_pair(self.part, self.pair, x, y)

    def release(self) -> None:
        self.fx.b.release(self.count, *self._all_words())
