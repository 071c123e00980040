"""The HTTP API of matches: making, finding, joining and leaving them, and the links to their seats."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dsl.diagnostics import DiagnosticError, ErrorsReported
from interpreter.bots.names import usual_bot
from interpreter.messages import Fault
from rulewright.http.errors import ApiError
from rulewright.serve import seat_codes
from rulewright.serve.access.rates import payer_of
from rulewright.serve.access.visitors import SeatLink
from rulewright.serve.api.bodies import Fields, fields_of, seat_of_query
from rulewright.serve.context import Context
from rulewright.serve.errors import UNSEEN, of_diagnostics
from rulewright.serve.fair_share import Payer, works_for
from rulewright.serve.games.catalogue import MOST_SEATS
from rulewright.serve.matches.clocks import ClockRule
from rulewright.serve.matches.companion_log import is_companion
from rulewright.serve.matches.creating import seat_after, token_of
from rulewright.serve.matches.interface import Change, CreatedMatch, SeatRequest, TableRequest
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.store.grants import Grant, valid_grants
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import MatchRow, SeatRow
from rulewright.serve.tables.match_settings import (
    ENDED,
    STATUSES,
    hints_of,
    may_watch,
    owner_of,
    seat_json,
    spectators_of,
    visibility_of,
)
from rulewright.serve.tables.projection import Transcript
from rulewright.serve.tables.talk import ALLOWED

Handler = Callable[[Request], Awaitable[Response]]
MOST_DELAY = 50
MOST_LISTED = 100
PLAYERS = ("me", "open", "invited", "bot")
BOT = "bot:"
"""Before the name of a bot."""


def answered(handler: Handler) -> Handler:
    """A handler whose mistakes of matches and rulesets become answers; it counts requests."""

    async def answer(request: Request) -> Response:
        context: Context = request.app.state.context
        context.rates.check("requests" if request.method == "GET" else "changes", request)
        works_for(payer_of(request))
        await context.service.allowance.turns.step()
        try:
            return await handler(request)
        except ErrorsReported as errors:
            raise of_diagnostics(list(errors.report)) from None
        except (DiagnosticError, Fault) as error:
            raise of_diagnostics([error.diagnostic]) from None

    return answer


class ListedMatch:
    """A match as one visitor sees it, from its row and its seats: it need not be opened for that."""

    def __init__(
        self,
        context: Context,
        row: MatchRow,
        seats: Sequence[SeatRow],
        visitor: str,
        grants: Sequence[Grant],
    ) -> None:
        self.context = context
        self.row = row
        self.seats = seats
        self.visitor = visitor
        found = valid_grants(grants, visitor, seats)
        self.held = [h.seat for h in found if seats[h.seat].kind == "human"]
        self.invited = [h.seat for h in found if seats[h.seat].kind == "invited"]

    @property
    def is_owner(self) -> bool:
        """Whether the visitor has made the match."""
        return owner_of(self.row) == self.visitor

    @property
    def may_see(self) -> bool:
        """Whether the visitor may see the match at all."""
        return bool(self.held or self.invited) or may_watch(self.row, self.seats, self.visitor)

    @property
    def listing(self) -> Mapping[str, Any]:
        """What is kept of the match for lists."""
        return self.row.listed or {
            "title": self.row.game,
            "colours": {},
            "asked": [],
            "changed": self.row.created,
        }

    def as_json(self) -> dict[str, Any]:
        """The match for this visitor."""
        row, listing = self.row, self.listing
        here = self.context.tables.presence.of(row.id)
        asked = listing["asked"] if row.status == "running" else ()
        seats = [
            seat_json(seat)
            | {
                "mine": seat.seat in self.held,
                "invitation": seat.seat in self.invited,
                "present": seat.seat in here.seats,
            }
            for seat in self.seats
        ]
        return {
            "match": row.id,
            "game": row.game,
            "title": listing["title"],
            "options": dict(row.options),
            "rules": row.digest,
            "status": STATUSES[row.status],
            "visibility": visibility_of(row),
            "seats": seats,
            "seat_colours": listing["colours"],
            "spectators": spectators_of(row),
            "clock": dict(row.clock) if row.clock.get("kind", "none") != "none" else None,
            "chance": "committed" if row.commitment else "system",
            "companion": is_companion(row),
            "hints": hints_of(row),
            "owner": self.is_owner,
            "waiting": any(seat in asked for seat in self.held),
            "made": _date(row.created),
            "changed": _date(listing["changed"]),
            "result": dict(row.result) if row.result else None,
        }


class VisitedMatch(ListedMatch):
    """An open match as one visitor sees it, and what this visitor may do with it."""

    def __init__(self, context: Context, live: LiveMatch, visitor: str, grants: Iterable[Grant]) -> None:
        self.live = live
        own = [grant for grant in grants if grant.match == live.row.id]
        super().__init__(context, live.row, live.seats, visitor, own)

    @property
    def listing(self) -> Mapping[str, Any]:
        """What lists show of the match now."""
        with suppress(DiagnosticError), self.context.service.allowance.running(self.row):
            return self.live.listing
        return super().listing

    def owner_only(self) -> None:
        """Raises `ApiError` for everybody but the owner."""
        if not self.is_owner:
            raise ApiError("not-yours", "only the owner of a match may do that")

    def holder_of(self, seat: int) -> SeatRow:
        """A seat that the visitor holds. Raises `ApiError`."""
        if seat not in self.held:
            raise ApiError("not-yours", "only whoever holds the seat may do that")
        return self.live.seats[seat]

    def seat(self, seat: int) -> SeatRow:
        """A seat of the match. Raises `ApiError`."""
        if not 0 <= seat < len(self.live.seats):
            raise ApiError("not-found", "there is no such seat")
        return self.live.seats[seat]

    def link(self, seat: int) -> str:
        """A link to a seat, as it is now. Raises `ApiError` if it cannot have one."""
        token = self.live.seats[seat].token
        if token is None or self.live.seats[seat].revoked:
            raise ApiError("not-now", "this seat has no link")
        signed = self.context.signer.seat_token(SeatLink(self.live.row.id, seat, token))
        return f"{self.context.config.public_url}/seat/{signed}"


def _date(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")


async def visited(request: Request) -> VisitedMatch:
    """The match of a request, if its visitor may see it. Raises `ApiError`."""
    context: Context = request.app.state.context
    visitor: str = request.state.visitor
    live = await context.service.open(request.path_params["match"])
    found = VisitedMatch(context, live, visitor, await context.grants.of_visitor(visitor))
    if not found.may_see:
        raise ApiError("not-found", UNSEEN)
    return found


# ---- making


async def make(request: Request) -> Response:
    """`POST /api/matches`"""
    context: Context = request.app.state.context
    fields = await fields_of(request)
    game = await context.catalogue.game(fields.text("game"))
    number = fields.whole("seats", 1, MOST_SEATS, game.rules.seats[0])
    kinds = fields.words("players", MOST_SEATS) or ["me", *["open"] * (number - 1)]
    if len(kinds) != number or not all(kind in PLAYERS or kind.startswith(BOT) for kind in kinds):
        known = "`me`, `open`, `invited`, `bot` or `bot:NAME`"
        raise ApiError("malformed", f"`players` must have {known} for each seat")
    options = fields.texts("options")
    context.rates.check("matches", request)
    before = partial(context.rates.check, "documents", request)
    await context.catalogue.compiled(game.id, number, options, before)
    usual = usual_bot(not context.catalogue.is_stranger(game.source))
    table = TableRequest(
        game.source,
        [_seat_request(kind, fields, "me" not in kinds[:seat], usual) for seat, kind in enumerate(kinds)],
        options,
        _clock(fields.inner("clock")),
        fields.one_of("chance", ("system", "committed"), "system") == "committed",
        _set_up(fields, kinds, game.id, payer_of(request)),
    )
    created = await context.service.create(table)
    await hold(context, created, request.state.visitor, [i for i, k in enumerate(kinds) if k == "me"])
    return await made_answer(context, created.id, request.state.visitor)


def _seat_request(kind: str, fields: Fields, first: bool, usual: str) -> SeatRequest:
    """A seat as it was asked for. The visitor's name is that of their first seat; others get theirs later.

    A bot that nobody has named is the one of `bots`, else the usual one.
    """
    match kind:
        case "me":
            return SeatRequest("human", fields.name() if first else "")
        case "open":
            return SeatRequest("open")
        case "invited":
            return SeatRequest("invited")
    return SeatRequest("bot", "", kind.removeprefix(BOT) if kind != "bot" else fields.text("bots", usual, 40))


def _clock(fields: Fields) -> ClockRule:
    kinds = ("none", "move", "match", "days")
    kind = fields.one_of("kind", kinds, "none")
    seconds = fields.whole("seconds", 1, 400 * 86400, 0 if kind == "none" else None) if kind != "none" else 0
    increment = fields.whole("increment", 0, 86400, 0)
    expiry = fields.one_of("expiry", ("forfeit", "absent"), "forfeit")
    return ClockRule(_literal(kind), seconds, increment, "absent" if expiry == "absent" else "forfeit")


def _literal(kind: str) -> Any:
    return kind


def _set_up(fields: Fields, kinds: list[str], game: str, by: Payer) -> dict[str, Any]:
    owner, address = by.accounts
    spectators = fields.inner("spectators")
    visibility = ("open", "invited", "private")
    return {
        "owner": owner,
        "address": address,
        "served": game,
        "visibility": fields.one_of("visibility", visibility, "open" if "open" in kinds else "invited"),
        "companion": fields.flag("companion", False),
        "hints": fields.flag("hints", True),
        "talk": _talk(fields, open_="open" in kinds),
        "spectators": {
            "allowed": spectators.flag("allowed", True),
            "delay": spectators.whole("delay", 0, MOST_DELAY, 0),
        },
    }


def _talk(fields: Fields, open_: bool) -> dict[str, Any]:
    """What may be said; among strangers phrases alone, if nothing else is asked for."""
    talk = fields.inner("talk")
    return {
        "allowed": talk.one_of("allowed", ALLOWED, "phrases" if open_ else "free"),
        "spectators": talk.flag("spectators", False),
    }


async def hold(context: Context, created: CreatedMatch, visitor: str, seats: Iterable[int]) -> None:
    """Make a visitor the holder of seats of a new match."""
    live = await context.service.open(created.id)
    for seat in seats:
        token = live.seats[seat].token
        if token is not None:
            await context.grants.put(Grant(visitor, created.id, seat, token))


async def made_answer(context: Context, match: str, visitor: str) -> Response:
    """The answer for a new match: the match, with the links of invited seats."""
    live = await context.service.open(match)
    found = VisitedMatch(context, live, visitor, await context.grants.of_visitor(visitor))
    invited = [seat.seat for seat in live.seats if seat.kind == "invited"]
    links = [link_json(found, seat) for seat in invited] if found.is_owner else []
    return JSONResponse(found.as_json() | {"links": links}, 201)


def link_json(found: VisitedMatch, seat: int) -> dict[str, Any]:
    """The link of a seat, and where it is as a QR code; null if this server makes none.

    The mark in the address of the code changes with the link, and says nothing of it.
    """
    link = found.link(seat)
    path = f"/api/matches/{found.live.row.id}/seats/{seat}/link.svg?v={token_of(link)[:12]}"
    return {"seat": seat, "link": link, "code": path if seat_codes.available() else None}


# ---- finding


async def listed(request: Request) -> Response:
    """`GET /api/matches`: from rows alone; no match is opened for it."""
    context: Context = request.app.state.context
    visitor: str = request.state.visitor
    own: dict[str, list[Grant]] = {}
    for grant in await context.grants.of_visitor(visitor):
        own.setdefault(grant.match, []).append(grant)
    mine = list(own)[:MOST_LISTED]
    found = await asyncio.to_thread(_rows_for, context.storage, mine)

    with context.service.allowance.share.charging():
        return JSONResponse(_lists(context, visitor, own, found))


def _lists(
    context: Context, visitor: str, own: Mapping[str, Sequence[Grant]], found: _Rows
) -> dict[str, Any]:
    """The matches of a visitor, and those that can be joined and watched."""

    def shown(rows: Iterable[MatchRow], wanted: Callable[[ListedMatch], bool]) -> list[dict[str, Any]]:
        matches = (
            ListedMatch(context, row, found.seats[row.id], visitor, own.get(row.id, ()))
            for row in rows
            if row.seats == len(found.seats[row.id])
        )
        # The order must not tell, either, who has chosen in a `together`.
        latest = sorted(filter(wanted, matches), key=lambda one: (-one.listing["changed"], one.row.id))
        return [one.as_json() for one in latest]

    return {
        "open": shown(found.waiting, _can_join),
        "mine": shown(filter(None, found.mine.values()), lambda one: bool(one.held)),
        "watch": shown(found.running, _can_watch),
        "unreadable": [match for match, row in found.mine.items() if row is None],
    }


@dataclass(frozen=True)
class _Rows:
    """What a list is made from: matches that can be joined and watched, the visitor's, and all seats."""

    waiting: Sequence[MatchRow]
    running: Sequence[MatchRow]
    mine: Mapping[str, MatchRow | None]
    seats: Mapping[str, Sequence[SeatRow]]


