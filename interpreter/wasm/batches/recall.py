"""By what a search recognises its nodes."""

from __future__ import annotations

from typing import Literal

from interpreter import ir
from interpreter.wasm.batches.observe import Observed

Recall = Literal["choices", "position", "history"]
"""What the key of a node is made of. In a game without chance and secrets the choices say where a match is.
With chance, what a seat sees does, so that ways of the same length to a position meet in one node. Where
something is hidden, a seat remembers all that it has seen and chosen at its decisions."""


def recall(machine: ir.Machine, seen: Observed | None) -> Recall:
    """How seats recognise their nodes in a game."""
    if seen is not None and (seen.hides or machine.branches):
        return "history"
    return "position" if seen is not None and machine.streams else "choices"
