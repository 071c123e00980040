"""The fixed part of the layout of states: header, frames, branches, and how places store pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from dsl.frozen import dataclass

# ---- the first words of every state
STATUS, PC, FP, ACTIVE, PHASE, DECISIONS, WINNERS, FORKED, RUNNING, MAIN_FP, ROTATION, FORK = range(12)
HEADER = 12
# ---- the first words of every frame
RETURN, CALLER, ME, SELF = range(4)
FRAME = 4
# ---- the record of a branch of `together`: its node, its frame, its status
BRANCH_PC, BRANCH_FP, BRANCH_STATUS = range(3)
BRANCH = 3
READY, WAITING, DONE = range(3)
# ---- a word that says who was shown a place
LOOKING = 0xFFFF
"""The seats that look at it now, as bits."""
REMEMBERED = 16
"""The number of the first bit of those who remember what lies there."""
# ---- how a place stores its pieces
SLOT, COUNTS, ORDERED, BLANK = range(4)


def viewer_bit(viewer: int) -> int:
    """The bit of a viewer where viewers are a set: 0 for the referee, -2, who is in each; 1 for spectators,
    -1; then the seats from 0."""
    return 1 << viewer + 2


def seat_bits(viewers: int) -> int:
    """The seats among some viewers, as bits from 0 on."""
    return viewers >> 2


def is_shown(word: int, seat: int) -> bool:
    """Whether a seat sees a place now, by the word that says who was shown it."""
    return bool((word | word >> REMEMBERED) >> seat & 1)


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
    found = []
    for i in range(1, words + 1):
        x = i * 0x9E3779B1 & 0xFFFFFFFF
        x = (x ^ x >> 16) * 0x85EBCA6B & 0xFFFFFFFF
        x = (x ^ x >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
        found.append(x ^ x >> 16 | 1)
    return tuple(found)


def record_hash(words: Sequence[int]) -> int:
    """The hash of a record: equal ones have the same.

    Each word is multiplied with a factor of its own, and the products are joined by exclusive or, so that
    vectors of words can be multiplied at once.
    """
    found = 0
    for word, factor in zip(words, hash_factors(len(words)), strict=True):
        found ^= (word & 0xFFFFFFFF) * factor
    found = (found ^ found >> 32) & 0xFFFFFFFF
    return found - (1 << 32) if found >> 31 else found


@dataclass(frozen=True, slots=True)
class HistoryLayout:
    """Where a history lies: the number of its records at `base`, a hash of each record, then the records.

    A record has the words of its runs, then a word for each of `values` values that are worked out.
    `parts` are the counters, marks, pointers and zones that it reads.
    """

    name: str
    parts: tuple[str, ...]
    runs: tuple[Run, ...]
    values: int
    most: int
    base: int

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


def place_words(kind: int, classes: int, capacity: int) -> int:
    """The number of words of a place."""
    return {SLOT: 1, COUNTS: classes, ORDERED: 1 + capacity, BLANK: 1}[kind]


def winners(
    best: Literal["highest", "lowest", "none"], accounts: Sequence[tuple[int, Sequence[int]]]
) -> list[int]:
    """The seats that have won, given the score and the tie-breaks of each: all that share the best."""
    if best == "none":
        return []
    return [seat for seat, place in enumerate(places(best, accounts)) if place == 1]


def places(best: Literal["highest", "lowest"], accounts: Sequence[tuple[int, Sequence[int]]]) -> list[int]:
    """The place of each seat, 1 for the best; those with equal scores and tie-breaks share one."""
    sign = 1 if best == "highest" else -1
    keys = [(sign * score, *ties) for score, ties in accounts]
    return [1 + sum(other > key for other in keys) for key in keys]
