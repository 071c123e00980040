"""The service that serves matches: every change is committed to the log before anybody is told of it.

All methods are to be called on one event loop; positions are computed on its thread. A `LiveMatch` never
changes: it is the match as it was committed when it was asked for.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.source import NOWHERE
from interpreter.bots.names import offered_bots
from interpreter.bots.search import Thoughts
from interpreter.chance import ChanceSource
from interpreter.game import Game
from interpreter.messages import Fault
from rulewright.http.errors import ApiError
from rulewright.serve.ending_work import EndingWork, ServerEnds
from rulewright.serve.errors import GOES_DOWN
from rulewright.serve.fair_share import Turns
from rulewright.serve.matches import actions, companion_actions
from rulewright.serve.matches.allowance import Allowance
from rulewright.serve.matches.clocks import clock_rule
from rulewright.serve.matches.companion_log import is_companion
from rulewright.serve.matches.creating import (
    check_delay,
    check_table,
    derived_secret,
    new_row,
    new_seats,
    new_secret,
    rows_so_far,
    seat_after,
    set_up_match,
    was_declined,
)
from rulewright.serve.matches.exports import imported_rows, log_of
from rulewright.serve.matches.interface import (
    Accepted,
    CreatedMatch,
    SeatRequest,
    Subscriber,
    TableRequest,
)
from rulewright.serve.matches.live import CARRIED, LiveMatch, RowMaker, new_match
from rulewright.serve.matches.migrating import migrated
from rulewright.serve.matches.registry import MatchRegistry, scoped_client, system_time
from rulewright.serve.matches.scheduler import Scheduler
from rulewright.serve.matches.seating import Seating
from rulewright.serve.matches.session import done
from rulewright.serve.messages import NotKept
from rulewright.serve.store.storage import (
    Conflict,
    LogRow,
    MatchRow,
    RulesetArchive,
    Storage,
    StoreFailed,
    all_of,
)


class MatchService:
    """Creates matches, keeps those in memory that are in use, and carries out what seats ask for.

    What is not possible raises `Fault` (of the rules: R220 not offered) or `DiagnosticError` (a C-code of
    `messages_of_matches`), and has changed nothing. `client` is an id that the client made for the request,
    at most 100 characters: sent again, it gets the former answer, and nothing is done twice. `seq` is the
    version that the client has seen; None is not compared. `clock` gives milliseconds since 1970, `chance`
    replaces the system's generator; `allowance` says how much time rules may take.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Callable[[], int] | None = None,
        chance: ChanceSource | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self.storage = storage
        self.chance = chance
        self.now = clock or system_time
        self.allowance = allowance or Allowance()
        self.registry = MatchRegistry(storage, self.now, self.allowance)
        self.games = self.registry.games
        self.scheduler = Scheduler(self.registry, chance)
        self.seating = Seating(self.registry)
        self._until_the_end = EndingWork()
        self._compiling = Turns(self.allowance.share)
        """Whose turn it is to have rules compiled, or a match replayed under other ones."""

    # ---- the service

    async def start(self, alone: bool = False) -> None:
        """Hear of other processes, and begin to resume the clocks and bots of running matches.

        With `alone`, no other process serves these matches: clocks of moves and matches begin anew, so that
        no seat loses the time in which there was no server.
        """
        self.registry.listen()
        await self.scheduler.start(alone)

    def end(self) -> None:
        """The server goes down: who waits for rules to be compiled is refused."""
        self._until_the_end.end()

    async def close(self) -> None:
        """Stop bots and clocks, keep snapshots, and close the store."""
        self.scheduler.close()
        await self.registry.close()

    # ---- matches

    async def create(self, table: TableRequest) -> CreatedMatch:
        """A new match, with its set-up played. Raises `DiagnosticError`, `ErrorsReported` or `Fault`."""
        read = await asyncio.to_thread(self.games.read, table.source)
        check_table(read.rules, table, self._searches(table.source))
        options = {name: str(value) for name, value in table.options.items()}
        game = await self._compiled(read.archive.digest, len(table.seats), options)
        table, archive = replace(table, options=options), read.archive.digest
        row = new_row(table, game, archive, secrets.token_urlsafe(12), self.now())
        check_delay(table, new_match(row, game))
        given = {n: new_secret() for n, seat in enumerate(table.seats) if seat.kind in ("human", "invited")}
        rows = self._set_up(row, game)
        return await self._put(row, table, given, rows, read.archive)

    def _searches(self, source: str) -> bool:
        """Whether bots may search under the rules of a source."""
        return not self.registry.allowance.is_stranger(source)

    async def _compiled(self, digest: str, seats: int, options: Mapping[str, str]) -> Game:
        """A game for a new match. Raises `ErrorsReported`, or `ApiError` if the server ends before it is."""
        try:
            async with self._compiling.turn():
                return await self._until_the_end.result(
                    asyncio.to_thread(self.games.game, digest, seats, options)
                )
        except ServerEnds:
            raise ApiError("not-available", GOES_DOWN) from None

    def _set_up(self, row: MatchRow, game: Game) -> list[LogRow]:
        """The rows of a new match, whose set-up is played. Raises `DiagnosticError` or `Fault`."""
        if is_companion(row):
            # At a physical table, the companion asks for what everybody sees of it.
            return [LogRow(1, "start", row.created)]
        with self.allowance.running(row):
            match = set_up_match(row, game, self.chance)
            self.allowance.check_told(row, 0, match)
            return rows_so_far(row, match)

    async def _put(
        self,
        row: MatchRow,
        table: TableRequest,
        given: dict[int, str],
        rows: list[LogRow],
        archive: RulesetArchive,
    ) -> CreatedMatch:
        """Commit a new match with its rows."""
        asked = next((one.data["asked"] for one in reversed(rows) if "asked" in one.data), ())
        row = replace(row, listed={**(row.listed or {}), "asked": list(asked)})
        try:
            await done(self.storage.create(row, new_seats(row.id, table.seats, given), rows, archive))
        except StoreFailed:
            raise DiagnosticError(NotKept(NOWHERE)) from None
        live = await self.registry.session(row.id).opened()
        if live.row.status == "running" and live.match.over:
            await self.registry.carry_out(row.id, None, "begun", actions.begun)
        else:
            self.registry.tell(live)
        return CreatedMatch(row.id, given)

    async def open(self, match: str) -> LiveMatch:
        """The match with an id. Raises `DiagnosticError` with `NoSuchMatch`."""
        return await self.registry.open(match)

    def known(self, match: str) -> LiveMatch | None:
        """The match as it was committed last, if it is in memory."""
        return self.registry.known(match)

    async def rematch(self, match: str, proposers: Collection[int] | None = None) -> CreatedMatch:
        """A new match with the same set-up, the first seat moved to the end.

        Where the rules let another match follow, it is that one: it begins with what carries over, and
        everybody keeps their seat.

        The same answer for each call, until it is declined. Secrets are by the new seats; human seats keep
        their players' names. If `proposers` propose it, some seats of the old match, it begins when all other
        people have agreed.
        """
        live = await self.open(match)
        row, old = live.row, live.seats
        if row.status not in ("over", "abandoned"):
            actions.refuse("the match is not over")
        carried = live.match.carried() if row.status == "over" and live.companion is None else None
        order = [*old[1:], old[0]] if carried is None else old
        set_up = {name: value for name, value in row.set_up.items() if name != CARRIED}
        if carried is not None:
            set_up[CARRIED] = {address: names[0] for address, names in carried.values}
        table = TableRequest(
            row.source,
            [SeatRequest("bot" if s.kind == "bot" else "human", s.name, s.strategy) for s in order],
            row.options,
            clock_rule(row.clock),
            row.commitment is not None,
            {**set_up, "rematch_of": match},
        )
        name, _ = await self._rematch(row)
        new = derived_secret(row, name)[:16]
        people = [n for n, seat in enumerate(table.seats) if seat.kind == "human"]
        given = {n: derived_secret(row, f"{name} {n}") for n in people}
        read = await asyncio.to_thread(self.games.read, row.source)
        game = await self._compiled(read.archive.digest, row.seats, row.options)
        next_row = new_row(table, game, read.archive.digest, new, self.now())
        own = None if proposers is None else [seat_after(seat, next_row) for seat in proposers]
        needed = [] if own is None else [n for n in people if n not in own]
        if needed:
            next_row = replace(next_row, status="waiting")
        try:
            rows = self._set_up(next_row, game)
            if own and needed:
                maker = RowMaker(len(rows), next_row.created)
                maker.add("proposal", min(own), what="rematch", data={}, needed=needed)
                rows = [*rows, *maker.rows]
            return await self._put(next_row, table, given, rows, read.archive)
        except Conflict:
            return CreatedMatch(new, given)

    async def rematch_of(self, live: LiveMatch) -> str | None:
        """The id of the rematch of a match that has ended, if one was proposed and not declined."""
        _, found = await self._rematch(live.row)
        return found.id if found is not None else None

    async def _rematch(self, row: MatchRow) -> tuple[str, MatchRow | None]:
        """From what the secrets of the latest rematch of a match follow, and its record if there is one: none
        if all before were declined."""
        for number in itertools.count():
            name = f"rematch-{number}" if number else "rematch"
            found = await asyncio.to_thread(self.storage.match, derived_secret(row, name)[:16])
            if found is None or not was_declined(found):
                return name, found
        raise AssertionError("there is no end of numbers")

    async def answer_rematch(
        self, match: str, seats: Collection[int], agree: bool, here: Collection[int]
    ) -> None:
        """Whoever plays some seats of a rematch agrees to it, or not; those `here` are at one of its tables.

        An agreement of those who are not asked any more changes nothing. Raises `DiagnosticError`.
        """
        if agree and actions.undecided(await self.open(match)).isdisjoint(seats):
            return

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            return actions.answered_rematch(live, at, seats, agree, here)

        await self.registry.carry_out(match, None, None, act)

    async def export(self, match: str) -> str:
        """The log in JSON lines, as `play --log` writes it: the referee's full record.

        Raises `DiagnosticError` for a companion, whose record has placeholders in it.
        """
        live = await self.open(match)
        companion_actions.no_companion(live, "a full log")
        with self.allowance.running(live.row):
            return log_of(live)

    async def import_log(self, text: str, table: TableRequest) -> CreatedMatch:
        """A new match that continues a log; seats and options are those of the log.

        Raises `Fault` with `BrokenLog` or `OtherRules`, and what `create` raises.
        """
        read = await asyncio.to_thread(self.games.read, table.source)
        searching = self._searches(table.source)
        async with self._compiling.turn():
            imported = await asyncio.to_thread(
                imported_rows, self.games, read, text, table, self.now(), searching
            )
        given = {n: new_secret() for n, seat in enumerate(table.seats) if seat.kind in ("human", "invited")}
        return await self._put(imported.row, table, given, imported.rows, read.archive)

    async def migrate(self, match: str) -> str:
        """Move a match to the rules as they are now, if it is the same match under them.

        Returns why it stays on its own rules (the step and the clause that differ), empty if it was moved or
        they have not changed.
        """
        session = self.registry.session(match)
        live = await session.opened()
        try:
            read = await asyncio.to_thread(self.games.read, live.row.source)
        except DiagnosticError as error:
            return error.diagnostic.message
        except ErrorsReported as stop:
            return stop.report.first.message
        if read.rules.digest == live.row.digest:
            return ""
        if live.companion is not None:
            return "a companion of a physical table stays on the rules that it began with"
        async with self._compiling.turn():
            found = await asyncio.to_thread(migrated, self.games, live, read)
        if found.why:
            return found.why
        await done(self.storage.put_archive(read.archive))
        await self.registry.carry_out(match, None, None, partial(found.prepared, live.log.length))
        return ""

    async def migrate_all(self) -> dict[str, str]:
        """Move all running matches to the rules as they are now, where they are the same matches.

        Returns why others stay on their own rules, by match.
        """
        stays: dict[str, str] = {}
        for row in await asyncio.to_thread(all_of, self.storage, ("waiting", "running")):
            if self.games.served(row.source) == row.archive:
                continue
            try:
                why = await self.migrate(row.id)
            except (DiagnosticError, Fault) as error:
                why = error.diagnostic.message
            if why:
                stays[row.id] = why
        return stays

    # ---- what seats do

    async def choose(
        self, match: str, seat: int, client: str, seq: int | None, words: str, arrived: int | None = None
    ) -> Accepted:
        """Carry out a choice. `arrived` is the server's time when it came, for the clock."""

        def act(live: LiveMatch, at: int) -> actions.Doing:
            if live.companion is not None:
                actions.check_seen(live, seat, seq)
                return companion_actions.chosen(live, at, words, scoped_client(seat, client))
            actions.check_playing(live, seat)
            actions.check_seen(live, seat, seq)
            return actions.chosen(live, at, seat, words, scoped_client(seat, client), self.chance)

        await self.scheduler.expire(match, arrived)
        return await self.registry.carry_out(match, seat, client, act, arrived)

    async def tell(self, match: str, seat: int, client: str, seq: int | None, text: str | None) -> Accepted:
        """Answer the question of a companion; None: nobody at the table has seen the outcome."""

        def act(live: LiveMatch, at: int) -> actions.Doing:
            actions.check_seen(live, seat, seq)
            return companion_actions.told(live, at, text, scoped_client(seat, client))

        return await self.registry.carry_out(match, seat, client, act)

    async def undo(self, match: str, seat: int, client: str, seq: int | None, number: int = 1) -> Accepted:
        """Take back own last choices, freely if nobody has learned anything, else by a proposal."""

        def act(live: LiveMatch, at: int) -> actions.Doing:
            if live.companion is not None:
                actions.check_seen(live, seat, seq)
                return companion_actions.undone(live, at, number, scoped_client(seat, client))
            if number < 1:
                actions.refuse("nothing is to be taken back")
            actions.check_playing(live, seat)
            actions.check_seen(live, seat, seq)
            return actions.undone(live, at, seat, number, scoped_client(seat, client))

        return await self.registry.carry_out(match, seat, client, act)

    async def propose(
        self, match: str, seat: int, client: str, what: str, data: Mapping[str, object]
    ) -> Accepted:
        """Propose `repair` or `abandon` (`{}`).

        A repair is `{"step": n}` to go back to before the decision that made step n, or `{"step": n,
        "outcome": text}` to give the random outcome of step n another value; later choices are dropped.
        """

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            return actions.proposed(live, at, seat, what, data, scoped_client(seat, client))

        return await self.registry.carry_out(match, seat, client, act, rules_run=what != "abandon")

    def gives_hints(self, row: MatchRow) -> bool:
        """Whether who plays may ask what a search thinks: if the owner and the rules let it search."""
        possible = len(offered_bots(self._searches(row.source))) > 1 and not row.set_up.get(
            "companion", False
        )
        return possible and bool(row.set_up.get("hints", True))

    async def hint(self, match: str, seat: int) -> Thoughts | None:
        """What a search thinks of the choices of a seat; None if it is not asked, or no hints are given."""
        live = await self.open(match)
        if not live.running or seat in live.log.gone or not self.gives_hints(live.row):
            return None
        return await self.scheduler.hint(live, seat)

    async def answer(self, match: str, seat: int, client: str, proposal: int, agree: bool) -> Accepted:
        """Agree to a proposal or not; when the last seat agrees, it is carried out."""

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            return actions.answered(live, at, seat, proposal, agree, scoped_client(seat, client))

        proposals = (await self.open(match)).proposals
        rules_run = any(one.id == proposal and one.what != "abandon" for one in proposals)
        return await self.registry.carry_out(match, seat, client, act, rules_run=rules_run)

    async def resign(self, match: str, seat: int, client: str) -> Accepted:
        """Give up: the last seat left wins; with more seats, this one is played as an absent one."""

        def act(live: LiveMatch, at: int) -> actions.Prepared:
            actions.check_playing(live, seat)
            return actions.resigned(live, at, seat, scoped_client(seat, client))

        return await self.registry.carry_out(match, seat, client, act, rules_run=False)

    def subscribe(self, match: str, subscriber: Subscriber) -> Callable[[], None]:
        """Call a function on the loop after each commit to a match, which is watched by that.

        Returns how to end it.
        """
        session = self.registry.session(match)
        session.subscribers.append(subscriber)
        if session.live is not None:
            self.scheduler.look_after(session.live)
        watched = [session]

        def end() -> None:
            if watched:
                watched.pop().subscribers.remove(subscriber)

        return end
