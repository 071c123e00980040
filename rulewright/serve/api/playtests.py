"""The HTTP API of playtests: who agrees to be recorded, marks and answers, and how all is deleted."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rulewright.http.errors import ApiError
from rulewright.matches.playtests import LONGEST_COMMENT
from rulewright.serve.api.bodies import Fields, fields_of
from rulewright.serve.api.matches import VisitedMatch, visited
from rulewright.serve.config import PlaytestConfig
from rulewright.serve.games.catalogue import MOST_SEATS
from rulewright.serve.playtests import agreed, first_word_before, row_behind
from rulewright.serve.store.storage import Conflict
from rulewright.serve.tables.match_settings import ENDED
from rulewright.serve.tables.talk import cleaned

ACTS = ("agree", "withdraw", "delete", "mark", "answer")


async def shown(request: Request) -> Response:
    """`GET /api/matches/ID/playtest`: what is kept of the visitor's own seats."""
    found = await visited(request)
    return JSONResponse(await _shown(found, _config(found)))


async def changed(request: Request) -> Response:
    """`POST /api/matches/ID/playtest`: agree or not, mark a moment, answer a question, delete all."""
    found, fields = await visited(request), await fields_of(request)
    config, playtests = _config(found), found.context.playtests
    match, act = found.live.row.id, fields.one_of("do", ACTS, "")
    try:
        if act == "delete":
            found.owner_only()
            await playtests.erase(match, None)
        else:
            seat = found.holder_of(fields.whole("seat", 0, MOST_SEATS)).seat
            await _carry_out(found, config, fields, act, seat)
    except Conflict:
        raise ApiError("not-found", "there is no such match any more") from None
    if found.live.row.status in ENDED and act in ("agree", "mark", "answer"):
        await playtests.keep(match)
    return JSONResponse(await _shown(found, config))


async def _carry_out(
    found: VisitedMatch, config: PlaytestConfig, fields: Fields, act: str, seat: int
) -> None:
    playtests, live = found.context.playtests, found.live
    match act:
        case "agree":
            token = live.seats[seat].token
            assert token is not None
            await playtests.rows.agree(live.row.id, seat, token, found.context.service.registry.now())
        case "withdraw":
            await playtests.erase(live.row.id, seat)
        case "mark":
            entry = fields.whole("entry", 0, 10**9)
            async with found.context.tables.visit(live.row.id) as table:
                transcript = table.transcript(seat)
                if transcript is None or entry > len(transcript.told):
                    raise ApiError("not-now", "there is no such entry")
                step = transcript.told[entry - 1] if entry else 0
            data = {"of": entry, "text": _comment(fields), "choice": first_word_before(live, step)}
            data |= {"row": row_behind(live, step)}
            await _note(found, seat, "mark", data)
        case _:
            question = fields.whole("question", 0, max(0, len(config.questions) - 1))
            if live.row.status not in ENDED:
                raise ApiError("not-now", "questions are answered after the end")
            asked = config.questions[question] if config.questions else ""
            await _note(found, seat, "answer", {"of": question, "text": _comment(fields), "asked": asked})


async def _note(found: VisitedMatch, seat: int, kind: Any, data: dict[str, Any]) -> None:
    if not await found.context.playtests.note(found.live, seat, kind, data, instead=True):
        raise ApiError("not-now", "the seat has not agreed to be recorded, or has said enough")


def _comment(fields: Fields) -> str:
    return cleaned(fields.text("text", "", LONGEST_COMMENT))


def _config(found: VisitedMatch) -> PlaytestConfig:
    """Raises `ApiError` if the match is no playtest."""
    config = found.context.playtests.config
    if config is None or found.live.companion is not None:
        raise ApiError("not-found", "the match is no playtest")
    return config


async def _shown(found: VisitedMatch, config: PlaytestConfig) -> dict[str, Any]:
    rows = await found.context.playtests.rows.of_match(found.live.row.id)
    own = [row for row in rows if row.seat in found.held]
    seats = agreed(found.live, own)
    return {
        "questions": list(config.questions),
        "agreed": sorted(seats),
        "kept": [
            {"seat": row.seat, "kind": row.kind, "of": row.data["of"], "text": row.data["text"]}
            for row in own
            if row.seat in seats and row.kind in ("mark", "answer")
        ],
    }
