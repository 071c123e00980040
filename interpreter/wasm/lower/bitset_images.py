"""Images of collections: for which values a collection has something that is mapped to them.

`those(rank where any(card in hand where card.rank is rank))` asks the hand once for each rank. The set of
the ranks for which it holds is the image of the hand: each card adds the bit of its rank. A number of cards
that is compared with a known one, as in `count(card in hand where card.rank is rank) >= 2`, takes a set for
each number up to that one: those ranks of which there are at least so many.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from dsl.domains import NONE
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, select
from interpreter.wasm.lower import bitset_moves, bitsets, const_eval, expressions
from interpreter.wasm.lower.bitset_select import Image
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, Range, Value


def image_set(fx: FunctionContext, image: Image, r: Range) -> Bits:
    """The values of the interval for which the condition holds."""
    moves = bitset_moves.moves_of(fx, image, r)
    if moves is not None:
        at_least = bitset_moves.moved_sets(fx, moves, max(image.least, image.below or 0), r)
        return _between(fx, image, r, at_least, bitsets.new_bits(fx, r))
    b = fx.b
    most = max(image.least, image.below or 0)
    at_least = [bitsets.new_bits(fx, r) for _ in range(most)]
    """The values to which at least one element is mapped, at least two, and so on."""
    for bits in at_least:
        bitsets.set_bits(fx, bits, 0)
    one = at_least[0] if most == 1 and image.table is None else bitsets.new_bits(fx, r)

    def add() -> None:
        for more, fewer in zip(at_least[:0:-1], at_least[-2::-1], strict=True):
            for to, from_, new in zip(more, fewer, one, strict=True):
                b.assign(to, to | (from_ & new))
        bitsets.unite(fx, at_least[0], one)

    def visit(value: Value, n: Value) -> None:
        with fx.reg(image.reg, value), expressions.common_subexpressions(fx, image.where, image.value):
            known = const_eval.known_or_pushed(fx, image.where)
            if known is False:
                return
            with b.if_(STACK) if known is None else nullcontext():
                _mapped(fx, image, r, one, None if one is at_least[0] else lambda: _times(fx, n, most, add))

    if most:
        with expressions.loop_invariants(fx, image.reg, image.where, image.value):
            fx.each(image.source, visit, 20)
    return _between(fx, image, r, at_least, one)


def _mapped(fx: FunctionContext, image: Image, r: Range, one: Bits, add: Callable[[], None] | None) -> None:
    """`one` becomes the set of the values that an element is mapped to, and is added; or it gains them."""
    b = fx.b
    held = const_eval.operand(fx, image.value)
    if image.table is None:
        inside = r.lo <= held.span[0] and held.span[1] < r.lo + r.size
        with nullcontext() if inside else b.if_(bitsets.in_range(held.operand, r)):
            if add is not None:
                bitsets.set_bits(fx, one, 0)
            bitsets.add_bit(fx, one, held, r)
            if add is not None:
                add()
    else:
        assert add is not None
        rows, lo, none = rows_of(image.table)
        with b.if_((held.operand - lo).lt_u(len(rows))):
            bitsets.row(fx, rows, held.operand, lo, one)
            add()
        if none:
            with b.if_(held.operand.eq(NONE)):
                bitsets.set_bits(fx, one, none)
                add()
    fx.drop(held)


def rows_of(table: tuple[int, ...]) -> tuple[list[int], int, int]:
    """The set of the indices for each value of a table, from the returned least one on; and that for none."""
    real = [v for v in table if v != NONE]
    lo, hi = min(real, default=0), max(real, default=0)
    rows = [sum(1 << i for i, v in enumerate(table) if v == x) for x in range(lo, hi + 1)]
    return rows, lo, sum(1 << i for i, v in enumerate(table) if v == NONE)


def _times(fx: FunctionContext, n: Value, most: int, add: Callable[[], None]) -> None:
    """Adds as often as something lies there, or until more would make no difference."""
    if most == 1:
        add()
    elif isinstance(n, Constant):
        for _ in range(min(n.value, most)):
            add()
    else:
        b = fx.b
        with b.temporaries(I32) as (left,):
            b.assign(left, select(n.operand, most, n.operand.lt_s(most)))
            with b.until(left.eqz()):
                add()
                b.assign(left, left - 1)


def _between(fx: FunctionContext, image: Image, r: Range, at_least: list[Bits], one: Bits) -> Bits:
    """The values with enough elements and not too many."""
    found = bitsets.new_bits(fx, r)
    if image.least:
        bitsets.copy_bits(fx, found, at_least[image.least - 1])
    else:
        bitsets.set_bits(fx, found, r.all)
    if image.below:
        bitsets.minus(fx, found, at_least[image.below - 1])
    elif image.below == 0:
        bitsets.set_bits(fx, found, 0)
    for bits in at_least:
        if bits is not one:
            bitsets.free_bits(fx, bits)
    bitsets.free_bits(fx, one)
    return found
