"""Who has won and who comes where, by the scores and tie-breaks of all seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal


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
