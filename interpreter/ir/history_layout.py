"""Where histories lie in a state: their records, how words are packed in them, and the hash of a record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from dsl.frozen import dataclass

MOST_SETS = 4
"""The most values of words that are recorded as sets."""


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent words of the state that a history records, each in a few bits.

    Where the words have few values, a record has a set for each value but the least one, as bits. Otherwise
    as many words as there is room for are packed into one: each as its distance from `lo`, with a further
    bit for none if it can be none.
    """

    address: int
    count: int
    lo: int
    hi: int
    optional: bool

    @property
    def sets(self) -> tuple[int, ...]:
        """The values that have a set; none if words are packed. None comes before all other values."""
        values = range(self.lo if self.optional else self.lo + 1, self.hi + 1)
        return tuple(values) if len(values) <= MOST_SETS else ()

    @property
    def digits(self) -> int:
        """The bits of a number, without the one for none."""
        return (self.hi - self.lo).bit_length()

    @property
    def bits(self) -> int:
        return max(1, self.digits + self.optional)

    @property
    def per_word(self) -> int:
        return 32 // self.bits

    @property
    def words(self) -> int:
        """The words in a record."""
        return len(self.sets) * -(-self.count // 32) or -(-self.count // self.per_word)


@cache
def hash_factors(words: int) -> tuple[int, ...]:
    """Odd numbers of 32 bits, one for each word of a record: those of the finaliser of MurmurHash3."""
    factors = []
    for i in range(1, words + 1):
        x = i * 0x9E3779B1 & 0xFFFFFFFF
        x = (x ^ x >> 16) * 0x85EBCA6B & 0xFFFFFFFF
        x = (x ^ x >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
        factors.append(x ^ x >> 16 | 1)
    return tuple(factors)


def record_hash(words: Sequence[int]) -> int:
    """The hash of a record: equal ones have the same.

    Each word is multiplied with a factor of its own, and the products are joined by exclusive or, so that
    vectors of words can be multiplied at once.
    """
    joined = 0
    for word, factor in zip(words, hash_factors(len(words)), strict=True):
        joined ^= (word & 0xFFFFFFFF) * factor
    joined = (joined ^ joined >> 32) & 0xFFFFFFFF
    return joined - (1 << 32) if joined >> 31 else joined


@dataclass(frozen=True, slots=True)
class HistoryLayout:
    """Where a history lies: the number of its records at `base`, a hash of each record, then the records.

    A record has the words of its runs, then a word for each of `values` values that are worked out.
    `parts` are the counters, marks, pointers and zones that it reads. One that is `scratch` is empty wherever
    the rules wait, and is no part of the position.
    """

    name: str
    parts: tuple[str, ...]
    runs: tuple[Run, ...]
    values: int
    most: int
    base: int
    scratch: bool = False

    @property
    def words(self) -> int:
        """The words of a record."""
        return sum(run.words for run in self.runs) + self.values

    @property
    def size(self) -> int:
        """The words of the whole history."""
        return 1 + self.most * (1 + self.words)

    @property
    def first(self) -> int:
        """The address of the first record."""
        return self.base + 1 + self.most
