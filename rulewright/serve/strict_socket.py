"""Sockets whose clients are not believed: what is no text ends the connection, without a word in the log."""

from __future__ import annotations

from contextlib import suppress

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

NO_TEXT = 1007
"""The code of RFC 6455 for a message that is not of its type."""


class StrictSocket(WebSocketsSansIOProtocol):
    """A socket that is closed by a text that is not in UTF-8.

    A handshake that was refused, or whose client has gone, is over: that it has not become a socket is no
    mistake of the application.
    """

    async def send(self, message: ASGISendEvent) -> None:
        """An answer to the client, or a message."""
        await super().send(message)
        if self.close_sent or self.transport.is_closing():
            self.handshake_complete = True

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        super().connection_lost(exc)
        self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """A message has come."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                with suppress(InvalidState):  # it is being closed already
                    self.conn.send_close(NO_TEXT)
                    self.handle_parser_exception()
                return
        super().send_receive_event_to_app()
