"""When to search for garbage: closed sockets leave cycles, with buffers for compression that are large."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass

LEAST, PART = 50, 4
"""A search follows so many closed sockets, or that part of the open ones if that is more."""


@dataclass
class Sweeping:
    """Counts closed sockets. Python's own searches go by the number of objects, not by their size."""

    sweep: Callable[[], object] = gc.collect
    _closed: int = 0

    def closed(self, still_open: int) -> None:
        """One more socket is closed, and so many are still open."""
        self._closed += 1
        if self._closed >= max(LEAST, still_open // PART):
            self._closed = 0
            self.sweep()
