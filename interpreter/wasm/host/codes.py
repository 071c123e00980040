"""What the functions of a host and their callers agree on."""

from __future__ import annotations

from typing import Final

LISTED: Final = -2
"""Instead of the number of pieces on a place: they are all told, those that lie covered as class -1."""
UNKNOWN: Final = -1
"""Instead of a number that is not told."""

STEP: Final = 0
"""The kind of a row before the events of a step."""
NUMBER, BRANCH, SEAT, FLAGS = range(1, 5)
"""Its words. Where it is told: its number, whether this part is the first, whether it was held back."""
DRAWN, VALUE, MAY_SHOW, SAID = 1, 2, 4, 8
"""Flags of a step: an outcome of chance; of a value; a seat may have been shown something alone; words of it
are told."""
OFFERED: Final = -1
"""The kind of a row behind all others: a seat is offered a piece of a place; the seat, and the place."""
NOTHING, AT_ONCE, SHOWN, MAY_BE_SHOWN, CHANCE, UNCOVERED = range(6)
"""What a seat has learned from a choice."""
