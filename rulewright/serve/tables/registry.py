"""The open tables of a process: opened by the first who comes, closed after the last who goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial

from rulewright.serve.matches.creating import was_declined
from rulewright.serve.matches.interface import Change
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.renewing import Renewal
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.storage import StoreFailed
from rulewright.serve.store.talk_rows import TalkRow
from rulewright.serve.tables.match_settings import ENDED
from rulewright.serve.tables.open_tables import OpenTable
from rulewright.serve.tables.presence import Presence
from rulewright.serve.tables.talk import nothing_said


class _Place:
    """Where a table stands as long as somebody visits it: from before it is opened until the last one goes.

    What a visitor is given is kept up to date all the time, however long the visitor waits for other things.
    """

    def __init__(self) -> None:
        self.visitors = 0
        self.table: OpenTable | None = None
        self._opening = asyncio.Lock()

    async def opened(self, open_: Callable[[], Awaitable[OpenTable]]) -> OpenTable:
        """The table, opened by the first visitor who can. Raises what opening it raises."""
        async with self._opening:
            if self.table is None:
                self.table = await open_()
            return self.table


class Tables:
    """The open tables of this process. Each is there for those who visit it, and goes with the last."""

    def __init__(
        self,
        service: MatchService,
        describe: Callable[[LiveMatch], Awaitable[str]],
        post: Callable[[str], None] = lambda _: None,
        said: Callable[[str], Awaitable[tuple[TalkRow, ...]]] = nothing_said,
    ) -> None:
        self.service = service
        self.presence = Presence(post, self._others_came)
        self._describe, self._said = describe, said
        self._renewal = Renewal(service)
        self._places: dict[str, _Place] = {}

    @asynccontextmanager
    async def visit(self, match: str) -> AsyncIterator[OpenTable]:
        """The table of a match, the same one for all who visit it at a time.

        Raises `DiagnosticError` with `NoSuchMatch`.
        """
        place = self._places.setdefault(match, _Place())
        place.visitors += 1
        try:
            yield await place.opened(partial(self._opened, match))
        finally:
            place.visitors -= 1
            if not place.visitors:
                del self._places[match]
                if place.table is not None:
                    place.table.close()

    async def _opened(self, match: str) -> OpenTable:
        """A table. It hears of its match before anything else is looked up."""
        kept = await self._renewal.renewed(match)
        live = await self.service.open(match)
        end = self.service.subscribe(match, self._changed)
        try:
            table = OpenTable(self.service, self.presence, live, await self._describe(live), self._said)
            await table.read_talk()
            table.kept, table.ends = kept, [end]
            await self._look_for_rematch(table)
        except BaseException:
            end()
            raise
        self._refresh(table)
        return table

    async def _look_for_rematch(self, table: OpenTable) -> None:
        """Follow the rematch of a match that has ended, once one is proposed."""
        if table.rematch is not None or table.live.row.status not in ENDED:
            return
        rematch = await self.service.rematch_of(table.live)
        if rematch is None or rematch == table.rematch:
            return
        await self.service.open(rematch)
        if table.closed or table.rematch is not None:
            return
        table.rematch, table.declined = rematch, None
        table.ends.append(self.service.subscribe(rematch, lambda _: self._rematch_changed(table, rematch)))
        self._rematch_changed(table, rematch)

    def _rematch_changed(self, table: OpenTable, rematch: str) -> None:
        """Show how the rematch stands; one that was declined can be proposed again."""
        live = self.service.known(rematch)
        if table.rematch == rematch and live is not None and was_declined(live.row):
            declined = (live.row.result or {}).get("declined")
            table.rematch = None
            table.declined = None if declined is None else (declined + 1) % live.row.seats
        table.refresh()

    def known(self, match: str) -> OpenTable | None:
        """The table of a match, if it is open."""
        place = self._places.get(match)
        return place.table if place is not None else None

    def all(self) -> Sequence[OpenTable]:
        """All open tables."""
        return [place.table for place in self._places.values() if place.table is not None]

    def _changed(self, change: Change) -> None:
        if change.gone:
            self._close(change.match)
        else:
            self.update(change.match)
            table = self.known(change.match)
            if table is not None and not change.rows:
                self.service.registry.spawn(self._look_for_rematch(table))

    def _close(self, match: str) -> None:
        """A match was forgotten while somebody came to it."""
        table = self.known(match)
        for connection in list(table.connections) if table is not None else []:
            connection.close(4404, "not-found")

    def _others_came(self, match: str) -> None:
        """Somebody has come to a match, or gone, at another process."""
        table = self.known(match)
        if table is not None:
            table.look_around()

    def talked(self, match: str) -> None:
        """Another process has kept something that was said at a match; an empty id: at any."""
        for table in self.all() if not match else filter(None, [self.known(match)]):
            self.service.registry.spawn(_read_talk(table))

    def update(self, match: str) -> None:
        """Show the match as it is now to all who look at it."""
        table = self.known(match)
        if table is not None:
            self._refresh(table)

    def _refresh(self, table: OpenTable) -> None:
        if table.live.row.digest == table.described:
            table.refresh()
        else:  # another process has moved it to new rules
            self.service.registry.spawn(self._describe_anew(table))

    async def _describe_anew(self, table: OpenTable) -> None:
        live = table.live
        description = await self._describe(live)
        if live.row.digest == table.live.row.digest:
            table.described, table.description = live.row.digest, description
            table.refresh()


async def _read_talk(table: OpenTable) -> None:
    with suppress(StoreFailed):
        await table.read_talk()
