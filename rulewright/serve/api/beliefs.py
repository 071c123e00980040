"""The HTTP API of beliefs: what somebody at a table could know of what is hidden, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from interpreter.beliefs.seat_log import SeatLog
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import entries
from interpreter.views import REFEREE, SPECTATOR
from rulewright.serve.api.bodies import seat_of_query
from rulewright.serve.api.matches import VisitedMatch, visited
from rulewright.serve.errors import ApiError
from rulewright.serve.tables.open_tables import ENDED


async def shown(request: Request) -> Response:
    """`GET /api/matches/ID/beliefs?seq=N&seat=S&by=V`: of any seat after the end, of a spectator before it.

    `seq` counts the entries that the viewer `by` has been told: without it, those of the seat.

    Before the end nobody who holds a seat is told: it follows from what all seats have been told, but it
    would think for them.
    """
    found = await visited(request)
    viewer = seat_of_query(request)
    by = _number(request, "by", str(viewer))
    _check(found, viewer, by)
    past = await _past(found, by, _number(request, "seq"))
    context, row = found.context, found.live.row
    try:
        with context.service.allowance.running(row):
            log = SeatLog.of(past, viewer)
    except Fault as fault:
        return JSONResponse({"failed": fault.diagnostic.code})
    answer = await context.beliefs.of(row, log, partial(context.rates.check, "documents", request))
    if "failed" not in answer:
        answer = {**answer, "places": _places(past, answer["hidden"])}
        if row.status in ENDED:
            answer["true"] = dict(_true(past, answer["hidden"]))
    return JSONResponse(answer)


def _check(found: VisitedMatch, viewer: int, by: int) -> None:
    """Raises `ApiError` if the visitor may not know what a viewer could know."""
    live = found.live
    if live.companion is not None or live.row.status == "waiting":
        raise ApiError("not-now", "this match has no beliefs")
    if viewer >= live.row.seats or not REFEREE <= by < live.row.seats:
        raise ApiError("malformed", "there is no such seat")
    if live.row.status not in ENDED and (viewer != SPECTATOR or by != SPECTATOR or found.held):
        raise ApiError("not-now", "who plays is told after the end what could be known")


def _number(request: Request, name: str, otherwise: str = "") -> int:
    text = request.query_params.get(name, otherwise)
    if not re.fullmatch(r"-?[0-9]{1,7}", text):
        raise ApiError("malformed", f"`{name}` must be a whole number")
    return int(text)


async def _past(found: VisitedMatch, viewer: int, seq: int) -> Match:
    """The match after an entry of a viewer; for spectators at most as far as they may see it."""
    context, live = found.context, found.live
    table = await context.tables.open(live.row.id)
    try:
        with context.service.allowance.running(live.row):
            told = entries(table.seen_by(viewer), viewer)
        if not 0 <= seq <= len(told):
            raise ApiError("malformed", "there is no such entry")
        return await table.replay.whole(table.live, told[seq - 1].step if seq else 0)
    finally:
        table.leave_if_empty()


def _places(past: Match, hidden: Iterable[str]) -> dict[str, int]:
    """The numbers of the places among what is hidden, by their addresses."""
    mc, names = past.game.machine, past.game.names
    wanted = set(hidden)
    return {address: i for i in range(len(mc.places)) if (address := names.place(i)) in wanted}


def _true(past: Match, hidden: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What was really at the places and in the values that a viewer did not see; for after the end."""
    view = past.view(REFEREE)
    words = {**view.counters, **{k: str(v).lower() for k, v in view.marks.items()}, **view.pointers}
    for address in hidden:
        pieces = view.zones.get(address)
        if isinstance(pieces, list):
            yield address, sorted(set(pieces))
        elif address in words:
            yield address, [str(words[address])]
