"""Work that somebody waits for and that the end of the server ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class ServerEnds(Exception):
    """The server goes down, and the work is given up."""


class EndingWork:
    """Work of one kind, under way until the server ends."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[Any]] = set()
        self._ended = False

    def end(self) -> None:
        """The server goes down: what is under way is given up, and nothing is begun any more."""
        self._ended = True
        for task in self._under_way:
            task.cancel()

    async def result(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of some work. Raises `ServerEnds`."""
        if self._ended:
            work.close()
            raise ServerEnds
        task = asyncio.create_task(work)
        self._under_way.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            if self._given_up():
                raise ServerEnds from None
            raise
        finally:
            self._under_way.discard(task)

    def _given_up(self) -> bool:
        """Whether the end of the server has ended the work, and not whoever asked for it."""
        own = asyncio.current_task()
        return self._ended and own is not None and not own.cancelling()
