"""Hearing of what other processes commit to a PostgreSQL database: LISTEN and NOTIFY."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rulewright.serve.store.storage import Changed

CHANNEL = "rulewright"
TALK = "rulewright_talk"
"""The channel on which processes tell each other what is not kept."""
WAIT = 0.5
"""Seconds after which the thread looks whether it is to end, or connects again."""


class Listener:
    """A thread with a connection of its own that hears of every commit, those of this process included."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._end = threading.Event()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None

    def notify(self, connection: Connection, match: str, seq: int) -> None:
        """Tell all processes, when the transaction is committed."""
        connection.execute(
            sa.text("select pg_notify(:channel, :text)"), {"channel": CHANNEL, "text": f"{match} {seq}"}
        )

    def post(self, connection: Connection, text: str) -> None:
        """Tell all processes something that is not kept."""
        connection.execute(sa.text("select pg_notify(:channel, :text)"), {"channel": TALK, "text": text})

    def start(self, changed: Changed, heard: Callable[[str], None]) -> None:
        """Begin to listen, to commits and to what is told; returns when it does."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._listen, args=(changed, heard), name="listener", daemon=True
            )
            self._thread.start()
            self._ready.wait(5)

    def close(self) -> None:
        """End the thread."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()

    def _listen(self, changed: Changed, heard: Callable[[str], None]) -> None:
        """Listen until the end. After a lost connection, an empty id, or text, says that some were missed."""
        again = False
        while not self._end.is_set():
            with suppress(psycopg.Error), psycopg.connect(self.address, autocommit=True) as connection:
                connection.execute(f"listen {CHANNEL}")
                connection.execute(f"listen {TALK}")
                self._ready.set()
                if again:
                    changed("", 0)
                    heard("")
                again = True
                while not self._end.is_set():
                    for notice in connection.notifies(timeout=WAIT):
                        if notice.channel == TALK:
                            heard(notice.payload)
                            continue
                        match, _, seq = notice.payload.partition(" ")
                        changed(match, int(seq))
            self._end.wait(WAIT)
