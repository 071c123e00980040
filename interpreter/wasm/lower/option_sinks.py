"""Where options go as they are found: what is done with each value, or bits in memory or in a local."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from interpreter import ir
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.lower import bitsets
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import ONE, Bits, Constant, InLocal, Range, Value
from interpreter.wasm.option_layout import OptionPart

ToAddress = tuple[Operand, int]
"""An address, and what to add to it."""


class EachOption:
    """Something is done with each value, and, if there is something else to do, without one."""

    takes_classes = takes_interval = False

    def __init__(self, on_value: Callable[[Value], None], on_plain: Callable[[], None] | None = None) -> None:
        self._on_value, self._on_plain = on_value, on_plain

    def value(self, value: Value) -> None:
        self._on_value(value)

    def plain(self) -> None:
        assert self._on_plain is not None
        self._on_plain()

    def takes_set(self, r: Range) -> bool:
        return False

    def put_set(self, bits: Bits, r: Range) -> None:
        raise AssertionError("sets are not taken")

    def put_classes(self, node: ir.Pieces, place: Value, bits: Bits) -> None:
        raise AssertionError("sets are not taken")

    def put_interval(self, low: Value, high: Value) -> None:
        raise AssertionError("intervals are not taken")

    def put_range(self, first: Value, last: Value, step: Value) -> None:
        self.value(first)


class BitsBehind(EachOption):
    """The options of a part are bits in the words behind an address."""

    def __init__(self, fx: FunctionContext, part: OptionPart, to: ToAddress) -> None:
        super().__init__(self._value, self._plain)
        self.fx, self.part, self.to = fx, part, to

    def set_bit(self, bit: Value) -> None:
        set_bit(self.fx, *self.to, bit)

    def _plain(self) -> None:
        self.set_bit(Constant(self.part.size))

    def _value(self, value: Value) -> None:
        each_bit_within(self.fx, self.part, value, self.set_bit)


class FirstOrBits(BitsBehind):
    """The same; if the address is that of none, the first option is enough: the function returns 1."""

    def set_bit(self, bit: Value) -> None:
        self.fx.b.ret_if(1, self.to[0].eqz())
        super().set_bit(bit)


class RangesBehind(EachOption):
    """The options of a part are ranges in the words behind an address.

    If the address is that of none, the first one is enough: the function returns 1.
    """

    def __init__(self, fx: FunctionContext, to: ToAddress) -> None:
        super().__init__(lambda value: self.put_range(value, value, ONE), self._plain)
        self.fx, self.to = fx, to

    def _plain(self) -> None:
        b, (address, offset) = self.fx.b, self.to
        b.ret_if(1, address.eqz())
        b.write(address, 1, offset)

    def put_range(self, first: Value, last: Value, step: Value) -> None:
        b, (address, offset) = self.fx.b, self.to
        b.ret_if(1, address.eqz())
        with b.temporaries(I32) as (at,):
            b.assign(at, address + (address.load(offset + 4) << 4))
            for word, value in enumerate((first, last, step)):
                b.write(at, value.operand, offset + 8 + 4 * word)
            b.write(address, address.load(offset + 4) + 1, offset + 4)


class WordsBehind(BitsBehind):
    """The same, where whole sets of values are added as words if they begin where the part begins."""

    def takes_set(self, r: Range) -> bool:
        return r.lo == self.part.lo and 64 * r.words <= self.part.size + 63

    def put_set(self, bits: Bits, r: Range) -> None:
        add_words(self.fx, *self.to, bits)


class BitsInLocal(EachOption):
    """The options of a part of fewer than 64 values are bits in a local."""

    def __init__(self, fx: FunctionContext, part: OptionPart, mask: Variable) -> None:
        super().__init__(self._value, self._plain)
        self.fx, self.part, self.mask = fx, part, mask

    def takes_set(self, r: Range) -> bool:
        return r.words == 1

    def put_set(self, bits: Bits, r: Range) -> None:
        found: Operand = bits[0]
        if r.lo > self.part.lo:
            found = found << r.lo - self.part.lo
        elif r.lo < self.part.lo:
            found = found >> self.part.lo - r.lo
        self.fx.b.assign(self.mask, self.mask | found)

    def _plain(self) -> None:
        add_bit(self.fx, self.mask, Constant(self.part.size))

    def _value(self, value: Value) -> None:
        each_bit_within(self.fx, self.part, value, lambda bit: add_bit(self.fx, self.mask, bit))


class BitsInLocals(EachOption):
    """The options of a part of more values are bits in several locals."""

    def __init__(self, fx: FunctionContext, part: OptionPart, words: Bits) -> None:
        super().__init__(self._value, lambda: self._set_bit(Constant(part.size)))
        self.fx, self.part, self.words = fx, part, words

    def takes_set(self, r: Range) -> bool:
        return r.lo == self.part.lo and r.words <= len(self.words)

    def put_set(self, bits: Bits, r: Range) -> None:
        for word, more in zip(self.words, bits, strict=False):
            self.fx.b.assign(word, word | more)

    def _set_bit(self, bit: Value) -> None:
        bitsets.add_bit(self.fx, self.words, bit, Range(0, 64 * len(self.words)))

    def _value(self, value: Value) -> None:
        each_bit_within(self.fx, self.part, value, self._set_bit)


class ClassesOfPlace(EachOption):
    """The options are pieces of one place: the set of their classes, and the place's first piece in a local.

    `add` and `unite` add a class and a set of classes. The class behind all is for doing it without a value.
    """

    takes_classes = True

    def __init__(
        self,
        fx: FunctionContext,
        classes: int,
        first: Variable,
        add: Callable[[Value], None],
        unite: Callable[[Bits], None],
    ) -> None:
        super().__init__(self._value, lambda: add(Constant(classes)))
        self.fx, self.classes, self.first, self.add, self.unite = fx, classes, first, add, unite

    def put_classes(self, node: ir.Pieces, place: Value, bits: Bits) -> None:
        self._lie_at(node.first, place)
        self.unite(bits)

    def _lie_at(self, first: int, place: Value) -> None:
        if isinstance(place, Constant):
            self.fx.b.assign(self.first, (first + place.value) * self.classes)
        else:
            self.fx.b.assign(self.first, place.operand * self.classes + first * self.classes)

    def _value(self, value: Value) -> None:
        b = self.fx.b
        if isinstance(value, Constant):
            class_ = value.value % self.classes
            b.assign(self.first, value.value - class_)
            self.add(Constant(class_))
        elif value.found is not None:
            self._lie_at(value.found.first, value.found.place)
            self.add(value.found.class_)
        else:
            with b.temporaries(I32) as (class_of,):
                b.assign(class_of, value.operand.rem_u(self.classes))
                b.assign(self.first, value.operand - class_of)
                self.add(InLocal(class_of, (0, self.classes - 1)))


class IntervalInLocals(EachOption):
    """The options are the numbers of an interval: the bit of the first in a local, how many in another."""

    takes_interval = True

    def __init__(self, fx: FunctionContext, part: OptionPart, first: Variable, count: Variable) -> None:
        super().__init__(self._value, self._plain)
        self.fx, self.part, self.first, self.count = fx, part, first, count

    def _plain(self) -> None:
        self.fx.b.assign(self.first, self.part.size)
        self.fx.b.assign(self.count, 1)

    def _value(self, _: Value) -> None:
        raise AssertionError("an interval comes as a whole")

    def put_interval(self, low: Value, high: Value) -> None:
        b, lo, size = self.fx.b, self.part.lo, self.part.size
        with b.temporaries(I32) as (last,):
            b.assign(self.first, low.operand - lo)
            b.assign(last, high.operand - lo)
            if low.span[0] < lo:
                b.assign(self.first, select(self.first, 0, self.first.gt_s(0)))
            if high.span[1] >= lo + size:
                b.assign(last, select(last, size - 1, last.lt_s(size - 1)))
            b.assign(last, last - self.first + 1)
            b.assign(self.count, select(last, 0, last.gt_s(0)))


def options_behind(fx: FunctionContext, part: OptionPart, to: ToAddress) -> EachOption:
    """Where the options of a part go, in the words behind an address; without one the first is enough."""
    return RangesBehind(fx, to) if part.ranges else FirstOrBits(fx, part, to)


# ---- bits


def add_bit(fx: FunctionContext, mask: Variable, bit: Value) -> None:
    """Sets a bit in a local."""
    one = const(1 << bit.value, I64) if isinstance(bit, Constant) else const(1, I64) << bit.operand.widened()
    fx.b.assign(mask, mask | one)


def set_bit(fx: FunctionContext, address: Operand, offset: int, bit: Value) -> None:
    """Sets a bit in the 64-bit words behind an address."""
    b, n = fx.b, bit.operand
    with b.temporaries(I32) as (at,):
        bits = at.load64(offset) | const(1, I64) << n.widened()
        b.write(at.tee(address + (n >> 6 << 3)), bits, offset, "i64.store")


def add_words(fx: FunctionContext, address: Operand, offset: int, bits: Bits) -> None:
    """Adds a set to the one in the words behind an address."""
    for i, local in enumerate(bits):
        at = offset + 8 * i
        fx.b.write(address, address.load64(at) | local, at, "i64.store")


def each_bit_within(
    fx: FunctionContext, part: OptionPart, value: Value, found: Callable[[Value], None]
) -> None:
    """Emits `found` for the bit of a value, if it has one in the part."""
    b, lo, size = fx.b, part.lo, part.size
    if isinstance(value, Constant):
        if 0 <= value.value - lo < size:
            found(Constant(value.value - lo))
        return
    with b.temporaries(I32) as (bit,):
        b.assign(bit, value.operand - lo if lo else value.operand)
        inside = lo <= value.span[0] and value.span[1] < lo + size
        with nullcontext() if inside else b.if_(bit.lt_u(size)):
            found(InLocal(bit, (0, size - 1)))
