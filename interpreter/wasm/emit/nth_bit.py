"""The n-th bit of a word that is set, without a loop whose length depends on the number.

Source: Vigna, "Broadword Implementation of Rank/Select Queries" (2008).
"""

from __future__ import annotations

from functools import cache

from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, Variable, const

MOST_IN_TABLE = 9
"""Bits of which a table of all sets is worth its four kilobytes."""
ONES, HIGHEST = 0x0101010101010101, 0x8080808080808080


def nth_bit(builder: ModuleBuilder, b: Body, word: Variable, n: Variable, size: int = 64) -> Operand:
    """The number of the n-th bit of a word that is set; only its first `size` bits can be. Both change.

    The byte in which it lies is found by how many bits are set up to it, then the bit from a table.
    """
    if size <= 8:
        return _in_byte(builder, word.wrapped(), n)
    if size <= MOST_IN_TABLE:
        return _in_table(builder, word.wrapped(), n, size)
    first = b.local()
    if size <= 16:
        _skip_byte(b, word, n, first)
    else:
        _skip_bytes(b, word, n, first)
    b.assign(n, first + _in_byte(builder, word.wrapped() & 0xFF, n))
    b.release(first)
    return n


def _in_byte(builder: ModuleBuilder, byte: Operand, n: Operand) -> Operand:
    """The table has the numbers of the bits of each byte, four bits for each."""
    table = builder.table(_byte_numbers())
    return byte.entry_of(table) >> (n << 2) & 7


def _in_table(builder: ModuleBuilder, word: Operand, n: Operand, size: int) -> Operand:
    """The same for somewhat more bits, with 64 bits for each set."""
    table = builder.table(_halves(size))
    return ((word << 3).load64(table) >> (n << 2).widened()).wrapped() & 15


@cache
def _byte_numbers() -> tuple[int, ...]:
    return tuple(_signed(_packed(byte, 8)) for byte in range(256))


@cache
def _halves(size: int) -> tuple[int, ...]:
    packed = (_packed(bits, size) for bits in range(1 << size))
    return tuple(_signed(half) for x in packed for half in (x & 0xFFFFFFFF, x >> 32))


def _packed(bits: int, size: int) -> int:
    """The numbers of the bits that are set, four bits for each."""
    numbers = [i for i in range(size) if bits >> i & 1]
    return sum(number << 4 * i for i, number in enumerate(numbers))


def _signed(number: int) -> int:
    return number - (number >> 31 << 32)


def _skip_byte(b: Body, word: Variable, n: Variable, first: Variable) -> None:
    """Of two bytes, that in which the n-th bit is becomes the first one."""
    passed = (word & 0xFF).popcnt().wrapped()
    b.assign(first, n.ge_u(passed) << 3)
    before = (word & (const(1, I64) << first.widened()) - 1 & 0xFF).popcnt().wrapped()
    b.assign(n, n - before)
    b.assign(word, word >> first.widened())


def _skip_bytes(b: Body, word: Variable, n: Variable, first: Variable) -> None:
    """The n-th bit of a word becomes that of its first byte, which is moved down by `first` bits.

    Bits are added up in pairs, fours and bytes; a product adds up the bytes before each.
    """
    with b.temporaries(I64) as (sums,):
        b.assign(sums, word - (word >> 1 & 0x55 * ONES))
        b.assign(sums, (sums & 0x33 * ONES) + (sums >> 2 & 0x33 * ONES))
        b.assign(sums, (sums + (sums >> 4) & 0x0F * ONES) * ONES)
        passed = (n.widened() * ONES | const(HIGHEST, I64)) - sums & const(HIGHEST, I64)
        b.assign(first, passed.popcnt().wrapped() << 3)
        b.assign(n, n - ((sums << 8 >> first.widened()).wrapped() & 0xFF))
        b.assign(word, word >> first.widened())
