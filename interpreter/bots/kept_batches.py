"""Batches that outlive a search: making a module's instance takes as long as some hundred iterations."""

from __future__ import annotations

import threading
from typing import Final

from interpreter.game import Game
from interpreter.wasm.batch import Batch

KEPT: Final = 4
"""How many batches wait for the next search, those used last."""
MOST_ROOM: Final = 1 << 24
"""The bytes behind the rows of a batch that is worth keeping."""


class KeptBatches:
    """Batches that no search uses, by game, rows and room. Any number of threads may take and give."""

    def __init__(self, observations: bool = True) -> None:
        self._observations = observations
        self._kept: list[tuple[tuple[int, int, int], Batch]] = []
        self._guard = threading.Lock()

    def take(self, game: Game, n: int, room: int) -> Batch:
        """A batch with so many rows and bytes behind them; what stands in them is of no matter.

        Nobody else has it. Raises `MemoryError` if there is no room for a new one.
        """
        wanted = id(game.in_parts), n, room
        with self._guard:
            for i, (key, batch) in enumerate(self._kept):
                if key == wanted:
                    del self._kept[i]
                    return batch
        return Batch(game, n, room=room, observations=self._observations)

    def give(self, batch: Batch, room: int) -> None:
        """A batch that is used no more. One that was stopped in the middle must not be given."""
        if batch.game is None or room > MOST_ROOM:
            return
        with self._guard:
            self._kept.append(((id(batch.game), batch.n, room), batch))
            del self._kept[:-KEPT]
