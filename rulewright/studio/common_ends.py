"""What two versions of a sequence have in common at both ends: what was edited lies between."""

from __future__ import annotations

from collections.abc import Sequence


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many items are the same from the beginning on, and how many of the others up to the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - start
    return start, next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
