"""The fixed part of the layout of states: header, frames, branches, and how places store pieces.

What follows for one game is laid out by `interpreter/compile/layout.py`. Both executors use these numbers,
and `web/match/state.js` repeats those that a page needs.
"""

from __future__ import annotations

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


def place_words(kind: int, classes: int, capacity: int) -> int:
    """The number of words of a place."""
    return {SLOT: 1, COUNTS: classes, ORDERED: 1 + capacity, BLANK: 1}[kind]
