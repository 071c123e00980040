"""The HTTP API of seats: joining and leaving, names, bots, and the links that open seats."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from dsl.diagnostics import DiagnosticError, ErrorsReported
from interpreter.bots.names import usual_bot
from interpreter.messages import Fault
from rulewright.http.errors import ApiError
from rulewright.serve import seat_codes
from rulewright.serve.api.bodies import fields_of
from rulewright.serve.api.matches import VisitedMatch, link_json, one, visited
from rulewright.serve.context import Context
from rulewright.serve.games.catalogue import MOST_SEATS
from rulewright.serve.matches.creating import token_of
from rulewright.serve.store.grants import Grant, valid_grants
from rulewright.serve.store.storage import SeatRow
from rulewright.serve.tables.match_settings import visibility_of

PICTURE_POLICY = "default-src 'none'"


async def join(request: Request) -> Response:
    """`POST /api/matches/ID/join`"""
    found, fields = await visited(request), await fields_of(request)
    free = [*found.invited, *(seat.seat for seat in found.live.seats if seat.kind == "open")]
    if fields.has("seat"):
        number = found.seat(fields.whole("seat", 0, MOST_SEATS)).seat
    elif free:
        number = free[0]
    else:
        raise ApiError("taken", "there is no free seat")
    if number not in free:
        raise ApiError("taken", "this seat is not free")
    context, match = found.context, found.live.row.id
    token = await take(context, found.live.seats[number], fields.name())
    await context.grants.put(Grant(found.visitor, match, number, token))
    return await one(request)


async def take(context: Context, seat: SeatRow, name: str) -> str:
    """Take a seat that is free. Returns the hash of its secret. Raises `DiagnosticError` if it is taken."""
    return token_of(await context.service.seating.take_seat(seat.match, seat.seat, name, token=seat.token))


async def leave(request: Request) -> Response:
    """`POST /api/matches/ID/leave`"""
    found, fields = await visited(request), await fields_of(request)
    seat = found.holder_of(fields.whole("seat", 0, MOST_SEATS))
    context, match = found.context, found.live.row.id
    if found.live.row.status == "waiting":
        open_ = visibility_of(found.live.row) == "open"
        await context.service.seating.free_seat(match, seat.seat, "open" if open_ else "invited")
    else:
        await context.service.seating.revoke(match, seat.seat)
    await context.grants.remove(found.visitor, match, seat.seat)
    await context.notices.forget(match, seat.seat)
    await context.playtests.erase(match, seat.seat)
    live = await context.service.open(match)
    left = VisitedMatch(context, live, found.visitor, await context.grants.of_visitor(found.visitor))
    return JSONResponse(left.as_json())


async def close(request: Request) -> Response:
    """`POST /api/matches/ID/close`"""
    found = await visited(request)
    await fields_of(request)
    found.owner_only()
    await found.context.service.seating.close_match(found.live.row.id)
    return Response(status_code=204)


async def dismiss(request: Request) -> Response:
    """`POST /api/matches/ID/dismiss`: ends a match without other people, and takes it off one's list."""
    found = await visited(request)
    await fields_of(request)
    context, match, status = found.context, found.live.row.id, found.live.row.status
    if not found.held or any(seat.kind != "bot" and seat.seat not in found.held for seat in found.live.seats):
        raise ApiError("not-yours", "only who plays alone may dismiss a match")
    if status == "waiting":
        found.owner_only()
        await context.service.seating.close_match(match)
    elif status == "running":
        first, *others = found.held
        proposed = (await context.service.propose(match, first, "dismissed", "abandon", {})).proposal
        if proposed is not None:
            for seat in others:
                await context.service.answer(match, seat, "dismissed", proposed, True)
    for seat in found.held:
        await context.grants.remove(found.visitor, match, seat)
        await context.notices.forget(match, seat)
    return Response(status_code=204)


