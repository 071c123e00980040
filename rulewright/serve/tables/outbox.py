"""What waits to be sent over one socket.

Answers wait in a queue of bounded size. The view of the table does not wait at all: it is made when the
socket is ready for it, so that a slow reader gets one fresh view instead of many old ones.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

MOST_WAITING = 64
MOST_BYTES = 256 << 10

BEAT = '{"type":"beat"}'
"""A sign of life, by which a page notices that its connection is lost."""

View = Callable[[], str | None]
"""Makes the next message of the view; None if the page has seen it all."""


class Outbox:
    """Sends answers in order, and views when there is time for them.

    A view is never sent while a request of the same socket is carried out (`hold`), so that its answer always
    comes before the position that it has led to. With a `beat`, a sign of life is sent whenever nothing was
    sent for so many seconds.
    """

    def __init__(self, send: Callable[[str], Awaitable[None]], view: View, beat: float | None = None) -> None:
        self._send = send
        self._view = view
        self._beat = beat
        self._waiting: deque[str] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._holds = 0
        self._fresh = False
        self.dropped = 0

    def close(self) -> None:
        """Forget what would be sent, and the table that it is about: nothing comes after this."""
        self._view = _no_view
        self._waiting.clear()

    def put(self, text: str) -> bool:
        """Queue an answer. Returns False if it was dropped because too much waits."""
        size = len(text.encode())
        if len(self._waiting) >= MOST_WAITING or (self._waiting and self._bytes + size > MOST_BYTES):
            self.dropped += 1
            return False
        self._waiting.append(text)
        self._bytes += size
        if len(self._waiting) >= MOST_WAITING // 2 or self._bytes > MOST_BYTES // 2:
            self._room.clear()
        self._wake.set()
        return True

    def refresh(self) -> None:
        """The view may have changed: send it when there is time."""
        self._fresh = True
        self._wake.set()

    async def drained(self) -> None:
        """Wait until the queue is half empty. Whoever does not read is not read from, either."""
        await self._room.wait()

    @property
    def idle(self) -> bool:
        """Whether there is nothing to send."""
        return not (self._waiting or self._fresh or self._wake.is_set())

    def hold(self) -> None:
        """Send no view until `release`."""
        self._holds += 1

    def release(self) -> None:
        """End a `hold`."""
        self._holds -= 1
        self._wake.set()

    async def run(self) -> None:
        """Send what there is, for ever. Ends by being cancelled, or by the error of a lost connection."""
        while True:
            while not await self._woken():
                await self._send(BEAT)
            self._wake.clear()
            while (text := self._next()) is not None:
                await self._send(text)

    async def _woken(self) -> bool:
        """Wait for something to send; whether there is any before a sign of life is due."""
        try:
            async with asyncio.timeout(self._beat):
                return await self._wake.wait()
        except TimeoutError:
            return False

    def _next(self) -> str | None:
        if self._waiting:
            text = self._waiting.popleft()
            self._bytes -= len(text.encode())
            if len(self._waiting) < MOST_WAITING // 2 and self._bytes <= MOST_BYTES // 2:
                self._room.set()
            return text
        if not self._fresh or self._holds:
            return None
        text_of_view = self._view()
        self._fresh = text_of_view is not None
        return text_of_view


def _no_view() -> None:
    """What a closed outbox has to show."""
