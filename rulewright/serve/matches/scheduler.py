"""Those who look after matches: they play the seats that no person plays, and watch the clocks."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

from dsl.diagnostics import DiagnosticError
from interpreter.bots.search import Thoughts
from interpreter.chance import ChanceSource
from interpreter.messages import Fault
from rulewright.serve.fair_share import Payer, TurnClock, Turns, payer, works_for
from rulewright.serve.matches import actions
from rulewright.serve.matches.automatic import (
    Clock,
    absent_choice,
    hint_for,
    is_offered,
    random_choice,
    search_for,
)
from rulewright.serve.matches.clocks import clock_rule, clocks_of
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.registry import MatchRegistry, scoped_client
from rulewright.serve.messages import TooCostly
from rulewright.serve.store.storage import MatchRow, StoreFailed, all_of

Answer = TypeVar("Answer")
LOG = logging.getLogger(__name__)
AGAIN = 60_000
"""Milliseconds after which rules that took too long are tried again."""
MOST_THINKING = 2
"""Bots that search at the same time; others wait for their turn."""
MOST_BEGUN = 8
"""Bots that have begun to search; each has a tree in memory, also while others have their turn."""
BEHIND = 5
"""By how much the threads of bots are nicer than the one that answers people."""
MOST_WITHOUT_PEOPLE, LEAST_WITHOUT_PEOPLE = 1000, 10
"""Choices in a row that no person has made; after them a match continues only while somebody looks at it. All
matches of an owner or an address that go on like this have so many together, each at least a few."""


def nicer() -> None:
    """Let the thread stand back for the others of this process, on systems that can."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)


def accounts_of(row: MatchRow) -> tuple[str, ...]:
    """The accounts of the owner of a match, and of the address that it was made from."""
    return tuple(str(row.set_up[name]) for name in ("owner", "address") if row.set_up.get(name))


