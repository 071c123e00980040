"""Those who look after matches: they play the seats that no person plays, and watch the clocks."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from dsl.diagnostics import DiagnosticError
from interpreter.chance import ChanceSource
from rulewright.serve.matches import actions
from rulewright.serve.matches.automatic import absent_choice, bot_choice
from rulewright.serve.matches.clocks import clock_rule, clocks_of
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.registry import MatchRegistry, scoped_client
from rulewright.serve.messages import TooCostly
from rulewright.serve.store.storage import MatchRow

AGAIN = 60_000
"""Milliseconds after which rules that took too long are tried again."""


class Scheduler:
    """Makes the choices of bots and of absent seats, and ends what has no time left."""

    def __init__(self, registry: MatchRegistry, chance: ChanceSource | None) -> None:
        self.registry = registry
        self.chance = chance
        self._automatic: set[str] = set()
        self._deadlines: dict[str, int] = {}
        self._woken = asyncio.Event()
        registry.after.append(self._after)

    def start(self) -> None:
        """Begin to watch the clocks."""
        self.registry.spawn(self._watch_clocks())

    async def resume(self, row: MatchRow, alone: bool) -> None:
        """Look after a running match that was not opened yet."""
        rule = clock_rule(row.clock)
        if rule.kind in ("move", "match") and alone:
            await self.registry.carry_out(
                row.id, None, None, lambda live, at: actions.begun(live, at, "restarted")
            )
        elif rule.kind != "none":
            rows = await asyncio.to_thread(self.registry.storage.rows, row.id)
            clocks = clocks_of(rule, row.seats, rows)
            self._note_deadlines(row.id, [clock.deadline for clock in clocks])
        seats = await asyncio.to_thread(self.registry.storage.seats, row.id)
        if any(seat.kind == "bot" for seat in seats):
            self._go_on(row.id)

    def _after(self, live: LiveMatch) -> None:
        """What follows a commit: clocks, and the seats that no person plays."""
        self._note_deadlines(live.id, [clock.deadline for clock in live.clocks] if live.running else [])
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
                live = await self.registry.open(match)
                if not actions.late_seats(live, when):
                    return
                await self.registry.carry_out(match, None, None, self._expired, when)
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
            self._automatic.add(match)
            self.registry.spawn(self._play_on(match))

    async def _play_on(self, match: str) -> None:
        """Make the choices of bots and of seats that are gone, until a person is asked."""
        try:
            while await self._played_one(match):
                pass
        finally:
            self._automatic.discard(match)

    async def _played_one(self, match: str) -> bool:
        """Make one choice if there is one to make. Rules that take too long are tried again after a while."""
        try:
            live = await self.registry.open(match)
            await asyncio.sleep(self.registry.allowance.wait(live.row))
            with self.registry.allowance.running(live.row):
                seat = self._next_automatic(live) if live.running else None
            if seat is None:
                return False
            client = f"auto {live.log.length}"
            await self.registry.carry_out(match, None, client, partial(self._automatic_choice, seat, client))
        except DiagnosticError as error:
            if not isinstance(error.diagnostic, TooCostly):
                return False
            await asyncio.sleep(AGAIN / 1000)
        return True

    def _automatic_choice(self, seat: int, client: str, live: LiveMatch, at: int) -> actions.Prepared:
        gone = seat in live.log.gone
        if seat not in live.asked or not live.running:
            actions.refuse("this seat is not asked")
        words = (
            absent_choice(live.match, seat)
            if gone
            else bot_choice(live.match, seat, live.seats[seat].strategy)
        )
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
