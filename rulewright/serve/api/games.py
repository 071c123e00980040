"""The HTTP API of games: what can be played here, and documents about it."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from rulewright.http.compression import encoded
from rulewright.http.errors import ApiError
from rulewright.serve.access.security import document_policy
from rulewright.serve.api.bodies import MOST_IN_ALL
from rulewright.serve.api.uploads import is_uploaded, opened
from rulewright.serve.context import Context
from rulewright.serve.games.catalogue import Before, card, page
from rulewright.serve.games.documents import style_hashes

IMMUTABLE = "public, max-age=31536000, immutable"
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
MOST_OPTIONS = 200


async def games(request: Request) -> Response:
    """`GET /api/games`"""
    context: Context = request.app.state.context
    return JSONResponse({"games": [card(game) for game in await context.catalogue.games()]})


async def game(request: Request) -> Response:
    """`GET /api/games/GAME`"""
    context: Context = request.app.state.context
    found = await context.catalogue.game(request.path_params["game"])
    if is_uploaded(context.config, found.source):
        await asyncio.to_thread(opened, Path(found.source))
    return JSONResponse(page(found, not context.catalogue.is_stranger(found.source)))


async def game_clauses(request: Request) -> Response:
    """`GET /api/games/GAME/clauses`"""
    context: Context = request.app.state.context
    text = await context.catalogue.clauses(request.path_params["game"], within_limits(request))
    return compressed(request, text.encode(), "application/json", {})


async def picture(request: Request) -> Response:
    """`GET /api/games/GAME/picture.svg`"""
    context: Context = request.app.state.context
    text = await context.catalogue.picture(request.path_params["game"])
    cached = IMMUTABLE if "v" in request.query_params else "no-cache"
    headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": cached}
    return Response(text, media_type="image/svg+xml", headers=headers)


async def rulebook(request: Request) -> Response:
    """`GET /api/games/GAME/rulebook`"""
    context: Context = request.app.state.context
    seats, options = configuration_of(request)
    lang = options.pop("lang", None)
    game, before = request.path_params["game"], within_limits(request)
    text = await context.catalogue.rulebook(game, seats, options, lang, before)
    headers = {"Content-Security-Policy": document_policy(style_hashes(text)), "Cache-Control": "no-cache"}
    return compressed(request, text.encode(), "text/html; charset=utf-8", headers)


async def description_of_game(request: Request) -> Response:
    """`GET /api/games/GAME/description`"""
    context: Context = request.app.state.context
    seats, options = configuration_of(request)
    game, before = request.path_params["game"], within_limits(request)
    compiled = await context.catalogue.compiled(game, seats, options, before)
    found = await context.catalogue.description(compiled)
    return RedirectResponse(f"/api/descriptions/{found.hash}", 303)


async def description(request: Request) -> Response:
    """`GET /api/descriptions/HASH`; another process may have made it, then `match` says of what."""
    context: Context = request.app.state.context
    hash = request.path_params["hash"]
    found = context.catalogue.described(hash)
    if found is None and "match" in request.query_params:
        live = await context.service.open(request.query_params["match"])
        found = await context.catalogue.description(live.match.game)
    if found is None or found.hash != hash:
        raise ApiError("not-found", "there is no such description")
    return compressed(request, found.data, "application/json", {"Cache-Control": IMMUTABLE})


def within_limits(request: Request) -> Before:
    """What counts a document that has to be made for a request. It raises `ApiError` if it is too many."""
    context: Context = request.app.state.context
    return partial(context.rates.check, "documents", request)


def configuration_of(request: Request) -> tuple[int | None, dict[str, str]]:
    """Seats and options in the query of a request. Raises `ApiError`."""
    options: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if len(name) > 100 or len(value) > MOST_IN_ALL or len(options) > MOST_OPTIONS:
            raise ApiError("malformed", "the query is too long")
        options[name] = value
    seats = options.pop("seats", None)
    if seats is not None and not (seats.isascii() and seats.isdigit() and len(seats) < 4):
        raise ApiError("malformed", "`seats` must be a number")
    return (int(seats) if seats is not None else None), options


def compressed(request: Request, data: bytes, kind: str, headers: dict[str, Any]) -> Response:
    """An answer without secrets, compressed if the browser understands that."""
    headers["Vary"] = "Accept-Encoding"
    data, coding = encoded(data, request.headers.get("accept-encoding", ""))
    if coding is not None:
        headers["Content-Encoding"] = coding
    return Response(data, media_type=kind, headers=headers)