def _rows_for(storage: SqlStorage, mine: Sequence[str]) -> _Rows:
    waiting = storage.matches(("waiting",), MOST_LISTED, public=True)
    running = storage.matches(("running",), MOST_LISTED, public=True)
    own = storage.matches_of(mine)
    return _Rows(
        waiting, running, own, storage.seats_of([*{row.id for row in (*waiting, *running)} | {*own}])
    )


def _can_join(found: ListedMatch) -> bool:
    return any(seat.kind == "open" for seat in found.seats)


def _can_watch(found: ListedMatch) -> bool:
    return spectators_of(found.row)["allowed"] and not found.held


async def one(request: Request) -> Response:
    """`GET /api/matches/ID`"""
    return JSONResponse((await visited(request)).as_json())


# ---- after the end


async def rematch(request: Request) -> Response:
    """`POST /api/matches/ID/rematch`: proposes one, agrees to it, or declines it; also at the new match."""
    found, fields = await visited(request), await fields_of(request)
    agree, row = fields.flag("agree", True), found.live.row
    if not found.held:
        raise ApiError("not-yours", "only who has played may ask for a rematch")
    if row.status == "waiting" and "rematch_of" in row.set_up:
        await _answer_rematch(found, row.id, agree)
        return await made_answer(found.context, row.id, found.visitor)
    if row.status not in ENDED:
        raise ApiError("not-now", "the match is not over")
    known = await found.context.service.rematch_of(found.live)
    if known is None and not agree:
        raise ApiError("not-now", "nobody has proposed a rematch")
    if known is None:
        found.context.rates.check("matches", request)
    rematch = await _proposed_rematch(found) if agree else known
    assert rematch is not None
    await _answer_rematch(found, rematch, agree)
    return await made_answer(found.context, rematch, found.visitor)


