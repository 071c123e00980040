"""Sizes, in 32-bit words, of what a module leaves in its memory for those outside."""

from __future__ import annotations

from typing import Final

WORK_AT: Final = 128
"""Where the work stands that a decision may take, below all tables; writing 0 there stops a run."""
RECORD: Final = 5
"""Words of a fault: kind, node, and three numbers."""
ROW_HEAD: Final = 3
"""Words of a playout's row before the totals of the seats: decisions, outcomes, winners as bits."""
ROWS: Final = 2048
"""The most playouts that leave their rows in memory at a time."""


def row_words(seats: int) -> int:
    """Words of a playout's row."""
    return ROW_HEAD + seats
