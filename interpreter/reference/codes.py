"""The codes that a node returns instead of the next node."""

from __future__ import annotations

STOP, FAIL, OK, OVER, CHANCE, BRANCH_END, SWITCH = -1, -2, -3, -4, -5, -6, -7
"""A decision waits; a precondition failed; a trial succeeded; the game is over; an outcome must be drawn;
a branch of `together` has ended; another branch must run."""
