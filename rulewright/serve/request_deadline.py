"""A deadline for each request, so that nobody keeps a connection open by sending single bytes."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 30.0
"""From the first byte of a request, or from the beginning of the connection, to its last byte."""
UNFINISHED = (h11.IDLE, h11.SEND_BODY)
"""What a client is about to do while its request is not here as a whole."""


class DeadlineProtocol(H11Protocol):
    """HTTP over a connection that is closed if a request has not come as a whole by its deadline."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._limit = self.loop.call_later(SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        """A part of a request has come."""
        super().data_received(data)
        upgraded = self.transport.get_protocol() is not self
        if upgraded or self.conn.their_state not in UNFINISHED:
            self._unset_limit()
        elif self._limit is None:
            self._limit = self.loop.call_later(SECONDS, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """What has come is no request: say so, unless an answer to an earlier one is under way.

        That ends the connection: what is still to be sent of that answer is dropped.
        """
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        with suppress(h11.LocalProtocolError):
            super().send_400_response(msg)
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._unset_limit()
        super().connection_lost(exc)

    def _unset_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