class Scheduler:
    """Makes the choices of bots and of absent seats, and ends what has no time left."""

    def __init__(self, registry: MatchRegistry, chance: ChanceSource | None) -> None:
        self.registry = registry
        self.chance = chance
        self._automatic: dict[str, tuple[str, ...]] = {}
        """The matches that go on by themselves, with the accounts that they are charged to."""
        self._thinking = Turns(registry.allowance.share, MOST_THINKING, MOST_BEGUN)
        self._threads = ThreadPoolExecutor(MOST_BEGUN, "bots", nicer)
        self._deadlines: dict[str, int] = {}
        self._woken = asyncio.Event()
        self._resumed = asyncio.Event()
        self._standing: set[str] = set()
        registry.after.append(self._after)

    async def start(self, alone: bool) -> None:
        """Begin to watch the clocks, and to look after the running matches one after the other.

        With `alone`, the clocks of moves and matches stand still until they are begun anew: when somebody
        does something in the match, or when its turn comes here.
        """
        rows = await asyncio.to_thread(all_of, self.registry.storage, ("running",))
        if alone:
            self._standing = {row.id for row in rows if clock_rule(row.clock).kind in ("move", "match")}
        self.registry.spawn(self._watch_clocks())
        self.registry.spawn(self._resume_all(rows))

    def close(self) -> None:
        """End what bots think of."""
        self._thinking.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def resumed(self) -> None:
        """Wait until all running matches are looked after."""
        await self._resumed.wait()

    async def _resume_all(self, rows: list[MatchRow]) -> None:
        try:
            for row in rows:
                try:
                    await self._resume(row)
                except (DiagnosticError, StoreFailed) as error:
                    LOG.warning("match %s is not looked after: %s", row.id, error)
        finally:
            self._resumed.set()

    async def _resume(self, row: MatchRow) -> None:
        """Look after a running match that was not opened yet."""
        rule = clock_rule(row.clock)
        if row.id in self._standing:
            await self._begin_clocks(row.id)
        elif rule.kind != "none":
            rows = await asyncio.to_thread(self.registry.storage.rows, row.id)
            clocks = clocks_of(rule, row.seats, rows)
            self._note_deadlines(row.id, [clock.deadline for clock in clocks])
        seats = await asyncio.to_thread(self.registry.storage.seats, row.id)
        if any(seat.kind == "bot" for seat in seats):
            self._go_on(row.id)

    async def _begin_clocks(self, match: str) -> None:
        """Begin the clocks anew that stand still since the server was away."""
        if match in self._standing:
            self._standing.discard(match)
            await self.registry.carry_out(
                match, None, None, lambda live, at: actions.begun(live, at, "restarted")
            )

    def _after(self, live: LiveMatch) -> None:
        """What follows a commit: clocks, and the seats that no person plays."""
        self._note_deadlines(live.id, [clock.deadline for clock in live.clocks] if live.running else [])
        self.look_after(live)

    def look_after(self, live: LiveMatch) -> None:
        """Play the seats of a match that no person plays, if there are any."""
        automatic = live.companion is None and any(
            seat.kind == "bot" or seat.seat in live.log.gone for seat in live.seats
        )
        if live.running and automatic:
            self._go_on(live.id)

    async def expire(self, match: str, at: int | None = None) -> None:
        """Do what follows if the time of seats is up."""
        when = self.registry.now() if at is None else at
        while True:
            try:
                await self._begin_clocks(match)
                live = await self.registry.open(match)
                if not actions.late_seats(live, when):
                    return
                await self.registry.carry_out(match, None, None, self._expired, when)
            except Fault:
                return
            except DiagnosticError as error:
                if isinstance(error.diagnostic, TooCostly):
                    self._note_deadlines(match, [when + AGAIN])
                return

    def _expired(self, live: LiveMatch, at: int) -> actions.Prepared:
        found = actions.expired(live, at, absent_choice, self.chance)
        if found is None:
            actions.refuse("there is time left")
        return found

    def _next_automatic(self, live: LiveMatch) -> int | None:
        """The first seat that is asked and that no person plays."""
        if live.companion is not None:
            return None
        return next((s for s in live.asked if live.seats[s].kind == "bot" or s in live.log.gone), None)

    def _go_on(self, match: str) -> None:
        if match not in self._automatic and not self.registry.closing:
            self._automatic[match] = ()
            self.registry.spawn(self._play_on(match))

    async def _play_on(self, match: str) -> None:
        """Make the choices of bots and of seats that are gone, until a person is asked."""
        works_for(Payer((), partial(self.registry.watched, match)))
        try:
            while await self._played_one(match):
                pass
        finally:
            self._automatic.pop(match, None)

    async def _played_one(self, match: str) -> bool:
        """Make one choice if there is one to make. Rules that take too long are tried again after a while."""
        try:
            await self.registry.allowance.turns.step()
            live = await self.registry.open(match)
            self._automatic[match] = accounts = accounts_of(live.row)
            works_for(Payer(accounts, partial(self.registry.watched, match)))
            if self._rests(live):
                return False
            await asyncio.sleep(self.registry.allowance.wait(live.row))
            live = await self.registry.open(match)  # what has come meanwhile did not wake this up
            with self.registry.allowance.running(live.row):
                seat = self._next_automatic(live) if live.running else None
            if seat is None:
                return False
            client = f"auto {live.log.length}"
            words = await self._thought(live, seat)
            choice = partial(self._automatic_choice, seat, client, words)
            await self.registry.carry_out(match, None, client, choice)
        except Fault:
            return False
        except DiagnosticError as error:
            if not isinstance(error.diagnostic, TooCostly):
                return False
            await asyncio.sleep(AGAIN / 1000)
        return True

    async def _thought(self, live: LiveMatch, seat: int) -> str | None:
        """The words that a bot finds by a search, in a thread of its own; None if it does not search.

        Under the rules of a stranger nobody searches: the thread could not be held to its share of the time.
        """
        if seat in live.log.gone or self.registry.allowance.is_stranger(live.row.source):
            return None
        with self.registry.allowance.running(live.row):
            search = search_for(live.match, seat, live.seats[seat].strategy)
        if search is None:
            return None
        return await self._in_thread(search)

    async def hint(self, live: LiveMatch, seat: int) -> Thoughts | None:
        """What a search thinks of the choices of a seat, from what it knows; None if it is not asked."""
        with self.registry.allowance.running(live.row):
            search = hint_for(live.match, seat)
        return await self._in_thread(search) if search is not None else None

    async def _in_thread(self, search: Callable[[Clock], Answer]) -> Answer:
        """What a search finds in a thread of its own, when it is the turn of whom the task works for."""
        turn = await self._thinking.enter(payer())
        loop, clock = asyncio.get_running_loop(), TurnClock(self._thinking, turn)
        work = asyncio.ensure_future(loop.run_in_executor(self._threads, search, clock))
        work.add_done_callback(lambda _: self._thinking.leave(turn))
        return await asyncio.shield(work)

    def _rests(self, live: LiveMatch) -> bool:
        """Whether nobody looks at a match that has gone on without any person for long."""
        if self.registry.watched(live.id):
            return False
        choices = (row for row in reversed(live.log.standing) if row.kind == "choice")
        most = self._most_alone(live.row)
        last = list(itertools.islice(choices, most))
        return len(last) == most and all("by" in row.data for row in last)

    def _most_alone(self, row: MatchRow) -> int:
        """How many choices in a row a match may make by itself: its part of what its accounts may."""
        accounts = set(accounts_of(row))
        others = sum(
            not accounts.isdisjoint(theirs) and not self.registry.watched(match)
            for match, theirs in self._automatic.items()
            if match != row.id
        )
        return max(min(LEAST_WITHOUT_PEOPLE, MOST_WITHOUT_PEOPLE), MOST_WITHOUT_PEOPLE // (1 + others))

    def _automatic_choice(
        self, seat: int, client: str, thought: str | None, live: LiveMatch, at: int
    ) -> actions.Prepared:
        gone = seat in live.log.gone
        if seat not in live.asked or not live.running:
            actions.refuse("this seat is not asked")
        # while it thought, the match may have gone on
        if thought is not None and not gone and is_offered(live.match, seat, thought):
            words: str | None = thought
        else:
            words = (absent_choice if gone else random_choice)(live.match, seat)
        assert words is not None
        return actions.chosen(
            live, at, seat, words, scoped_client(None, client), self.chance, "absent" if gone else "bot"
        )

    def _note_deadlines(self, match: str, deadlines: list[int | None]) -> None:
        found = [one for one in deadlines if one is not None]
        if found:
            self._deadlines[match] = min(found)
        else:
            self._deadlines.pop(match, None)
        self._woken.set()

    async def _watch_clocks(self) -> None:
        """Look after the time of seats until the service is closed."""
        while not self.registry.closing:
            self._woken.clear()
            now = self.registry.now()
            for match, deadline in tuple(self._deadlines.items()):
                if deadline < now:
                    self._deadlines.pop(match, None)
                    self.registry.spawn(self.expire(match, now))
            first = min(self._deadlines.values(), default=now + 3_600_000)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.01, (first - now + 1) / 1000)):
                    await self._woken.wait()
