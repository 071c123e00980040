"""The service that serves matches: every change is committed to the log before anybody is told of it.

All methods are to be called on one event loop; positions are computed on its thread. A `LiveMatch` never
changes: it is the match as it was committed when it was asked for.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.chance import ChanceSource
from rulewright.serve import actions
from rulewright.serve.automatic import absent_choice, bot_choice
from rulewright.serve.clocks import clock_rule, clocks_of
from rulewright.serve.creating import (
    check_name,
    check_table,
    derived_secret,
    new_row,
    new_seats,
    new_secret,
    set_up_rows,
    token_of,
)
from rulewright.serve.exports import imported_rows, log_of
from rulewright.serve.games import Games
from rulewright.serve.live import LiveMatch
from rulewright.serve.messages_of_matches import NeedsOutcome, NotKept, SeatTaken
from rulewright.serve.migrating import migrated
from rulewright.serve.requests import Accepted, Change, CreatedMatch, SeatRequest, Subscriber, TableRequest
from rulewright.serve.room import MatchRoom, done
from rulewright.serve.storage import (
    Conflict,
    LogRow,
    MatchRow,
    RulesetArchive,
    SeatKind,
    SeatRow,
    Storage,
    StoreFailed,
)

MOST_ROOMS = 2_000
"""How many matches are kept in memory, as long as others are not watched."""
LONGEST_CLIENT = 100
"""Characters of a client's id."""


