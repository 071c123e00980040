"""Words that lie side by side, looked at sixteen at a time."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.wasm.emit.encoding import I32, I64, V128
from interpreter.wasm.lower.numbers.loops import Loops

SIDE_BY_SIDE = 64
"""The most words of which those that are not 0 are found together."""


class Lanes(Loops):
    """Adds comparisons of many words at once."""

    def sixteen(self, at: int, offset: int, size: int, compare: str, vectors: list[int]) -> None:
        """Leaves a bit for each of up to sixteen words."""
        b = self.b

        def four(i: int) -> None:
            b.get(at)
            b.vload(offset + 16 * i)
            b.get(vectors[0])
            b.vec(compare)

        if size <= 4:
            four(0)
            b.vec("i32x4.bitmask")
        else:
            four(0)
            four(1)
            b.vec("i16x8.narrow_i32x4_s")
            for i in (2, 3):
                if size > 4 * i:
                    four(i)
                else:
                    b.vconst(0, 0, 0, 0)
            b.vec("i16x8.narrow_i32x4_s", "i8x16.narrow_i16x8_s", "i8x16.bitmask")
        b.i32((1 << size) - 1)
        b.op("i32.and")

    def each_above_zero(self, at: int, offset: int, size: int, visit: Callable[[int, int], None]) -> None:
        """Emits `visit` for each of some words that are above 0, with locals for its number and for itself.

        The words lie behind the address in a local; what `visit` does must not change them.
        """
        b = self.b
        with b.borrowed(I64, I32, I32) as (left, i, word):
            self._above_zero(at, offset, size)
            b.set(left)
            with b.forever() as out:
                b.get(left)
                b.op("i64.eqz")
                b.br_if(out)
                b.get(left)
                b.op("i64.ctz", "i32.wrap_i64")
                b.set(i)
                b.get(left)
                b.get(left)
                b.i64(1)
                b.op("i64.sub", "i64.and")
                b.set(left)
                b.get(at)
                b.get(i)
                b.i32(2)
                b.op("i32.shl", "i32.add")
                b.load(offset)
                b.set(word)
                self.nesting += 1
                visit(i, word)
                self.nesting -= 1

    def _above_zero(self, at: int, offset: int, size: int) -> None:
        """Leaves a bit for each of up to 64 words."""
        b = self.b
        with b.borrowed(V128) as (zero,):
            b.vzero()
            b.set(zero)
            for first in range(0, size, 16):
                self.sixteen(at, offset + 4 * first, min(16, size - first), "i32x4.gt_s", [zero])
                b.op("i64.extend_i32_u")
                if first:
                    b.i64(first)
                    b.op("i64.shl", "i64.or")
