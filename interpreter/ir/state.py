"""The fixed part of the layout of states: header, frames, branches, and how places store pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

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
# ---- how a place stores its pieces
SLOT, COUNTS, ORDERED, BLANK = range(4)


def place_words(kind: int, classes: int, capacity: int) -> int:
    """The number of words of a place."""
    return {SLOT: 1, COUNTS: classes, ORDERED: 1 + capacity, BLANK: 1}[kind]


def winners(
    best: Literal["highest", "lowest", "none"], accounts: Sequence[tuple[int, Sequence[int]]]
) -> list[int]:
    """The seats that have won, given the score and the tie-breaks of each: all that share the best."""
    if best == "none":
        return []
    sign = 1 if best == "highest" else -1
    keys = [(sign * score, *ties) for score, ties in accounts]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]