def system_time() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class MatchService:
    """Creates matches, keeps those in memory that are in use, and carries out what seats ask for.

    What is not possible raises `Fault` (of the rules: R220 not offered) or `DiagnosticError` (a C-code of
    `messages_of_matches`), and has changed nothing. `client` is an id that the client made for the request,
    at most 100 characters: sent again, it gets the former answer, and nothing is done twice. `seq` is the
    version that the client has seen; None is not compared. `clock` gives milliseconds since 1970, `chance`
    replaces the system's generator.
    """

    def __init__(
        self, storage: Storage, clock: Callable[[], int] | None = None, chance: ChanceSource | None = None
    ) -> None:
        self.storage = storage
        self.games = Games()
        self.now = clock or system_time
        self.chance = chance
        self._rooms: dict[str, MatchRoom] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._automatic: set[str] = set()
        self._deadlines: dict[str, int] = {}
        self._woken = asyncio.Event()
        self._closing = False

    # ---- the service

    async def start(self, alone: bool = False) -> None:
        """Hear of other processes, and resume the clocks and bots of running matches.

        With `alone`, no other process serves these matches: clocks of moves and matches begin anew, so that
        no seat loses the time in which there was no server.
        """
        loop = asyncio.get_running_loop()

        def heard(match: str, seq: int) -> None:
            with suppress(RuntimeError):  # the loop is closed already
                loop.call_soon_threadsafe(self._heard, match, seq)

        self.storage.listen(heard)
        self._spawn(self._watch_clocks())
        offset = 0
        while found := await asyncio.to_thread(self.storage.matches, ("running",), 100, offset):
            offset += len(found)
            for row in found:
                await self._resume(row, alone)

    async def _resume(self, row: MatchRow, alone: bool) -> None:
        rule = clock_rule(row.clock)
        if rule.kind in ("move", "match") and alone:
            await self._do(row.id, None, None, lambda live, at: actions.begun(live, at, "restarted"))
        elif rule.kind != "none":
            rows = await asyncio.to_thread(self.storage.rows, row.id)
            clocks = clocks_of(rule, row.seats, rows)
            self._note_deadlines(row.id, [clock.deadline for clock in clocks])
        seats = await asyncio.to_thread(self.storage.seats, row.id)
        if any(seat.kind == "bot" for seat in seats):
            self._go_on(row.id)

    async def close(self) -> None:
        """Stop bots and clocks, keep snapshots, and close the store."""
        self._closing = True
        self._woken.set()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in self._rooms.values():
            room.keep()
        await asyncio.to_thread(self.storage.close)

    # ---- matches

    async def create(self, table: TableRequest) -> CreatedMatch:
        """A new match, with its set-up played. Raises `DiagnosticError`, `ErrorsReported` or `Fault`."""
        read = await asyncio.to_thread(self.games.read, table.source)
        check_table(read.rules, table)
        options = {name: str(value) for name, value in table.options.items()}
        game = await asyncio.to_thread(self.games.game, read.archive.digest, len(table.seats), options)
        row = new_row(replace(table, options=options), game, secrets.token_urlsafe(12), self.now())
        given = {n: new_secret() for n, seat in enumerate(table.seats) if seat.kind in ("human", "invited")}
        return await self._put(row, table, given, set_up_rows(row, game, self.chance), read.archive)

    async def _put(
        self,
        row: MatchRow,
        table: TableRequest,
        given: dict[int, str],
        rows: list[LogRow],
        archive: RulesetArchive,
    ) -> CreatedMatch:
        """Commit a new match with its rows."""
        try:
            await done(self.storage.put_archive(archive))
            await done(self.storage.create(row, new_seats(row.id, table.seats, given), rows))
        except StoreFailed:
            raise DiagnosticError(NotKept(NOWHERE)) from None
        live = await self._room(row.id).opened()
        self._after(live)
        return CreatedMatch(row.id, given)

    async def open(self, match: str) -> LiveMatch:
        """The match with an id. Raises `DiagnosticError` with `NoSuchMatch`."""
        return await self._room(match).opened()

    def known(self, match: str) -> LiveMatch | None:
        """The match as it was committed last, if it is in memory."""
        room = self._rooms.get(match)
        return room.live if room is not None else None

    async def rematch(self, match: str) -> CreatedMatch:
        """A new match with the same set-up, the first seat moved to the end.

        The same answer for each call. Secrets are by the new seats; human seats keep their players' names.
        """
        live = await self.open(match)
        row, old = live.row, live.seats
        if row.status not in ("over", "abandoned"):
            actions.refuse("the match is not over")
        order = [*old[1:], old[0]]
        table = TableRequest(
            row.source,
            [SeatRequest("bot" if s.kind == "bot" else "human", s.name, s.strategy) for s in order],
            row.options,
            clock_rule(row.clock),
            row.commitment is not None,
            {**row.set_up, "rematch_of": match},
        )
        new = derived_secret(row, "rematch")[:16]
        given = {
            n: derived_secret(row, f"rematch {n}") for n, s in enumerate(table.seats) if s.kind == "human"
        }
        read = await asyncio.to_thread(self.games.read, row.source)
        game = await asyncio.to_thread(self.games.game, read.archive.digest, row.seats, row.options)
        next_row = new_row(table, game, new, self.now())
        try:
            rows = set_up_rows(next_row, game, self.chance)
            return await self._put(next_row, table, given, rows, read.archive)
        except Conflict:
            return CreatedMatch(new, given)

    async def export(self, match: str) -> str:
        """The log in JSON lines, as `play --log` writes it: the referee's full record."""
        return log_of(await self.open(match))

    async def import_log(self, text: str, table: TableRequest) -> CreatedMatch:
        """A new match that continues a log; seats and options are those of the log.

        Raises `Fault` with `BrokenLog` or `OtherRules`, and what `create` raises.
        """
        read = await asyncio.to_thread(self.games.read, table.source)
        imported = await asyncio.to_thread(imported_rows, self.games, read, text, table, self.now())
        given = {n: new_secret() for n, seat in enumerate(table.seats) if seat.kind in ("human", "invited")}
        return await self._put(imported.row, table, given, imported.rows, read.archive)

    async def migrate(self, match: str) -> str:
        """Move a match to the rules as they are now, if it is the same match under them.

        Returns why it stays on its own rules (the step and the clause that differ), empty if it was moved or
        they have not changed.
        """
        room = self._room(match)
        live = await room.opened()
        try:
            read = await asyncio.to_thread(self.games.read, live.row.source)
        except DiagnosticError as error:
            return error.diagnostic.message
        if read.archive.digest == live.row.digest:
            return ""
        found = await asyncio.to_thread(migrated, self.games, live, read)
        if found.why:
            return found.why
        await done(self.storage.put_archive(read.archive))
        await self._do(match, None, None, partial(found.prepared, live.ledger.length))
        return ""

    # ---- seats

    async def seat_of(self, secret: str) -> SeatRow | None:
        """The seat that a secret opens; an invited one is still to be taken."""
        return await asyncio.to_thread(self.storage.seat_of, token_of(secret))

    async def take_seat(
        self, match: str, seat: int, name: str, secret: str | None = None, token: str | None = None
    ) -> str:
        """Sit down on an open seat, or with its secret on an invited one. Returns the new secret.

        `token` is the hash of the secret, for a caller who has seen that somebody knows the secret.

        Raises `DiagnosticError` with `SeatTaken`.
        """
        check_name(name)
        live = await self.open(match)
        names = live.game.names
        if not 0 <= seat < live.row.seats:
            raise DiagnosticError(SeatTaken(NOWHERE, str(seat), "there is no such seat"))
        row = live.seats[seat]
        given = token_of(secret) if secret is not None else token
        if row.kind not in ("open", "invited"):
            raise DiagnosticError(SeatTaken(NOWHERE, names.seat(seat), "somebody has taken it"))
        if row.kind == "invited" and (given is None or given != row.token or row.revoked):
            raise DiagnosticError(SeatTaken(NOWHERE, names.seat(seat), "it is kept for somebody"))
        new = new_secret()
        await self._put_seat(replace(row, kind="human", name=name, token=token_of(new), revoked=False), row)
        await self._begin(match)
        return new

    async def _begin(self, match: str) -> None:
        """Begin a match whose seats are all taken."""
        live = await self.open(match)
        if live.row.status == "waiting" and all(s.kind in ("human", "bot") for s in live.seats):
            await self._do(match, None, "begun", actions.begun)

    async def rename(self, match: str, seat: int, name: str) -> None:
        """Change what people call the player of a seat."""
        check_name(name)
        row = (await self.open(match)).seats[seat]
        await self._put_seat(replace(row, name=name), row)

    async def revoke(self, match: str, seat: int) -> str:
        """Replace the secret of a seat: the old one opens nothing any more. Returns the new one."""
        row, new = (await self.open(match)).seats[seat], new_secret()
        await self._put_seat(replace(row, token=token_of(new)), row)
        return new

    async def free_seat(self, match: str, seat: int, kind: SeatKind) -> None:
        """Let a seat be taken by somebody else: `open` or `invited`; before the start only."""
        row = (await self.open(match)).seats[seat]
        token = token_of(new_secret()) if kind == "invited" else None
        await self._put_seat(replace(row, kind=kind, name="", token=token, strategy=None), row)

    async def seat_bot(self, match: str, seat: int, strategy: str) -> None:
        """Let a bot play a seat from now on, instead of a person or before one has come."""
        live = await self.open(match)
        row = live.seats[seat]
        await self._put_seat(replace(row, kind="bot", name="", token=None, strategy=strategy), row)
        await self._begin(match)
        self._after(await self.open(match))

    async def close_match(self, match: str) -> None:
        """End a match that has not begun."""
        await self._do(match, None, "closed", actions.closed)

    async def _put_seat(self, seat: SeatRow, before: SeatRow) -> None:
        room = self._room(seat.match)
        try:
            async with room.lock:
                await done(self.storage.put_seat(seat, before))
                if room.live is not None:
                    seats = tuple(seat if row.seat == seat.seat else row for row in room.live.seats)
                    room.live = replace(room.live, seats=seats)
        except Conflict:
            await room.reload()
            raise DiagnosticError(SeatTaken(NOWHERE, str(seat.seat), "somebody has taken it")) from None
        except StoreFailed:
            raise DiagnosticError(NotKept(NOWHERE)) from None
        room.tell(Change(seat.match, ()))

    # ---- what seats do

    async def choose(
        self, match: str, seat: int, client: str, seq: int | None, words: str, arrived: int | None = None
    ) -> Accepted:
        """Carry out a choice. `arrived` is the server's time when it came, for the clock."""
        room = self._room(match)

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            actions.check_seen(live, seat, seq)
            told = room.pending[2] if room.pending and room.pending[:2] == (seat, words) else None
            return actions.chosen(live, at, seat, words, _scoped(seat, client), self.chance, told=told)

        await self._expire(match, arrived)
        try:
            accepted = await self._do(match, seat, client, act, arrived)
        except DiagnosticError as error:
            if isinstance(error.diagnostic, NeedsOutcome) and not room.pending:
                room.pending = (seat, words, {})
            raise
        room.pending = None
        return accepted

    async def supply(self, match: str, seat: int, client: str, stream: str, text: str) -> Accepted:
        """Tell the next outcome of a physical table. The choice that waits for it is carried out when all
        are told; until then raises `DiagnosticError` with `NeedsOutcome`, which names the next one."""
        room = self._room(match)
        if room.pending is None or room.pending[0] != seat:
            actions.refuse("no outcome is asked for")
        seat, words, told = room.pending
        room.pending = (seat, words, {**told, stream: [*told.get(stream, ()), text]})
        try:
            return await self.choose(match, seat, client, None, words)
        except DiagnosticError as error:
            if not isinstance(error.diagnostic, NeedsOutcome):
                room.pending = (seat, words, told)
            raise
        except BaseException:
            room.pending = (seat, words, told)
            raise

    async def undo(self, match: str, seat: int, client: str, seq: int | None, number: int = 1) -> Accepted:
        """Take back own last choices, freely if nobody has learned anything, else by a proposal."""

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            actions.check_seen(live, seat, seq)
            return actions.undone(live, at, seat, number, _scoped(seat, client))

        return await self._do(match, seat, client, act)

    async def propose(
        self, match: str, seat: int, client: str, what: str, data: Mapping[str, object]
    ) -> Accepted:
        """Propose `repair` or `abandon` (`{}`).

        A repair is `{"step": n}` to go back to before the decision that made step n, or `{"step": n,
        "outcome": text}` to give the random outcome of step n another value; later choices are dropped.
        """

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            return actions.proposed(live, at, seat, what, data, _scoped(seat, client))

        return await self._do(match, seat, client, act)

    async def answer(self, match: str, seat: int, client: str, proposal: int, agree: bool) -> Accepted:
        """Agree to a proposal or not; when the last seat agrees, it is carried out."""

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            return actions.answered(live, at, seat, proposal, agree, _scoped(seat, client))

        return await self._do(match, seat, client, act)

    async def resign(self, match: str, seat: int, client: str) -> Accepted:
        """Give up: the last seat left wins; with more seats, this one is played as an absent one."""

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            return actions.resigned(live, at, seat, _scoped(seat, client))

        return await self._do(match, seat, client, act)

    def subscribe(self, match: str, subscriber: Subscriber) -> Callable[[], None]:
        """Call a function on the loop after each commit to a match. Returns how to end that."""
        room = self._room(match)
        room.subscribers.append(subscriber)
        return lambda: room.subscribers.remove(subscriber) if subscriber in room.subscribers else None

    # ---- within

    def _room(self, match: str) -> MatchRoom:
        found = self._rooms.pop(match, None) or MatchRoom(match, self.storage, self.games, self.now)
        self._rooms[match] = found
        if len(self._rooms) > MOST_ROOMS:
            self._leave_rooms()
        return found

    def _leave_rooms(self) -> None:
        """Forget the matches that were used least recently, and that nobody watches."""
        for name, room in list(self._rooms.items())[: len(self._rooms) - MOST_ROOMS]:
            if not room.subscribers and not room.lock.locked():
                room.keep()
                del self._rooms[name]

    async def _do(
        self,
        match: str,
        seat: int | None,
        client: str | None,
        action: actions.Action,
        at: int | None = None,
    ) -> Accepted:
        """Commit an action, and answer."""
        room = self._room(match)
        scoped = None if client is None else _scoped(seat, client)
        row, former = await room.carry_out(action, scoped, at)
        live = await room.opened()
        self._after(live)
        proposal = row.seq if row.kind == "proposal" else None
        viewer = -2 if seat is None else seat
        return Accepted(row.seq, live.version(viewer), former, proposal)

    def _after(self, live: LiveMatch) -> None:
        """What follows a commit: clocks, and the seats that no person plays."""
        self._note_deadlines(live.id, [clock.deadline for clock in live.clocks] if live.running else [])
        if live.running and self._next_automatic(live) is not None:
            self._go_on(live.id)

    def _heard(self, match: str, seq: int) -> None:
        """Another process (or this one) has committed something."""
        if self._closing:
            return
        for room in (
            [self._rooms[match]] if match in self._rooms else self._rooms.values() if not match else ()
        ):
            live = room.live
            if live is not None and (seq == 0 or live.ledger.length < seq):
                self._spawn(self._refresh(room))

    async def _refresh(self, room: MatchRoom) -> None:
        await room.refresh()
        if room.live is not None:
            self._after(room.live)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- bots, absent seats, clocks

    def _next_automatic(self, live: LiveMatch) -> int | None:
        """The first seat that is asked and that no person plays."""
        return next((s for s in live.asked if live.seats[s].kind == "bot" or s in live.ledger.gone), None)

    def _go_on(self, match: str) -> None:
        if match not in self._automatic and not self._closing:
            self._automatic.add(match)
            self._spawn(self._play_on(match))

    async def _play_on(self, match: str) -> None:
        """Make the choices of bots and of seats that are gone, until a person is asked."""
        try:
            while True:
                live = await self.open(match)
                seat = self._next_automatic(live) if live.running else None
                if seat is None:
                    return
                client = f"auto {live.ledger.length}"
                await self._do(match, None, client, partial(self._automatic_choice, seat, client))
                await asyncio.sleep(0)
        except DiagnosticError:
            return
        finally:
            self._automatic.discard(match)

    def _automatic_choice(self, seat: int, client: str, live: LiveMatch, at: int) -> actions.Prepared:
        gone = seat in live.ledger.gone
        if seat not in live.asked or not live.running:
            actions.refuse("this seat is not asked")
        words = (
            absent_choice(live.match, seat)
            if gone
            else bot_choice(live.match, seat, live.seats[seat].strategy)
        )
        assert words is not None
        return actions.chosen(
            live, at, seat, words, _scoped(None, client), self.chance, "absent" if gone else "bot"
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
        while not self._closing:
            self._woken.clear()
            now = self.now()
            for match, deadline in tuple(self._deadlines.items()):
                if deadline < now:
                    self._deadlines.pop(match, None)
                    self._spawn(self._expire(match, now))
            first = min(self._deadlines.values(), default=now + 3_600_000)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), max(0.01, (first - now + 1) / 1000))

    async def _expire(self, match: str, at: int | None) -> None:
        """What follows if the time of seats is up."""
        when = self.now() if at is None else at
        while True:
            live = await self.open(match)
            if actions.expired(live, when, absent_choice, self.chance) is None:
                return
            try:
                await self._do(match, None, None, self._expired, when)
            except DiagnosticError:
                return

    def _expired(self, live: LiveMatch, at: int) -> actions.Prepared:
        found = actions.expired(live, at, absent_choice, self.chance)
        if found is None:
            actions.refuse("there is time left")
        return found


def _scoped(seat: int | None, client: str) -> str:
    """A client's id within a match. Raises `DiagnosticError` if it is too long."""
    if not 0 < len(client) <= LONGEST_CLIENT:
        actions.refuse("a request has an id of 1 to 100 characters")
    return f"{'-' if seat is None else seat}:{client}"
