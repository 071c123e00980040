"""Errors of the HTTP API, and how mistakes of rulesets and requests become answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dsl.diagnostics import Diagnostic, Report
from dsl.render import as_json
from interpreter.messages import NotOffered
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
STATUS = {
    "malformed": 400,
    "other-origin": 403,
    "not-yours": 403,
    "not-allowed": 403,
    "not-found": 404,
    "taken": 409,
    "not-now": 409,
    "too-large": 413,
    "not-playable": 422,
    "too-many": 429,
    "failed": 500,
    "too-costly": 503,
    "not-available": 503,
}
"""The HTTP status of each code."""
UNSEEN = "there is no such match, or it may not be seen"


@dataclass
class ApiError(Exception):
    """A request that is not carried out: a code of `STATUS`, and a text for people."""

    code: str
    text: str
    diagnostics: list[dict[str, Any]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)


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
