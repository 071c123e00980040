"""Which of the choices of a decision is the best, by what a search has found and what it has proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.bots.settings import DRAWN, LOST, UNPROVEN, WON, Bounds

WORDS: Final = {WON: "won", DRAWN: "drawn", LOST: "lost"}
SECURE, OPEN, KNOWN, LESS = range(4)
"""What a choice is beside the others: the best that is proven, and taken; one that may be better than what is
proven; the best that is proven, while more is hoped for; one that cannot be better than that."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A result that is proven for a side, in half wins, and how many choices of all seats it takes.

    Who wins takes the shortest way that was found, otherwise it is the longest.
    """

    result: int
    choices: int

    @property
    def value(self) -> float:
        """The share of the win, 0 to 1."""
        return self.result / WON

    def __str__(self) -> str:
        return f"{WORDS[self.result]} for sure, in {self.choices} choice{'s' * (self.choices != 1)}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search has found of a choice: how often it was taken, the sum of its values, its bounds."""

    taken: int = 0
    total: float = 0.0
    bounds: Bounds = UNPROVEN

    @property
    def value(self) -> float:
        """What it is worth, 0 to 1: as proven, else on average."""
        if self.bounds.solved:
            return self.bounds.floor / WON
        return self.total / self.taken if self.taken else 0.0


def proof_of(bounds: Bounds) -> Proof | None:
    """What the bounds prove, if they prove a result."""
    return Proof(bounds.floor, bounds.length) if bounds.solved else None


def best_first(found: Sequence[Finding]) -> list[int]:
    """The indexes of choices from the best to the worst.

    A proven win comes first and the shortest of them before the others; a proven draw before choices that
    seem to be worse, or are known less; a proven loss last, the longest first. The others go by how often
    they were taken, which says more than their averages.
    """
    floor = max((one.bounds.floor for one in found), default=LOST)
    secure = _is_secure(found, floor)

    def place(index: int) -> tuple[float, ...]:
        one = found[index]
        group = _group(one.bounds, floor, secure)
        lost = one.bounds.ceiling == LOST
        length = one.bounds.length if one.bounds.solved else 0
        haste = length if one.bounds.floor == WON else -length if lost else 0
        return group, lost, haste, -one.taken, -one.value

    return sorted(range(len(found)), key=place)


def _is_secure(found: Sequence[Finding], floor: int) -> bool:
    """Whether the best that is proven is taken, rather than what may be better."""
    hopes = [(one.taken, one.value) for one in found if one.bounds.ceiling > floor]
    if not hopes or floor == LOST:
        return not hopes
    taken, value = max(hopes)
    return value < floor / WON or taken < max(one.taken for one in found if one.bounds.floor == floor)


def _group(bounds: Bounds, floor: int, secure: bool) -> int:
    if bounds.ceiling > floor:
        return OPEN
    if bounds.floor == floor:
        return SECURE if secure else KNOWN
    return LESS
