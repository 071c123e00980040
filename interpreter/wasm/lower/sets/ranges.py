"""Sets of bits as locals, and the intervals that they stand for."""

from __future__ import annotations

from dataclasses import dataclass

Bits = list[int]
"""Locals of 64 bits, the lowest first."""


@dataclass(frozen=True, slots=True)
class Range:
    """The interval whose values have bits."""

    lo: int
    size: int

    @property
    def words(self) -> int:
        return (self.size + 63) // 64

    @property
    def all(self) -> int:
        return (1 << self.size) - 1
