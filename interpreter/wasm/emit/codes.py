"""What functions over a state give that is no number of a node."""

from __future__ import annotations

STOP, FAIL, OK, OVER, CHANCE, BRANCH_END, SWITCH, FAULT = range(-1, -9, -1)
"""A decision waits; what is tried fails, or cannot fail any more; the match is over; chance is asked; a
branch of `together` has come to its end; the branches begin; something is a fault."""
