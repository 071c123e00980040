"""Operations on sets of bits."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.faults import MOST_WORK
from interpreter.wasm.lower.numbers.values import Held, Known, Value
from interpreter.wasm.lower.sets.askable import Askable
from interpreter.wasm.lower.sets.ranges import Bits, Range


class BitSets(Askable):
    """Adds what is done with whole sets, and with single values of them."""

    # ---- whole sets

    def bits(self, r: Range) -> Bits:
        return [self.b.local(I64) for _ in range(r.words)]

    def free(self, bits: Bits) -> None:
        self.b.release(*bits)

    def set_bits(self, to: Bits, value: int) -> None:
        for i, local in enumerate(to):
            self.b.i64(value >> 64 * i & (1 << 64) - 1)
            self.b.set(local)

    def combine(self, to: Bits, op: str, other: Bits) -> None:
        for x, y in zip(to, other, strict=True):
            self.b.get(x)
            self.b.get(y)
            self.b.op(op)
            self.b.set(x)

    def copy_bits(self, to: Bits, other: Bits) -> None:
        for x, y in zip(to, other, strict=True):
            self.b.get(y)
            self.b.set(x)

    def minus(self, to: Bits, other: Bits) -> None:
        """`to` loses what is in the other."""
        for x, y in zip(to, other, strict=True):
            self.b.get(x)
            self.b.get(y)
            self.b.i64(-1)
            self.b.op("i64.xor", "i64.and")
            self.b.set(x)

    def _copy(self, bits: Bits, r: Range) -> Bits:
        found = self.bits(r)
        self.copy_bits(found, bits)
        return found

    def _into(self, to: Bits, other: Bits) -> None:
        self.copy_bits(to, other)
        self.free(other)

    def _turn(self, bits: Bits) -> None:
        for local in bits:
            self.b.get(local)
            self.b.i64(-1)
            self.b.op("i64.xor")
            self.b.set(local)

    def _spread_truth(self, found: Bits) -> Bits:
        """A truth in the first word becomes all bits or none in every word."""
        b = self.b
        for local in found[::-1]:
            b.i64(0)
            b.get(found[0])
            b.op("i64.sub")
            b.set(local)
        return found

    def _row(self, rows: list[int], local: int, lo: int, found: Bits) -> None:
        """`found` becomes the set in the row of a local, counted from `lo`."""
        b = self.b
        words = [
            x
            for row in rows
            for i in range(len(found))
            for x in ((row >> 64 * i) & 0xFFFFFFFF, (row >> 64 * i + 32) & 0xFFFFFFFF)
        ]
        table = self.plan.table(x - (1 << 32) if x >> 31 else x for x in words)
        for i, to in enumerate(found):
            b.get(local)
            if lo:
                b.i32(lo)
                b.op("i32.sub")
            b.i32(8 * len(found))
            b.op("i32.mul")
            b.mem("i64.load", table + 8 * i)
            b.set(to)

    # ---- what is in them

    def any_bit(self, bits: Bits) -> None:
        """Leaves whether a set is not empty."""
        b = self.b
        b.get(bits[0])
        for local in bits[1:]:
            b.get(local)
            b.op("i64.or")
        b.i64(0)
        b.op("i64.ne")

    def how_many(self, bits: Bits) -> None:
        b = self.b
        for i, local in enumerate(bits):
            b.get(local)
            b.op("i64.popcnt")
            if i:
                b.op("i64.add")
        b.op("i32.wrap_i64")

    def _holds(self, bits: Bits, wanted: int) -> None:
        """Leaves whether all of some bits are in a set."""
        b = self.b
        first = True
        for i, local in enumerate(bits):
            part = wanted >> 64 * i & (1 << 64) - 1
            if not part:
                continue
            b.get(local)
            b.i64(part)
            b.op("i64.and")
            b.i64(part)
            b.op("i64.eq")
            if not first:
                b.op("i32.and")
            first = False

    def each_bit(self, bits: Bits, r: Range, visit: Callable[[Held], None]) -> None:
        """Emits `visit` for every value of a set, ascending; the set is empty afterwards."""
        b = self.b
        if self.nesting > 1:
            self.spend(Known(r.size), MOST_WORK)
        self.nesting += 1
        for i, local in enumerate(bits):
            with b.borrowed(I32) as (v,), b.forever() as out:
                b.get(local)
                b.op("i64.eqz")
                b.br_if(out)
                b.get(local)
                b.op("i64.ctz", "i32.wrap_i64")
                if r.lo + 64 * i:
                    b.i32(r.lo + 64 * i)
                    b.op("i32.add")
                b.set(v)
                b.get(local)
                b.get(local)
                b.i64(1)
                b.op("i64.sub", "i64.and")
                b.set(local)
                visit(Held(v, (r.lo, r.lo + r.size - 1)))
        self.nesting -= 1

    # ---- single values

    def add_bit(self, bits: Bits, value: Value, r: Range) -> None:
        """A value of the interval comes into a set."""
        b = self.b
        if isinstance(value, Known):
            i = (value.value - r.lo) // 64
            b.get(bits[i])
            b.i64(1 << (value.value - r.lo) % 64)
            b.op("i64.or")
            b.set(bits[i])
            return
        for i, local in enumerate(bits):
            b.get(local)
            self._one_bit(value.local, r.lo + 64 * i, len(bits) > 1)
            b.op("i64.or")
            b.set(local)

    def _one_bit(self, local: int, lo: int, several: bool) -> None:
        """Leaves the bit of a value in the word that begins with `lo`, or nothing if it lies in another."""
        b = self.b
        b.i64(1)
        b.get(local)
        if lo:
            b.i32(lo)
            b.op("i32.sub")
        b.op("i64.extend_i32_u", "i64.shl")
        if several:
            b.i64(0)
            b.get(local)
            b.i32(lo)
            b.op("i32.sub")
            b.i32(64)
            b.op("i32.lt_u", "select")

    def _in_range(self, local: int, r: Range) -> None:
        b = self.b
        b.get(local)
        b.i32(r.lo)
        b.op("i32.sub")
        b.i32(r.size)
        b.op("i32.lt_u")

    # ---- sets that the links above emit

    def keep(self, e: m.Expr, reg: int, r: Range, bits: Bits) -> None:
        """The set keeps the values for which a condition holds."""
        raise NotImplementedError

    def source_bits(self, source: m.Source, r: Range) -> Bits:
        """The set of a collection's values."""
        raise NotImplementedError
