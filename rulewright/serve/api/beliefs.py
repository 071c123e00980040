"""The HTTP API of beliefs: what somebody at a table could know of what is hidden, entry by entry."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Iterable, Iterator
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from interpreter.beliefs.seat_log import SeatLog
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import entries
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.http.errors import ApiError
from rulewright.serve.access.rates import address
from rulewright.serve.api.bodies import seat_of_query
from rulewright.serve.api.matches import VisitedMatch, visited
from rulewright.serve.tables.match_settings import ENDED

LOOKED_AFTER = 0.5
"""Seconds after which it is looked whether somebody still waits."""


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
    seq = _number(request, "seq")
    live, beliefs = found.live, found.context.beliefs
    asked = (live.row.id, live.row.archive, live.row.status, live.version(by), viewer, by, seq)
    answer = beliefs.kept(asked)
    if answer is None:
        found.context.rates.check("documents", request)
        working = beliefs.in_turn(asked, address(request), partial(_answered, found, viewer, by, seq))
        answer = await _while_connected(request, working)
    return JSONResponse(answer)


async def _answered(found: VisitedMatch, viewer: int, by: int, seq: int) -> dict[str, Any]:
    """What a viewer could know after an entry of another one."""
    past = await _past(found, by, seq)
    context, row = found.context, found.live.row
    try:
        with context.service.allowance.running(row):
            log = SeatLog.of(past, viewer)
    except Fault as fault:
        return {"failed": fault.diagnostic.code}
    answer = await context.beliefs.of(row, log)
    if "failed" not in answer:
        answer = {**answer, "places": _places(past, answer["hidden"])}
        if row.status in ENDED:
            answer["true"] = dict(_true(past, answer["hidden"]))
    return answer


async def _while_connected(request: Request, work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
    """The result of some work, which is given up when nobody waits for it any more."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOKED_AFTER))[0]:
            if await request.is_disconnected():
                raise ApiError("not-available", "nobody waits for it any more")
        return task.result()
    finally:
        task.cancel()
        await asyncio.wait({task})


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
    async with context.tables.visit(live.row.id) as table:
        with context.service.allowance.running(live.row):
            told = entries(table.seen_by(viewer), viewer)
        if not 0 <= seq <= len(told):
            raise ApiError("malformed", "there is no such entry")
        return await table.replay.whole(table.live, told[seq - 1].step if seq else 0)


def _places(past: Match, hidden: Iterable[str]) -> dict[str, int]:
    """The numbers of the places among what is hidden, by their addresses."""
    mc, names = past.game.machine, past.game.names
    wanted = set(hidden)
    return {name: i for i in range(len(mc.places)) if (name := names.place(i)) in wanted}


def _true(past: Match, hidden: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What was really at the places and in the values that a viewer did not see; for after the end."""
    view = past.view(REFEREE)
    words = {**view.counters, **{k: str(v).lower() for k, v in view.marks.items()}, **view.pointers}
    for name in hidden:
        pieces = view.zones.get(name)
        if isinstance(pieces, list):
            yield name, sorted(set(pieces))
        elif name in words:
            yield name, [str(words[name])]
