"""Sets that are kept in words of 32 bits, in a frame or in registers: found at once, read as bits again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, starmap

from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.lower import bitset_select, bitsets, const_eval, coverage
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import TRUTH, WIDE, Bits, Constant, Interval, Range, Value

# ---- finding them


def masks_from(mc: ir.Machine, node: ir.SetLocal) -> list[ir.SetLocal]:
    """The nodes from one on that write the words of one set, one after another."""
    found: list[ir.SetLocal] = []
    following: ir.Step = node
    while isinstance(following, ir.SetLocal) and isinstance(following.value, ir.Mask):
        if found and not _goes_on(found[-1], following):
            break
        found.append(following)
        following = mc.nodes[following.next]
    return found


def _goes_on(one: ir.SetLocal, other: ir.SetLocal) -> bool:
    """Whether a node writes the word behind that of another, of the same set."""
    assert isinstance(one.value, ir.Mask)
    return other.slot == one.slot + 1 and is_next_mask(one.value, other.value)


def is_next_mask(one: ir.Mask, other: ir.Expr) -> bool:
    """Whether an expression is the next word of the same set."""
    return isinstance(other, ir.Mask) and other.source is one.source and other.lo == one.lo + 32


def let_words(e: ir.Let) -> list[ir.Let]:
    """An expression within a name and, if that is the first word of a set, those within the others."""
    found = [e]
    while isinstance(inner := found[-1].body, ir.Let) and isinstance(found[-1].value, ir.Mask):
        if not is_next_mask(found[-1].value, inner.value):
            break
        found.append(inner)
    return found


def set_locals(fx: FunctionContext, run: Sequence[ir.SetLocal]) -> int:
    """Emits the nodes that write a set; the node behind them."""
    words = mask_words(fx, [node.value for node in run if isinstance(node.value, ir.Mask)])
    for node, word in zip(run, words, strict=True):
        fx.set_slot(node.slot, word)
    fx.b.release(*words)
    return run[-1].next


def mask(fx: FunctionContext, source: ir.Source, lo: int) -> Interval:
    """Leaves the set of a collection's values from `lo` to `lo + 31`."""
    [word] = mask_words(fx, [ir.Mask(source, lo)])
    fx.b.push(word)
    fx.b.release(word)
    return WIDE


def mask_words(fx: FunctionContext, masks: Sequence[ir.Mask]) -> list[Variable]:
    """The words of one set, in locals: the collection is gone through once."""
    b, source, lo = fx.b, masks[0].source, masks[0].lo
    words = b.variables(*(I32 for _ in masks))

    def one_by_one() -> Interval:
        for word in words:
            b.assign(word, 0)
        fx.each(source, lambda value, _: _add(fx, words, value, lo), 6 * len(words))
        return TRUTH

    r = _range(fx, source, Range(lo, 32 * len(words)))
    if r is None:
        one_by_one()
        return words

    def at_once() -> Interval:
        bits = fx.source_bits(source, r)
        for i, word in enumerate(words):
            b.assign(word, _part(bits, lo + 32 * i - r.lo))
        bitsets.free_bits(fx, bits)
        return TRUTH

    fx.safely(at_once, one_by_one)
    return words


def _range(fx: FunctionContext, source: ir.Source, whole: Range) -> Range | None:
    """The interval for which a collection is found as bits, if it is."""
    if fx.one_by_one or coverage.notes(fx, source):
        return None
    inner, reg, where = source, -1, None
    if isinstance(source, ir.Filtered):
        inner, reg, where = source.source, source.reg, source.where
    for r in (bitset_select.range_of(fx, source, -1, None, once=False), whole):
        if r is not None and bitset_select.set_of(fx, source, r):
            return None if bitset_select.is_sooner_asked(fx, inner, reg, where, r) else r
    return bitset_select.worthwhile(fx, inner, reg, where, once=False)


def _part(bits: Bits, first: int) -> Operand:
    """32 bits of a set, from one on."""
    if first < 0:
        return (bits[0] << -first).wrapped() if first > -32 else const(0)
    i, shift = divmod(first, 64)
    if i >= len(bits):
        return const(0)
    part = bits[i] >> shift if shift else bits[i]
    if shift > 32 and i + 1 < len(bits):
        part |= bits[i + 1] << 64 - shift
    return part.wrapped()


def _add(fx: FunctionContext, words: list[Variable], value: Value, lo: int) -> None:
    """Adds a value to a set, if there is a bit for it."""
    b = fx.b
    if isinstance(value, Constant):
        i, bit = divmod(value.value - lo, 32)
        if 0 <= i < len(words):
            b.assign(words[i], words[i] | (1 << bit if bit < 31 else -(1 << 31)))
        return
    first, last = value.span
    for i, word in enumerate(words):
        at = value.operand - (lo + 32 * i)
        one = const(1) << at
        if first >= lo + 32 * i and last < lo + 32 * i + 32:
            b.assign(word, word | one)
        elif last >= lo + 32 * i and first < lo + 32 * i + 32:
            b.assign(word, word | select(one, const(0), at.lt_u(32)))


# ---- reading them


def held_bits(fx: FunctionContext, source: ir.Bits, found: Bits) -> None:
    """`found` becomes a set that is kept."""
    masks = [word for word in source.words if isinstance(word, ir.Mask)]
    if len(masks) == len(source.words) and all(starmap(is_next_mask, pairwise(masks))):
        words = mask_words(fx, masks)
        _join(fx, words, found)
        fx.b.release(*words)
        return
    held = [const_eval.operand(fx, word) for word in source.words]
    _join(fx, [value.operand for value in held], found)
    fx.drop(*held)


def _join(fx: FunctionContext, words: Sequence[Operand], found: Bits) -> None:
    """Two words of 32 bits are one of 64; there may be fewer than the set has."""
    for i, to in enumerate(found):
        halves = [word.widened() for word in words[2 * i : 2 * i + 2]]
        fx.b.assign(to, halves[0] | halves[1] << 32 if len(halves) > 1 else halves[0] if halves else 0)
