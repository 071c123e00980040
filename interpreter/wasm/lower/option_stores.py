"""Where the options of a part are kept from finding them to drawing one: as bits, or as an interval."""

from __future__ import annotations

from typing import Protocol

from interpreter import ir
from interpreter.ir.purity import cannot_refuse
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.nth_bit import nth_bit
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.lower import (
    bitset_pieces,
    bitset_select,
    bitsets,
    candidates,
    drawing,
    option_layouts,
    options,
)
from interpreter.wasm.lower.context import FunctionContext, OptionSink
from interpreter.wasm.lower.option_sinks import (
    BitsInLocal,
    BitsInLocals,
    ClassesOfPlace,
    EachOption,
    IntervalInLocals,
    WordsBehind,
    add_bit,
    add_words,
    set_bit,
)
from interpreter.wasm.option_layout import OptionPart

MOST_WORDS = 7
"""The most words of a set that is kept in locals."""


class OptionStore(Protocol):
    """The options of a part, by their bits in it."""

    def find(self, count: Variable) -> None:
        """Finds all options; `count` becomes their number."""

    def kth(self, k: Variable, bit: Variable, keep: bool) -> None:
        """`bit` becomes that of the k-th option. Unless they are kept, the options may be lost."""

    def take_out(self, bit: Variable) -> None:
        """An option is one no more."""

    def release(self) -> None:
        """Gives up its locals."""


def option_store(fx: FunctionContext, part: OptionPart, tried: bool) -> OptionStore:
    """The store that suits what is chosen at a part; `tried`: options are candidates until one is drawn."""
    choice = _choice_in_place(fx, part, tried)
    if choice is not None and _is_interval(fx, choice):
        return IntervalStore(fx, part)
    if in_register(fx, part, tried):
        return MaskStore(fx, part)
    if choice is not None and bitset_pieces.is_one_place(fx, choice.source):
        assert isinstance(choice.source, ir.Pieces)
        classes = choice.source.classes
        return ClassStore(fx, part, classes) if classes < 64 else ClassWordStore(fx, part, classes)
    if choice is not None and _is_set(fx, part, choice, tried):
        return WordsStore(fx, part)
    return WordStore(fx, part)


def in_register(fx: FunctionContext, part: OptionPart, tried: bool = False) -> bool:
    """Whether a part's bits fit into a local and are found without another function."""
    return part.small and _is_found_in_place(fx, part, tried)


def _is_found_in_place(fx: FunctionContext, part: OptionPart, tried: bool) -> bool:
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return True
    if not isinstance(node.what[part.index], ir.DoRoutine):
        return False
    entry = part.entries[0]
    if not tried and option_layouts.is_pure(fx, entry):
        return True
    return (tried or fx.frameless) and option_layouts.has_pure_candidates(fx, entry)


def _choice_in_place(fx: FunctionContext, part: OptionPart, tried: bool) -> ir.Decide | None:
    """The choice of a part's values, if they are found without another function."""
    if not _is_found_in_place(fx, part, tried):
        return None
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return node
    number = part.entries[0].choice
    return fx.mc.node(number, ir.Decide) if number is not None else None


def _is_interval(fx: FunctionContext, choice: ir.Decide) -> bool:
    """Whether all numbers from one to another can be chosen."""
    return (
        isinstance(choice.source, ir.Between)
        and choice.where is None
        and (not choice.trial or cannot_refuse(fx.mc, choice.next))
    )


def _is_set(fx: FunctionContext, part: OptionPart, choice: ir.Decide, tried: bool) -> bool:
    """Whether the values that can be chosen are found as a set of words that fit into locals."""
    if part.words > MOST_WORDS:
        return False
    reg, where = choice.reg, choice.where
    if tried:
        asked = candidates.candidates_of(fx, choice)
        reg, where = asked.reg, asked.of_all
    slots, regs, fx.slots, fx.regs = fx.slots, fx.regs, {}, {}
    r = bitset_select.worthwhile(fx, choice.source, reg, where)
    fx.slots, fx.regs = slots, regs
    return r is not None and r.lo == part.lo and r.words <= part.words


