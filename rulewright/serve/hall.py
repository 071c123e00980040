"""The matches in use: a room for each, and what is told of changes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress

from rulewright.serve.actions import Action, refuse
from rulewright.serve.games import Games
from rulewright.serve.live import LiveMatch
from rulewright.serve.requests import Accepted
from rulewright.serve.room import MatchRoom
from rulewright.serve.storage import Storage

MOST_ROOMS = 2_000
"""How many matches are kept in memory, as long as others are not watched."""
LONGEST_CLIENT = 100
"""Characters of a client's id."""
After = Callable[[LiveMatch], None]


def system_time() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Hall:
    """Opens a room for each match that is used, and leaves those that nobody watches.

    `after` are called after each commit, by whichever process.
    """

    def __init__(self, storage: Storage, now: Callable[[], int]) -> None:
        self.storage = storage
        self.games = Games()
        self.now = now
        self.after: list[After] = []
        self.closing = False
        self._rooms: dict[str, MatchRoom] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def listen(self) -> None:
        """Hear of what other processes commit."""
        loop = asyncio.get_running_loop()

        def heard(match: str, seq: int) -> None:
            with suppress(RuntimeError):  # the loop is closed already
                loop.call_soon_threadsafe(self._heard, match, seq)

        self.storage.listen(heard)

    async def close(self) -> None:
        """End what is under way, keep snapshots, and close the store."""
        self.closing = True
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in self._rooms.values():
            room.keep()
        await asyncio.to_thread(self.storage.close)

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run something beside, until the hall is closed."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- rooms

    def room(self, match: str) -> MatchRoom:
        """The room of a match, which need not exist."""
        found = self._rooms.pop(match, None) or MatchRoom(match, self.storage, self.games, self.now)
        self._rooms[match] = found
        if len(self._rooms) > MOST_ROOMS:
            self._leave_rooms()
        return found

    async def open(self, match: str) -> LiveMatch:
        """The match with an id. Raises `DiagnosticError` with `NoSuchMatch`."""
        return await self.room(match).opened()

    def known(self, match: str) -> LiveMatch | None:
        """A match as it was committed last, if it is in memory."""
        room = self._rooms.get(match)
        return room.live if room is not None else None

    def _leave_rooms(self) -> None:
        """Forget the matches that were used least recently, and that nobody watches."""
        for name, room in list(self._rooms.items())[: len(self._rooms) - MOST_ROOMS]:
            if not room.subscribers and not room.lock.locked():
                room.keep()
                del self._rooms[name]

    # ---- changes

    async def carry_out(
        self, match: str, seat: int | None, client: str | None, action: Action, at: int | None = None
    ) -> Accepted:
        """Commit an action, and answer. `at` is the server's time when it was asked for."""
        room = self.room(match)
        scoped = None if client is None else scoped_client(seat, client)
        row, former = await room.carry_out(action, scoped, at)
        live = await room.opened()
        self.tell(live)
        proposal = row.seq if row.kind == "proposal" else None
        return Accepted(row.seq, live.version(-2 if seat is None else seat), former, proposal)

    def tell(self, live: LiveMatch) -> None:
        """Do what follows a commit."""
        for after in self.after:
            after(live)

    def _heard(self, match: str, seq: int) -> None:
        """Another process (or this one) has committed something; an empty id: to whichever match."""
        if self.closing:
            return
        for room in list(self._rooms.values()) if not match else filter(None, [self._rooms.get(match)]):
            live = room.live
            if live is not None and (seq == 0 or live.ledger.length < seq):
                self.spawn(self._refresh(room, seq))

    async def _refresh(self, room: MatchRoom, seq: int) -> None:
        if await room.refresh(seq) and room.live is not None:
            self.tell(room.live)


def scoped_client(seat: int | None, client: str) -> str:
    """A client's id within a match. Raises `DiagnosticError` if it is too long."""
    if not 0 < len(client) <= LONGEST_CLIENT:
        refuse("a request has an id of 1 to 100 characters")
    return f"{'-' if seat is None else seat}:{client}"
