"""Moves of several decisions: which of them belong together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from interpreter import ir
from interpreter.game import Game
from interpreter.wasm.batch import RUNNING, Batch


def goes_on(game: Game, batch: Batch, i: int, before: npt.NDArray[np.int32], seat: int) -> bool:
    """Whether a match of a batch, which was in a state `before`, waits for more of the same move.

    It does if nothing has changed since but what its seat has chosen of an action that is not complete.
    """
    mc, now = game.machine, batch.states[i]
    if batch.codes[i] != RUNNING or batch.seats[i] != seat or before[ir.FORKED]:
        return False
    number = int(batch.nodes[i])
    node = mc.nodes[number] if number < len(mc.nodes) else None
    if not isinstance(node, ir.Decide) or node.ranges:
        return False
    same = now[: mc.stack] == before[: mc.stack]
    same[[ir.PC, ir.FP, ir.DECISIONS]] = True
    return bool(same.all())
