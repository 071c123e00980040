"""What a module and its host agree on: codes that functions return, addresses and sizes in linear memory.

The kinds of events are those of `interpreter.events`.
"""

from __future__ import annotations

from typing import Final

WORK_AT: Final = 128
"""Where the work stands that a decision may take, below all tables; writing 0 there stops a run."""
RECORD: Final = 5
"""Words of a fault: kind, node, and three numbers."""
ROW_HEAD: Final = 3
"""Words of a playout's row before the totals of the seats: decisions, outcomes, winners as bits."""
OUTCOME_AT: Final = 16
"""Above the bits of the winners stands the number of the name of the end, if the game has such names."""
ROWS: Final = 2048
"""The most playouts that leave their rows in memory at a time."""


def row_words(seats: int) -> int:
    """Words of a playout's row."""
    return ROW_HEAD + seats


STOP, FAIL, OK, OVER, CHANCE, BRANCH_END, SWITCH, FAULT = range(-1, -9, -1)
"""A decision waits; a trial fails, or cannot fail any more; the match is over; chance has to be decided; a
branch of `together` has ended; the branches begin; there is a fault."""

STREAM: Final = 80
"""Bytes of a stream's buffer of random numbers: two words of key, the group of four blocks whose numbers are
at hand, one to spare, these sixteen numbers. Buffers stand before each state and are no part of it: they
follow from its counters and the seed."""
NUMBERS: Final = 16
"""Where the numbers of a stream begin in its buffer. In a batch, one that was drawn becomes the number of
outcomes among which it chose."""
FIRST: Final = 4
"""The first numbers of a stream, one block, which are at hand when a playout begins."""

(
    OUT_OF_BOUNDS,
    TOO_MUCH,
    FULL,
    MISSING,
    OVERFLOW,
    BY_ZERO,
    OUT_OF_RANGE,
    CANNOT_PAY,
    BANK_OUT_OF_RANGE,
    TOO_MANY_ROUNDS,
    NEED_FAILS,
    NOTHING_TO_CHOOSE,
    TOO_DEEP,
    TOO_LONG,
    RUNS_FOR_EVER,
    NO_ROOM,
    QUEUE_FULL,
    SEARCHED_LONG,
    HISTORY_FULL,
    BROKEN_PROMISE,
) = range(1, 21)
"""Kinds of faults."""

MOST_STEPS: Final = 500_000
MOST_WORK: Final = 5_000_000
MOST_SEARCH: Final = 250_000
"""What the trials of one offer may take together, nested ones too. A trial takes 1, another for each 4,096
words of the state that it is tried on, and another for each 64 of its work."""
