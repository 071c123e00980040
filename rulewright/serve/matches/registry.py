"""The matches in use: one session for each, and what follows each commit."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from weakref import WeakValueDictionary

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.serve.games.compiled import Games
from rulewright.serve.matches.actions import Action, refuse
from rulewright.serve.matches.allowance import Allowance
from rulewright.serve.matches.interface import Accepted
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.session import MatchSession
from rulewright.serve.messages import NoSuchMatch
from rulewright.serve.store.storage import Storage

MOST_UNWATCHED = 200
"""How many matches that nobody watches are kept in memory."""
LONGEST_CLIENT = 100
"""Characters of a client's id."""
ID = re.compile(r"[\w-]{1,64}", re.ASCII)
"""Ids that a match can have; others are not looked for."""
After = Callable[[LiveMatch], None]


def system_time() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class MatchRegistry:
    """Opens a session for each match that is used, and leaves those that nobody watches.

    `after` are called after each commit, by whichever process.
    """

    def __init__(self, storage: Storage, now: Callable[[], int], allowance: Allowance | None = None) -> None:
        self.storage = storage
        self.games = Games(lambda source: self.allowance.is_stranger(source))
        self.now = now
        self.allowance = allowance or Allowance()
        self.after: list[After] = []
        self.closing = False
        # Whoever still holds a session is given the same one again: there are never two of a match.
        self._known: WeakValueDictionary[str, MatchSession] = WeakValueDictionary()
        self._sessions: dict[str, MatchSession] = {}
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
        for session in self._sessions.values():
            session.keep()
        await asyncio.to_thread(self.storage.close)

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run something beside, until the registry is closed."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- sessions

    def session(self, match: str) -> MatchSession:
        """The session of a match, which need not exist."""
        found = self._sessions.pop(match, None) or self._known.get(match)
        if found is None:
            self._close_sessions()
            found = self._known[match] = MatchSession(
                match, self.storage, self.games, self.now, self.allowance
            )
        self._sessions[match] = found
        return found

    async def open(self, match: str) -> LiveMatch:
        """The match with an id. Raises `DiagnosticError` with `NoSuchMatch`."""
        if ID.fullmatch(match) is None:
            raise DiagnosticError(NoSuchMatch(NOWHERE, match))
        session = self.session(match)
        try:
            return await session.opened()
        except DiagnosticError as error:
            # Guessed ids must not push matches out of memory.
            if isinstance(error.diagnostic, NoSuchMatch) and self._sessions.get(match) is session:
                del self._sessions[match]
            raise

    def known(self, match: str) -> LiveMatch | None:
        """A match as it was committed last, if it is in memory."""
        session = self._known.get(match)
        return session.live if session is not None else None

    def watched(self, match: str) -> bool:
        """Whether somebody looks at a match here."""
        session = self._known.get(match)
        return session is not None and bool(session.subscribers)

    def let_go(self, match: str) -> None:
        """Keep a match no longer in memory, which has left the store; unless somebody looks at it."""
        session = self._known.get(match)
        if session is not None and not session.subscribers:
            session.live = None
            self._sessions.pop(match, None)

    def _close_sessions(self) -> None:
        """Forget the matches that nobody watches, except those that were used last."""
        idle = [x for x in self._sessions.values() if not x.subscribers and not x.lock.locked()]
        for session in idle[: max(0, len(idle) - MOST_UNWATCHED)]:
            session.keep()
            del self._sessions[session.id]

    # ---- changes

    async def carry_out(
        self,
        match: str,
        seat: int | None,
        client: str | None,
        action: Action,
        at: int | None = None,
        rules_run: bool = True,
    ) -> Accepted:
        """Commit an action, and answer. `at` is the server's time when it was asked for.

        One in which no rules run (`rules_run` is false) can be carried out while the rules rest.
        """
        session = self.session(match)
        scoped = None if client is None else scoped_client(seat, client)
        row, former = await session.carry_out(action, scoped, at, rules_run)
        live = await session.opened()
        self.tell(live)
        number = sum(one.kind == "proposal" for one in live.log.rows[: row.seq])
        proposal = number if row.kind == "proposal" else None
        return Accepted(row.seq, live.version(-2 if seat is None else seat), former, proposal)

    def tell(self, live: LiveMatch) -> None:
        """Do what follows a commit."""
        for after in self.after:
            after(live)

    def _heard(self, match: str, seq: int) -> None:
        """Another process (or this one) has committed something; an empty id: to whichever match."""
        if self.closing:
            return
        for session in list(self._known.values()) if not match else filter(None, [self._known.get(match)]):
            live = session.live
            if live is not None and (seq == 0 or live.log.length < seq):
                self.spawn(self._refresh(session, seq))

    async def _refresh(self, session: MatchSession, seq: int) -> None:
        if await session.refresh(seq) and session.live is not None:
            self.tell(session.live)


def scoped_client(seat: int | None, client: str) -> str:
    """A client's id within a match. Raises `DiagnosticError` if it is too long."""
    if not 0 < len(client) <= LONGEST_CLIENT:
        refuse("a request has an id of 1 to 100 characters")
    return f"{'-' if seat is None else seat}:{client}"
