"""The key of a position: the part of a state that matters for play, packed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

from interpreter import ir
from interpreter.ir.position_words import position_words, stretches
from interpreter.ir.visit import walk

WORD = 4
MOST_HIGHS = 1 << 12
KEY = 16
"""Bytes of a key. Two positions have the same one by accident about once in 2^64 positions."""


@dataclass(frozen=True)
class StateKey:
    """Removes from states what does not matter, and fills it with zeros when unpacking.

    `interpreter/ir/position_words.py` says what that is. Of a match that is over only its result and what
    scores can read are kept.

    Most words are small numbers. So a position holds the low byte of each, and the index of the pattern of
    all other bytes: a game has few such patterns.
    """

    machine: ir.Machine
    highs: list[bytes] = field(default_factory=list)
    numbers: dict[bytes, bytes] = field(default_factory=dict)

    @cached_property
    def live(self) -> tuple[slice, ...]:
        """The bytes that matter during a match."""
        return slices(position_words(self.machine))

    @cached_property
    def over(self) -> tuple[slice, ...]:
        """The bytes that matter when a match is over."""
        mc = self.machine
        shown = {*mc.shown.values(), *mc.told_words()}
        words = (i for i in range(mc.saved_from, mc.saved_to) if i not in shown)
        counted = any(isinstance(part, ir.Times) for part in walk(tuple(x.value for x in mc.scores)))
        recorded = range(mc.records, mc.size) if counted else ()
        how = (*((mc.ended,) if mc.ended else ()), *((ir.PHASE,) if mc.counted else ()))
        return slices(sorted((ir.STATUS, ir.ACTIVE, ir.WINNERS, *how, *words, *recorded)))

    def pack(self, state: bytes) -> bytes:
        """The position of a state. STATUS comes first."""
        kept = b"".join([state[part] for part in (self.over if state[0] else self.live)])
        high = kept[1::WORD] + kept[2::WORD] + kept[3::WORD]
        return kept[::WORD] + (self.numbers.get(high) or self._number(high))

    def _number(self, high: bytes) -> bytes:
        """The index of a pattern; if there are too many, 0 after the pattern itself."""
        if len(self.highs) >= MOST_HIGHS:
            return high + bytes(3)
        self.highs.append(high)
        self.numbers[high] = len(self.highs).to_bytes(3, "little")
        return self.numbers[high]

    def unpack(self, position: bytes) -> bytes:
        """A state with a position."""
        parts = self.over if position[0] else self.live
        count = sum(part.stop - part.start for part in parts) // WORD
        number = int.from_bytes(position[-3:], "little")
        high = self.highs[number - 1] if number else position[count:-3]
        kept = bytearray(WORD * count)
        kept[::WORD] = position[:count]
        for i in range(1, WORD):
            kept[i::WORD] = high[(i - 1) * count : i * count]
        found, at = bytearray(WORD * self.machine.size), 0
        for part in parts:
            size = part.stop - part.start
            found[part] = kept[at : at + size]
            at += size
        return bytes(found)


def slices(words: Iterable[int]) -> tuple[slice, ...]:
    """Sorted words as slices of bytes, joined where they are adjacent."""
    return tuple(slice(WORD * first, WORD * last) for first, last in stretches(words))


def key(position: bytes) -> bytes:
    """A position, or its hash if it is long."""
    return position if len(position) <= KEY else blake2b(position, digest_size=KEY).digest()
