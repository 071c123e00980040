"""A match in use: one lock, its last committed position, and those who are told of changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.source import NOWHERE
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.serve.games.compiled import Games
from rulewright.serve.matches.actions import POSITIONS, Action, Prepared
from rulewright.serve.matches.allowance import Allowance
from rulewright.serve.matches.clocks import clock_rule, clocks_of
from rulewright.serve.matches.companion_log import companion_of, is_companion
from rulewright.serve.matches.companion_snapshots import TOLD, companion_snapshot, told_match
from rulewright.serve.matches.event_log import queues_of
from rulewright.serve.matches.interface import Change, Subscriber
from rulewright.serve.matches.live import LiveMatch, built, drafted, played_on
from rulewright.serve.matches.slices import in_slices
from rulewright.serve.matches.snapshots import restored, snapshot
from rulewright.serve.messages import BrokenMatch, NoSuchMatch, NotKept
from rulewright.serve.store.storage import (
    BadRecord,
    Conflict,
    LogRow,
    MatchRow,
    SeatRow,
    Snapshot,
    Storage,
    StoreFailed,
    Update,
)

LOG = logging.getLogger(__name__)

T = TypeVar("T")
MOST_TRIES = 8
"""How often an action is tried again because another process has acted meanwhile."""
SNAPSHOT_ROWS = 60
"""After how many rows a new snapshot is kept."""


class MatchSession:
    """One match. Whoever changes it holds `lock`; the positions are computed on the event loop's thread."""

    def __init__(
        self, match: str, storage: Storage, games: Games, now: Callable[[], int], allowance: Allowance
    ) -> None:
        self.id = match
        self.storage = storage
        self.games = games
        self.now = now
        self.allowance = allowance
        self.lock = asyncio.Lock()
        self.live: LiveMatch | None = None
        self.subscribers: list[Subscriber] = []
        self._kept = 0

    # ---- reading

    async def opened(self) -> LiveMatch:
        """The match as it was committed. Raises `DiagnosticError` if there is none, or if it is broken."""
        if self.live is None:
            async with self.lock:
                if self.live is None:
                    await self._load()
        assert self.live is not None
        return self.live

    async def _load(self) -> LiveMatch:
        """Read the match. Raises `DiagnosticError`, whatever stands in its rows."""
        try:
            return await self._loaded()
        except (DiagnosticError, asyncio.CancelledError):
            raise
        except StoreFailed:
            raise DiagnosticError(NotKept(NOWHERE)) from None
        except Exception as error:
            LOG.warning("match %s cannot be read: %s: %s", self.id, type(error).__name__, error)
            raise DiagnosticError(BrokenMatch(NOWHERE, self.id, 0, type(error).__name__)) from None

    async def _loaded(self) -> LiveMatch:
        row, seats, rows, kept, game = await asyncio.to_thread(self._read)
        kept = kept if kept is not None and kept.seq <= len(rows) else None
        if is_companion(row):
            self._kept = kept.seq if kept is not None else 0
            self.live = await in_slices(
                told_match(row, seats, rows, game, kept), self._running(row), self.allowance.turns
            )
            return self.live
        with self.allowance.running(row, opening=True):
            match = self._from_snapshot(row, game, kept, rows) if kept is not None else None
            self._kept = kept.seq if kept is not None and match is not None else 0
            self.live = built(row, seats, rows, game, match)
        return self.live

    def _running(self, row: MatchRow) -> Callable[[], AbstractContextManager[None]]:
        """What bounds a piece of work on the rules of a match."""
        return partial(self.allowance.running, row)

    def _read(self) -> tuple[MatchRow, list[SeatRow], list[LogRow], Snapshot | None, Game]:
        """Everything of the match, on a thread of its own. Raises `DiagnosticError` or `StoreFailed`."""
        try:
            return self._read_all()
        except BadRecord as bad:
            raise DiagnosticError(BrokenMatch(NOWHERE, self.id, bad.seq, str(bad))) from None

    def _read_all(self) -> tuple[MatchRow, list[SeatRow], list[LogRow], Snapshot | None, Game]:
        row = self.storage.match(self.id)
        if row is None:
            raise DiagnosticError(NoSuchMatch(NOWHERE, self.id))
        if not self.games.known(row.archive):
            archive = self.storage.archive(row.archive)
            if archive is None:
                raise DiagnosticError(BrokenMatch(NOWHERE, self.id, 0, "its rules are not archived"))
            try:
                self.games.add(archive)
            except (ErrorsReported, DiagnosticError) as stop:
                raise self._without_rules(stop) from None
        try:
            game = self.games.game(row.archive, row.seats, row.options)
        except (ErrorsReported, DiagnosticError) as stop:
            raise self._without_rules(stop) from None
        seats, rows = list(self.storage.seats(self.id)), list(self.storage.rows(self.id))
        if [seat.seat for seat in seats] != list(range(row.seats)):
            raise BadRecord("its seats are damaged")
        if len(rows) < row.length:
            raise BadRecord("rows of its log are missing")
        return row, seats, rows, self.storage.snapshot(self.id), game

    def _without_rules(self, stop: ErrorsReported | DiagnosticError) -> DiagnosticError:
        first = stop.report.first if isinstance(stop, ErrorsReported) else stop.diagnostic
        why = f"its rules cannot be read any more: {first.message}"
        return DiagnosticError(BrokenMatch(NOWHERE, self.id, 0, why))

    def _from_snapshot(self, row: MatchRow, game: Game, kept: Snapshot, rows: list[LogRow]) -> Match | None:
        """The position from a snapshot and the rows behind it; None if it does not fit."""
        if any(one.kind in ("undo", "repair", "migrated") for one in rows[kept.seq :]):
            return None
        match = restored(row, game, kept)
        if match is None:
            return None
        later = [one for one in rows[kept.seq :] if one.kind in POSITIONS]
        given_back = match.outcomes
        match.outcomes = queues_of(later, {})
        for stream, texts in given_back.items():
            used = sum(one.kind == "chance" and one.data["stream"] == stream for one in later)
            match.outcomes.setdefault(stream, []).extend(texts[used:])
        return played_on(row, match, later)

    # ---- changing

    async def carry_out(
        self,
        action: Action,
        client: str | None = None,
        at: int | None = None,
        rules_run: bool = True,
    ) -> tuple[LogRow, bool]:
        """Commit an action. Returns its first row, and whether the same request was committed before.

        One in which no rules run (`rules_run` is false) can be carried out while the rules rest.

        Raises what the action raises, `DiagnosticError` with `NotKept` if it could not be committed.
        """
        when = self.now() if at is None else at
        async with self.lock:
            for _ in range(MOST_TRIES):
                live = self.live or await self._load()
                former = live.log.answers.get(client) if client is not None else None
                if former is not None:
                    return former, True
                with self.allowance.running(live.row) if rules_run else nullcontext():
                    found = action(live, max(when, live.row.updated))
                prepared = (
                    found
                    if isinstance(found, Prepared)
                    else await in_slices(found, self._running(live.row), self.allowance.turns)
                )
                if not prepared.rows:
                    raise AssertionError("an action has rows")
                if prepared.match is not live.match:
                    self.allowance.check_told(live.row, len(live.match.steps), prepared.match)
                after = live.followed(prepared.match, prepared.rows, prepared.update, prepared.companion)
                update = replace(prepared.update or Update(), listed=self._listed(after))
                try:
                    await done(self.storage.append(self.id, live.log.length, prepared.rows, update))
                except Conflict:
                    await self._catch_up()
                    continue
                except BaseException as error:
                    self.live = None
                    if isinstance(error, StoreFailed):
                        raise DiagnosticError(NotKept(NOWHERE)) from error
                    raise
                self.live = replace(after, row=replace(after.row, listed=update.listed or live.row.listed))
                self.tell(Change(self.id, prepared.rows))
                self._keep_snapshot()
                return prepared.rows[0], False
        raise DiagnosticError(NotKept(NOWHERE))

    def _listed(self, live: LiveMatch) -> dict[str, Any] | None:
        """What lists show of the match; if its rules rest, as it was shown before."""
        with suppress(DiagnosticError, Fault), self.allowance.running(live.row):
            return live.listing
        return None if live.row.listed is None else dict(live.row.listed)

    async def reload(self) -> None:
        """Read the match anew."""
        async with self.lock:
            await self._load()

    async def refresh(self, seq: int = 0) -> bool:
        """Take over what other processes have committed, up to row `seq` at least.

        Returns whether there was something to look for.
        """
        async with self.lock:
            if self.live is None or 0 < seq <= self.live.log.length:
                return False
            await self._catch_up(nudged=not seq)
            return True

    async def _catch_up(self, nudged: bool = False) -> None:
        """Read what is behind the last known row, or all anew if it took something back. If it was `nudged`,
        something has changed that may be none of that."""
        live = self.live
        assert live is not None
        try:
            row, seats, rows = await asyncio.to_thread(self._read_since, live.log.length)
        except (StoreFailed, DiagnosticError) as error:
            self.live = None
            if isinstance(error, DiagnosticError) and isinstance(error.diagnostic, NoSuchMatch):
                self.tell(Change(self.id, (), gone=True))
            return
        if any(one.kind in ("undo", "repair", "migrated") for one in rows):
            self.live = None
            await self._load()
        elif live.companion is not None:
            told = [one for one in rows if one.kind in TOLD]
            companion = await in_slices(
                companion_of(row, live.game, told, live.companion),
                self._running(row),
                self.allowance.turns,
            )
            log = live.log.extended(rows)
            self.live = LiveMatch(row, tuple(seats), companion.match, log, live.clocks, companion)
        else:
            self.live = None
            with suppress(Exception), self.allowance.running(row, opening=True):
                self.live = followed_by(live, row, seats, rows)
            if self.live is None:  # it is told why
                await self._load()
        if rows or nudged or tuple(seats) != live.seats:
            self.tell(Change(self.id, tuple(rows)))

    def _read_since(self, since: int) -> tuple[MatchRow, list[SeatRow], list[LogRow]]:
        rows = list(self.storage.rows(self.id, since))
        row = self.storage.match(self.id)
        if row is None:
            raise DiagnosticError(NoSuchMatch(NOWHERE, self.id))
        return row, list(self.storage.seats(self.id)), rows

    # ---- telling, keeping

    def tell(self, change: Change) -> None:
        """Tell the subscribers of a change."""
        for subscriber in tuple(self.subscribers):
            subscriber(change)

    def _keep_snapshot(self) -> None:
        live = self.live
        if live is not None and live.log.length - self._kept >= SNAPSHOT_ROWS:
            self.keep()

    def keep(self) -> None:
        """Keep a snapshot, unless the last one is as new; it is not waited for, and may be lost."""
        live = self.live
        if live is None or live.log.length <= self._kept or not live.match.steps:
            return
        self._kept = live.log.length
        made = snapshot(live) if live.companion is None else companion_snapshot(live)
        self.storage.put_snapshot(self.id, made)


def followed_by(live: LiveMatch, row: MatchRow, seats: list[SeatRow], rows: list[LogRow]) -> LiveMatch:
    """A match after rows that another process has committed, none of which takes anything back."""
    log = live.log.extended(rows)
    match = live.match
    decisions = [one for one in rows if one.kind in POSITIONS]
    if decisions:
        match = drafted(match, None)
        match.outcomes = queues_of(decisions, log.queues)
        match = played_on(row, match, decisions)
    clocks = clocks_of(clock_rule(row.clock), row.seats, log.rows)
    return LiveMatch(row, tuple(seats), match, log, clocks)


async def done(future: Future[T]) -> T:
    """The result of a future of the store. If the task is cancelled, what is written continues."""
    return await asyncio.shield(asyncio.wrap_future(future))
