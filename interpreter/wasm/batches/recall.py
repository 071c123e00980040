"""By what a search recognises its nodes."""

from __future__ import annotations

from typing import Literal

from interpreter import ir
from interpreter.wasm.batches.observe import Observed

Recall = Literal["position", "history"]
"""What the key of a node is made of. Where nothing is hidden it is the position, so that all ways to it meet
in one node. Where something is hidden, a seat remembers all that it has seen and chosen at its decisions."""


def recall(machine: ir.Machine, seen: Observed | None) -> Recall:
    """How seats recognise their nodes in a game."""
    return "history" if seen is not None and (seen.hides or machine.branches) else "position"