async def seat_bot(request: Request) -> Response:
    """`POST /api/matches/ID/seats/N/bot`"""
    found, fields = await visited(request), await fields_of(request)
    found.owner_only()
    seat = found.seat(request.path_params["seat"])
    context, match = found.context, found.live.row.id
    if fields.has("bot"):
        grants = await context.grants.of_match(match)
        held = [h for h in grants if h.seat == seat.seat and h.token == seat.token]
        if seat.kind == "human" and held and seat.seat not in found.held:
            raise ApiError("not-yours", "somebody holds this seat; its links can be revoked first")
        usual = usual_bot(not context.catalogue.is_stranger(found.live.row.source))
        name = usual if fields.found["bot"] is True else fields.text("bot", most=40)
        await context.service.seating.seat_bot(match, seat.seat, name)
        await context.notices.forget(match, seat.seat)
        await context.playtests.erase(match, seat.seat)
    else:
        if seat.kind != "bot":
            raise ApiError("not-now", "no bot plays this seat")
        await context.service.seating.free_seat(match, seat.seat, "invited")
    return await one(request)


async def rename(request: Request) -> Response:
    """`POST /api/matches/ID/name`"""
    found, fields = await visited(request), await fields_of(request)
    seat = found.holder_of(fields.whole("seat", 0, MOST_SEATS))
    await found.context.service.seating.rename(found.live.row.id, seat.seat, fields.name())
    return await one(request)


def linkable(found: VisitedMatch, number: int) -> SeatRow:
    """A seat whose link the visitor may have. Raises `ApiError`."""
    seat = found.seat(number)
    if seat.seat not in found.held:
        found.owner_only()
        if seat.kind == "human":
            # Nobody would notice a second holder, who sees the same cards.
            raise ApiError("not-yours", "somebody has taken this seat; its links can be revoked first")
    return seat


async def make_link(request: Request) -> Response:
    """`POST /api/matches/ID/seats/N/link`"""
    found = await visited(request)
    await fields_of(request)
    seat = linkable(found, request.path_params["seat"])
    return JSONResponse(link_json(found, seat.seat))


async def link_code(request: Request) -> Response:
    """`GET /api/matches/ID/seats/N/link.svg`: the link of a seat as a QR code, for whoever may have it."""
    found = await visited(request)
    seat = linkable(found, request.path_params["seat"])
    if not seat_codes.available():
        raise ApiError("not-available", seat_codes.MISSING)
    picture = seat_codes.code_of(found.link(seat.seat))
    return Response(picture, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})


async def revoke_link(request: Request) -> Response:
    """`DELETE /api/matches/ID/seats/N/link`"""
    found = await visited(request)
    found.owner_only()
    seat = found.seat(request.path_params["seat"]).seat
    await found.context.service.seating.revoke(found.live.row.id, seat)
    await found.context.playtests.erase(found.live.row.id, seat)
    renewed = await visited(request)
    if seat in found.held:
        token = renewed.live.seats[seat].token
        assert token is not None
        await found.context.grants.put(Grant(found.visitor, found.live.row.id, seat, token))
    else:
        await found.context.notices.forget(found.live.row.id, seat)
    table = found.context.tables.known(found.live.row.id)
    if table is not None:
        table.refresh()
    return JSONResponse(link_json(renewed, seat))


async def open_link(request: Request) -> Response:
    """`GET /seat/TOKEN`: keeps what the link gives, and leads away from its address."""
    context: Context = request.app.state.context
    context.rates.check("changes", request)
    link = context.signer.seat_link(request.path_params["token"])
    live = None
    if link is not None:
        try:
            live = await context.service.open(link.match)
        except (DiagnosticError, ErrorsReported, Fault):
            live = None
    grant = Grant(request.state.visitor, link.match, link.seat, link.token) if link is not None else None
    if live is None or grant is None or not valid_grants([grant], grant.visitor, live.seats):
        return RedirectResponse("/?lost=seat", 303)
    await context.grants.put(grant)
    return RedirectResponse(f"/match/{grant.match}?seat={grant.seat}", 303)
