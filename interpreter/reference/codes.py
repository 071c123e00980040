"""What a node says instead of a next node."""

from __future__ import annotations

STOP, FAIL, OK, OVER, CHANCE, BRANCH_END, SWITCH = -1, -2, -3, -4, -5, -6, -7
"""A decision waits; a need failed; a trial succeeded; the game is over; the world must choose; a branch
of `together` has ended; another branch must run."""
