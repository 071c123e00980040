"""Kinds of events that a module tells."""

from __future__ import annotations

MOVED, CHANGED, THROWN, SHOWN, SHOWN_PIECE, SHUFFLED, ENTERED, TURNED, ENDED, BRANCHED = range(1, 11)
