"""The health of a server: whether its store can be written to and read, found out once for all who ask."""

from __future__ import annotations

import asyncio

from rulewright.serve.store.sql import SqlStorage

FRESH = 1.0
"""Seconds for which an answer is good: who asks often costs no more than one commit a second."""


class Health:
    """Tries a store."""

    def __init__(self, storage: SqlStorage) -> None:
        self._storage = storage
        self._trial: asyncio.Future[None] | None = None
        self._since = 0.0

    async def check(self) -> None:
        """Raises `StoreFailed` if something that was committed now would not be kept, or not be read."""
        now = asyncio.get_running_loop().time()
        if self._trial is None or (self._trial.done() and now - self._since > FRESH):
            self._since = now
            self._trial = asyncio.ensure_future(asyncio.to_thread(self._storage.try_out))
        await asyncio.shield(self._trial)