async def _answer_rematch(found: VisitedMatch, rematch: str, agree: bool) -> None:
    """Answer for the seats of a visitor, if the rematch still waits for them."""
    service, presence = found.context.service, found.context.tables.presence
    live, grants = await service.open(rematch), await found.context.grants.of_visitor(found.visitor)
    seats, row = VisitedMatch(found.context, live, found.visitor, grants).held, live.row
    old = presence.of(str(row.set_up["rematch_of"])).seats
    here = {*presence.of(rematch).seats, *(seat_after(seat, row) for seat in old)}
    await service.answer_rematch(rematch, seats, agree, here)


async def _proposed_rematch(found: VisitedMatch) -> str:
    """The rematch of a match, with the same people at its seats. Returns its id."""
    context, old = found.context, found.live
    created = await context.service.rematch(old.row.id, found.held)
    made = (await context.service.open(created.id)).row
    grants = await context.grants.of_match(old.row.id)
    for grant in grants:
        seat = seat_after(grant.seat, made)
        if valid_grants([grant], grant.visitor, old.seats) and seat in created.secrets:
            # Its first secret: whoever has lost the seat since does not get it back by asking again.
            token = token_of(created.secrets[seat])
            await context.grants.put(replace(grant, match=created.id, seat=seat, token=token))
    await _keep_talk_rule(context, old.row.id, created.id)
    context.service.registry.session(old.row.id).tell(Change(old.row.id, ()))
    return created.id


async def _keep_talk_rule(context: Context, old: str, new: str) -> None:
    """What the owner has allowed since the match was made holds for its rematch, too."""
    rules = [row for row in await context.talk.of_match(old) if row.kind == "rule"]
    if rules and not await context.talk.of_match(new):
        await context.talk.allow(new, rules[-1])


async def log(request: Request) -> Response:
    """`GET /api/matches/ID/log`: all of it after the end, before that what a seat may know."""
    found = await visited(request)
    live = found.live
    if live.row.status in ENDED and live.companion is None:
        text = await found.context.service.export(live.row.id)
        name = f"{live.row.game}-{live.row.id}.log"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/x-ndjson", headers=headers)
    if live.row.status == "waiting":
        raise ApiError("not-now", "the match has not begun")
    viewer = seat_of_query(request)
    if live.companion is not None:
        viewer = -1
    if viewer >= 0:
        found.holder_of(viewer)
    async with found.context.tables.visit(live.row.id) as table:
        with found.context.service.allowance.running(live.row):
            transcript = Transcript(viewer).follow(table.seen_by(viewer))
    return Response(f'{{"entries":[{",".join(transcript.entries)}]}}', media_type="application/json")
