"""Errors of the HTTP API, and how mistakes of rulesets and requests become answers."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dsl.diagnostics import Diagnostic, Report
from dsl.render import as_json
from interpreter.messages import NotOffered
from rulewright.http.errors import STATUS, ApiError
from rulewright.serve.messages import (
    BadTable,
    BrokenMatch,
    NoSuchMatch,
    NotKept,
    NotNow,
    SeatTaken,
    Stale,
    TooCostly,
)
from rulewright.serve.plain_pages import error_page, wants_page

GOES_DOWN = "the server goes down; try again in a moment"
UNSEEN = "there is no such match, or it may not be seen"


async def answer_error(request: Request, error: Exception) -> Response:
    """The answer for an `ApiError`: JSON, or a page for somebody who looks at it."""
    assert isinstance(error, ApiError)
    status = STATUS[error.code]
    if wants_page(request):
        found = error_page(request, error.code, status)
        found.headers.update(error.headers)
        return found
    body = {"code": error.code, "text": error.text, "diagnostics": error.diagnostics}
    return JSONResponse({"error": body}, status, error.headers)


def of_diagnostics(found: list[Diagnostic]) -> ApiError:
    """The error for mistakes: of a match by what they are, all others mean that a game is not playable."""
    first = found[0]
    match first:
        case NoSuchMatch():
            return ApiError("not-found", UNSEEN)
        case SeatTaken():
            return ApiError("taken", first.message)
        case NotNow() | Stale() | NotOffered():
            return ApiError("not-now", first.message)
        case BadTable():
            return ApiError("malformed", first.message)
        case NotKept():
            return ApiError("not-available", first.message)
        case TooCostly():
            return ApiError("too-costly", first.message)
        case BrokenMatch():
            return ApiError("not-now", first.message)
    return ApiError("not-playable", first.message, json.loads(as_json(Report(found))))