def fill(fx: FunctionContext, part: OptionPart, to: OptionSink, buffer: Operand | None = None) -> None:
    """Finds the options of a part. `buffer` is where they go that a function has to find out."""
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        fx.choices(part.node, node, to)
    else:
        options.part_options(fx, part.node, part.index, to, buffer)


class MaskStore:
    """Bits in a local."""

    def __init__(self, fx: FunctionContext, part: OptionPart) -> None:
        self.fx, self.part = fx, part
        self.mask = fx.b.local(I64)

    def find(self, count: Variable) -> None:
        b = self.fx.b
        b.assign(self.mask, 0)
        if self.part.size:
            fill(self.fx, self.part, BitsInLocal(self.fx, self.part, self.mask))
        else:
            fill(self.fx, self.part, EachOption(lambda _: None, lambda: b.assign(self.mask, 1)))
        b.assign(count, self.mask.popcnt().wrapped() if self.part.size else self.mask.wrapped())

    def kth(self, k: Variable, bit: Variable, keep: bool) -> None:
        b = self.fx.b
        if self.part.size == 0:
            b.assign(bit, 0)
        elif keep:
            with b.temporaries(I64) as (left,):
                b.assign(left, self.mask)
                self._assign_kth(left, k, bit)
        else:
            self._assign_kth(self.mask, k, bit)

    def _assign_kth(self, mask: Variable, k: Variable, bit: Variable) -> None:
        fx = self.fx
        fx.b.assign(bit, nth_bit(fx.builder, fx.b, mask, k, max(1, self.part.size + _has_plain(self.part))))

    def take_out(self, bit: Variable) -> None:
        self.fx.b.assign(self.mask, self.mask & (const(1, I64) << bit.widened() ^ -1))

    def release(self) -> None:
        self.fx.b.release(self.mask)


class WordsStore:
    """Bits in several locals."""

    def __init__(self, fx: FunctionContext, part: OptionPart) -> None:
        self.fx, self.part = fx, part
        self.words = [fx.b.local(I64) for _ in range(part.words)]

    def find(self, count: Variable) -> None:
        bitsets.set_bits(self.fx, self.words, 0)
        fill(self.fx, self.part, BitsInLocals(self.fx, self.part, self.words))
        self.fx.b.assign(count, bitsets.size(self.words))

    def kth(self, k: Variable, bit: Variable, keep: bool) -> None:
        drawing.nth_of_words(self.fx, self.words, k, bit)

    def take_out(self, bit: Variable) -> None:
        b = self.fx.b
        for i, word in enumerate(self.words):
            one = const(1, I64) << bit.widened()
            b.assign(word, word & (select(one, const(0, I64), (bit >> 6).eq(i)) ^ -1))

    def release(self) -> None:
        self.fx.b.release(*self.words)


class ClassStore:
    """Pieces of one place: bits of their classes in a local, and its first piece in another."""

    def __init__(self, fx: FunctionContext, part: OptionPart, classes: int) -> None:
        self.fx, self.part, self.classes = fx, part, classes
        self.mask, self.first = fx.b.variables(I64, I32)

    def find(self, count: Variable) -> None:
        fx, mask = self.fx, self.mask
        fx.b.assign(mask, 0)
        to = ClassesOfPlace(
            fx,
            self.classes,
            self.first,
            lambda class_: add_bit(fx, mask, class_),
            lambda bits: fx.b.assign(mask, mask | bits[0]),
        )
        fill(fx, self.part, to)
        fx.b.assign(count, mask.popcnt().wrapped())

    def kth(self, k: Variable, bit: Variable, keep: bool) -> None:
        b = self.fx.b
        with b.temporaries(I64) as (left,):
            b.assign(left, self.mask)
            b.assign(bit, nth_bit(self.fx.builder, b, left, k, self.classes + _has_plain(self.part)))
        b.assign(bit, _piece(self.part, self.first, self.classes, bit))

    def take_out(self, bit: Variable) -> None:
        b = self.fx.b
        with b.temporaries(I32) as (class_of,):
            b.assign(class_of, _class(self.part, self.first, self.classes, bit))
            b.assign(self.mask, self.mask & (const(1, I64) << class_of.widened() ^ -1))

    def release(self) -> None:
        self.fx.b.release(self.mask, self.first)


