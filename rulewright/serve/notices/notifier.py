"""Notices of one's turn, by webhook and by mail, to seats whose players are not there.

A notice is sent once for each time that a seat is asked: the store is asked to note it first, so that of
several processes one sends it. It tells the seat that it is asked, which is all it says.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from dsl.diagnostics import DiagnosticError, ErrorsReported
from interpreter.messages import Fault
from rulewright.serve.access.rates import Rates
from rulewright.serve.access.visitors import Signer, StopLink, mark_of
from rulewright.serve.config import ServeConfig
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.service import MatchService
from rulewright.serve.notices import mail
from rulewright.serve.notices.hosts import HostCalls
from rulewright.serve.notices.webhooks import SECONDS, Failed, Refused, call, target_of
from rulewright.serve.store.grants import Grants
from rulewright.serve.store.storage import NoticeRow, Storage, StoreFailed
from rulewright.serve.tables.registry import Tables
from rulewright.serve.words import said

LOG = logging.getLogger(__name__)
GRACE = 15.0
"""Seconds for which a seat must be asked, with nobody there, before a notice is sent."""
WAITS = (5.0, 30.0, 120.0)
"""Seconds before each further try."""
MOST_WAITING = 1000
KINDS = ("webhook", "mail")


@dataclass(frozen=True, slots=True)
class Timing:
    """How long is waited; tests are in a hurry."""

    grace: float = GRACE
    waits: tuple[float, ...] = WAITS


class Notifier:
    """Looks at matches that have changed, and sends what is due. All methods are called on the loop."""

    def __init__(
        self,
        config: ServeConfig,
        storage: Storage,
        service: MatchService,
        tables: Tables,
        grants: Grants,
        signer: Signer,
        rates: Rates,
        timing: Timing = Timing(),
        alone: bool = True,
    ) -> None:
        self.config = config
        self.timing = timing
        self.alone = alone
        self._storage = storage
        self._service = service
        self._tables = tables
        self._grants = grants
        self._signer = signer
        self._rates = rates
        self._due: set[str] = set()
        self._sending: set[tuple[str, int, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._hosts = HostCalls(rates)
        self._mailers = ThreadPoolExecutor(2, "mail")

    def start(self) -> None:
        """Hear of changed matches, if there is a way to tell anybody."""
        if not self.config.webhooks and self.config.mail is None:
            return
        loop = asyncio.get_running_loop()

        def changed(match: str, _: int) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self.changed, match)

        self._storage.listen(changed)
        self._begin(self._catch_up())

    async def _catch_up(self) -> None:
        """Look at the matches of which somebody wants to be told, as an earlier process may have died before
        it could. What another process may still be trying is left to it for as long as it tries."""
        matches = await self._grants.to_tell()
        for match in matches:
            self.changed(match)
        await asyncio.sleep(self.timing.grace + (0 if self.alone else sum(self.timing.waits) + SECONDS))
        for match in matches:
            for (seat, kind), version in (await self._grants.untold(match)).items():
                if (match, seat, kind) not in self._sending:
                    await self._tell_again(match, seat, kind, version)

    async def _tell_again(self, match: str, seat: int, kind: str, version: int) -> None:
        """Send what was to be sent at a version, if it is still true."""
        rows = await asyncio.to_thread(self._storage.notices, match, seat)
        try:
            live = await self._service.open(match)
            with self._service.allowance.running(live.row):
                asked = live.row.status == "running" and seat in live.asked
        except (DiagnosticError, ErrorsReported) as error:
            LOG.warning("notices of %s: %s", match, error)
            return
        row = next((row for row in rows if row.kind == kind), None)
        if row is None or not asked or live.version(seat) != version:
            await self._grants.told(match, seat, kind)
        elif seat not in self._tables.presence.of(match).seats:
            self._begin(self._send(live.match.game.rules.title, row))

    async def close(self) -> None:
        """Give up what waits."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._mailers.shutdown(wait=False, cancel_futures=True)
        self._hosts.report()

    def changed(self, match: str) -> None:
        """A match has changed: look at it after a while."""
        if match and match not in self._due:
            self._due.add(match)
            self._begin(self._look(match))

    def _begin(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, match: str) -> None:
        await asyncio.sleep(self.timing.grace)
        self._due.discard(match)
        try:
            rows = await asyncio.to_thread(self._storage.notices, match)
            if rows:
                await self._tell(await self._service.open(match), list(rows))
        except (DiagnosticError, ErrorsReported, Fault, StoreFailed) as error:
            LOG.warning("notices of %s: %s", match, error)

    async def _tell(self, live: LiveMatch, rows: list[NoticeRow]) -> None:
        """Send what is due to each seat that is asked and not there."""
        if live.row.status != "running":
            return
        with self._service.allowance.running(live.row):
            asked = {seat: live.version(seat) for seat in live.asked}
        here = self._tables.presence.of(live.row.id)
        for row in rows:
            absent = row.seat in asked and row.seat not in here.seats
            if not absent or len(self._tasks) >= MOST_WAITING:
                continue
            if await self._grants.note(row.match, row.seat, row.kind, asked[row.seat]):
                self._begin(self._send(live.match.game.rules.title, row))

    async def _send(self, title: str, row: NoticeRow) -> None:
        """Send one notice, with a few tries."""
        self._sending.add((row.match, row.seat, row.kind))
        try:
            for wait in (*self.timing.waits, None):
                if await self._is_done(title, row) or wait is None:
                    break
                await asyncio.sleep(wait)
            await self._grants.told(row.match, row.seat, row.kind)
        finally:
            self._sending.discard((row.match, row.seat, row.kind))

    async def _is_done(self, title: str, row: NoticeRow) -> bool:
        """Try to send a notice; whether it need not be tried again."""
        try:
            await self._try(title, row)
        except Refused as refused:
            LOG.warning("a notice of %s was not sent: %s", row.match, refused)
        except (Failed, OSError) as failed:
            LOG.warning("a notice of %s failed: %s", row.match, type(failed).__name__)
            return False
        return True

    async def _try(self, title: str, row: NoticeRow) -> None:
        url = f"{self.config.public_url}/match/{row.match}?seat={row.seat}"
        stop, language = self.stop_address(row), row.language
        if row.kind == "mail" and self.config.mail is not None:
            if not self._rates.allows("mails", row.target.lower()):
                raise Refused("too many mails to this address")
            message = mail.turn_mail(self.config.mail, row.target, title, url, stop, language)
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._mailers, mail.send, self.config.mail, message)
        elif row.kind == "webhook" and self.config.webhooks:
            text = f"{said(language, 'turn', title=mail.shown_title(title))} {url}"
            body = {"text": text, "content": text, "match": row.match, "seat": row.seat, "url": url}
            # A title calls nobody by `@everyone` where messages do that.
            await self._call(row.target, body | {"stop": stop, "allowed_mentions": {"parse": []}})

    async def _call(self, url: str, body: dict[str, object]) -> None:
        """Call an address, unless its host is busy with others, or was called too often."""
        with self._hosts.calling(target_of(url).host):
            await call(url, body, self.config.private_webhooks, self._hosts.admit)

    async def forget(self, match: str, seat: int) -> None:
        """Whoever has left a seat is told of its turns no more, and its next holder chooses anew."""
        for kind in KINDS:
            await asyncio.wrap_future(self._storage.put_notice(NoticeRow(match, seat, kind, "")))

    def stop_address(self, row: NoticeRow) -> str:
        """The address that ends notices of a seat."""
        link = StopLink(row.match, row.seat, row.kind, mark_of(row.target))
        return f"{self.config.public_url}/notices/stop/{self._signer.stop_token(link)}"
