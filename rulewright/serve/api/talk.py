"""Talk at a table: what its players say over their sockets, and what its owner allows."""

from __future__ import annotations

import time
from typing import Any, assert_never

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dsl.diagnostics import DiagnosticError
from rulewright.http.errors import ApiError
from rulewright.serve.api import client_messages as rq
from rulewright.serve.api.bodies import fields_of
from rulewright.serve.api.matches import visited
from rulewright.serve.context import Context
from rulewright.serve.store.storage import Conflict, StoreFailed
from rulewright.serve.store.talk_rows import TalkRow, TooMuchSaid
from rulewright.serve.tables.open_tables import Connection, OpenTable
from rulewright.serve.tables.projection import encoded
from rulewright.serve.tables.talk import (
    ALLOWED,
    LONGEST_TEXT,
    MARKS,
    PHRASES,
    Talk,
    TalkRule,
    cleaned,
    step_mark,
)

TalkRequest = rq.Say | rq.PutMark


class _NotSaid(Exception):
    """Why something is not said: a code, and a text."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


async def talked(context: Context, table: OpenTable, connection: Connection, request: TalkRequest) -> str:
    """Say something, or mark a moment. Returns the answer as JSON: `ack` or `refused`."""
    try:
        await _talk(context, table, connection, request)
    except _NotSaid as stop:
        return _refused(request.id, stop.code, str(stop))
    except TooMuchSaid:
        return _refused(request.id, "marked-enough", "the match has as many marks as it may have")
    except Conflict:
        return _refused(request.id, "not-now", "there is no such match any more")
    except StoreFailed:
        return _refused(request.id, "not-kept", "the change could not be kept")
    except DiagnosticError as error:
        return _refused(request.id, error.diagnostic.slug, error.diagnostic.message)
    return encoded({"type": "ack", "id": request.id, "version": connection.seen.version})


def _refused(id: str, code: str, text: str) -> str:
    return encoded({"type": "refused", "id": id, "code": code, "text": text, "refusal": None})


async def _talk(context: Context, table: OpenTable, connection: Connection, request: TalkRequest) -> None:
    match, seat = table.live.row.id, connection.viewer
    if seat < 0:
        raise _NotSaid("spectator", "spectators only look")
    match request:
        case rq.Say():
            row = _row_of(table, seat, request)
            _check_rate(context, match, seat)
            await context.talk.say(match, row, f"{seat}:{request.id}")
        case rq.PutMark():
            row = _mark_of(table, seat, request)
            _check_rate(context, match, seat)
            await context.talk.mark(match, row, request.on)
        case _:
            assert_never(request)
    await table.read_talk()


def _check_rate(context: Context, match: str, seat: int) -> None:
    if not context.rates.allows("talk", f"{match} {seat}"):
        raise _NotSaid("said-enough", "that is more than one may say at once")


def _row_of(table: OpenTable, seat: int, request: rq.Say) -> TalkRow:
    """What is to be kept of a phrase or a text. Raises `_NotSaid`."""
    kind, text = "phrase" if request.phrase is not None else "text", request.phrase
    if text is None:
        text = cleaned(request.text)
        if not 0 < len(text) <= LONGEST_TEXT:
            raise _NotSaid("malformed", f"a text has 1 to {LONGEST_TEXT} characters")
    elif text not in PHRASES:
        raise _NotSaid("malformed", "there is no such phrase")
    _check_rule(table.talk, kind)
    return _row(table, seat, kind, text, len(table.live.match.steps))


def _mark_of(table: OpenTable, seat: int, request: rq.PutMark) -> TalkRow:
    """What is to be kept of a mark. Raises `_NotSaid`, and `DiagnosticError` with `TooCostly`."""
    if request.mark not in MARKS:
        raise _NotSaid("malformed", "there is no such mark")
    _check_rule(table.talk, "mark")
    transcript = table.transcript(seat)
    if transcript is None or request.seq > len(transcript.told):
        raise _NotSaid("not-now", "there is no such entry")
    step = transcript.told[request.seq - 1]
    return _row(table, seat, "mark", request.mark, step, step_mark(transcript.steps[step]))


def _check_rule(talk: Talk, kind: str) -> None:
    if not talk.rule.allows(kind):
        raise _NotSaid("not-allowed", "the owner of the match does not allow it")


def _row(table: OpenTable, seat: int, kind: Any, text: str, step: int, of_step: str = "") -> TalkRow:
    return TalkRow(kind, _now(), seat, table.live.seats[seat].name, text, step, of_step)


def _now() -> int:
    return time.time_ns() // 1_000_000


async def allow(request: Request) -> Response:
    """`POST /api/matches/ID/talk`: what the owner allows from now on."""
    found, fields = await visited(request), await fields_of(request)
    found.owner_only()
    context, match = found.context, found.live.row.id
    async with context.tables.visit(match) as table:
        now = table.talk.rule
        rule = TalkRule(
            fields.one_of("allowed", ALLOWED, now.allowed), fields.flag("spectators", now.spectators)
        )
        try:
            await context.talk.allow(match, TalkRow("rule", _now(), None, "", encoded(rule.as_json()), 0))
        except Conflict:
            raise ApiError("not-found", "there is no such match any more") from None
        await table.read_talk()
    return JSONResponse(rule.as_json())