class ClassWordStore:
    """Pieces of one place, of more classes: the set of them in the words that the part has in memory."""

    def __init__(self, fx: FunctionContext, part: OptionPart, classes: int) -> None:
        self.fx, self.part, self.classes = fx, part, classes
        self.first = fx.b.local()

    def find(self, count: Variable) -> None:
        fx, b, words = self.fx, self.fx.b, (self.classes + 64) // 64
        with b.temporaries(I32) as (at,):
            b.assign(at, _words_of(fx, self.part))
            fx.zero(at, 0, 2 * words)
            to = ClassesOfPlace(
                fx,
                self.classes,
                self.first,
                lambda class_: set_bit(fx, at, 0, class_),
                lambda bits: add_words(fx, at, 0, bits),
            )
            fill(fx, self.part, to)
            b.assign(count, options.count_bits(fx, at, words))

    def kth(self, k: Variable, bit: Variable, keep: bool) -> None:
        b = self.fx.b
        b.assign(bit, self.fx.builder.call("select", _words_of(self.fx, self.part), k))
        b.assign(bit, _piece(self.part, self.first, self.classes, bit))

    def take_out(self, bit: Variable) -> None:
        with self.fx.b.temporaries(I32) as (class_of,):
            self.fx.b.assign(class_of, _class(self.part, self.first, self.classes, bit))
            _take_out_of_words(self.fx, self.part, class_of)

    def release(self) -> None:
        self.fx.b.release(self.first)


def _piece(part: OptionPart, first: Variable, classes: int, class_of: Variable) -> Operand:
    """The bit in a part for a class of pieces, or for the one behind all."""
    piece = first + class_of - part.lo
    return select(part.size, piece, class_of.eq(classes)) if _has_plain(part) else piece


def _class(part: OptionPart, first: Variable, classes: int, bit: Variable) -> Operand:
    """The class of pieces for a bit in a part, or the one behind all."""
    class_of = bit + part.lo - first
    return select(classes, class_of, bit.eq(part.size)) if _has_plain(part) else class_of


def _has_plain(part: OptionPart) -> bool:
    """Whether a thing may be to be done without a value, to show that a need is a fault."""
    return any(entry.needs for entry in part.entries)


class IntervalStore:
    """All numbers of an interval: the bit of the first, and how many there are."""

    def __init__(self, fx: FunctionContext, part: OptionPart) -> None:
        self.fx, self.part = fx, part
        self.first = fx.b.local()

    def find(self, count: Variable) -> None:
        self.fx.b.assign(count, 0)
        fill(self.fx, self.part, IntervalInLocals(self.fx, self.part, self.first, count))

    def kth(self, k: Variable, bit: Variable, keep: bool) -> None:
        self.fx.b.assign(bit, self.first + k)

    def take_out(self, bit: Variable) -> None:
        raise AssertionError("nothing is tried of an interval")

    def release(self) -> None:
        self.fx.b.release(self.first)


class WordStore:
    """Bits in the words that a part has in memory."""

    def __init__(self, fx: FunctionContext, part: OptionPart) -> None:
        self.fx, self.part = fx, part

    def find(self, count: Variable) -> None:
        fx, part, b = self.fx, self.part, self.fx.b
        with b.temporaries(I32) as (at,):
            b.assign(at, _words_of(fx, part))
            fx.zero(at, 0, 2 * part.words)
            fill(fx, part, WordsBehind(fx, part, (at, 0)), at)
            b.assign(count, options.count_bits(fx, at, part.words))

    def kth(self, k: Variable, bit: Variable, keep: bool) -> None:
        self.fx.b.assign(bit, self.fx.builder.call("select", _words_of(self.fx, self.part), k))

    def take_out(self, bit: Variable) -> None:
        _take_out_of_words(self.fx, self.part, bit)

    def release(self) -> None:
        pass


def _words_of(fx: FunctionContext, part: OptionPart) -> Operand:
    """The address of the words of a part."""
    return const(fx.builder.mask_address + 8 * part.first)


def _take_out_of_words(fx: FunctionContext, part: OptionPart, bit: Variable) -> None:
    b = fx.b
    with b.temporaries(I32) as (at,):
        b.assign(at, _words_of(fx, part) + (bit >> 6 << 3))
        others = const(1, I64) << bit.widened() ^ -1
        b.write(at, at.load64() & others, 0, "i64.store")
