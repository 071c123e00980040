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
NOTHING, AT_ONCE, SHOWN, MAY_BE_SHOWN, CHANCE, UNCOVERED, STILL, CHOSEN_SINCE = range(8)
"""What a seat has learned from a choice; with the last two, why choices cannot be taken back freely."""
REASON_BITS: Final = 4
"""Above so many bits stand the seats that have to agree."""
ENDS, PASSED_OVER, GOES_ON = range(3)
"""Taking back in a branch of `together` ends at a choice, passes it over, or takes it back, too."""
NO_WAY, IN_BRANCH, FREELY, ASKING = range(4)
"""How a seat may take choices back: not at all, those of its branch of `together`, as many as teach nothing,
or all up to its own last one if others agree: then the reason and their seats stand above `WAY_BITS`."""
WAY_BITS: Final = 2
SECRETLY, IN_SIGHT, UNSEARCHABLE = 1, 2, 4
"""Marks of a decision: only its seat reads what was chosen; the piece lies in sight of all once it is chosen;
nobody may know which values it has."""
OF_CHOICE: Final = SECRETLY | IN_SIGHT
"""The marks that matter for a choice that has been made."""
NO_PLACE: Final = -1
"""Instead of the place of a value that is no piece."""
