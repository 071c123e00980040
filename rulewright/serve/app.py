"""The application: its routes, its protection, and its life from start to end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from dsl.diagnostics import DiagnosticError
from interpreter.messages import Fault
from rulewright.bundling.messages import message_files
from rulewright.bundling.page_files import page_files
from rulewright.http.errors import STATUS, ApiError
from rulewright.http.static import StaticFiles
from rulewright.serve.access.rates import Rates
from rulewright.serve.access.security import Guard
from rulewright.serve.access.visitors import KnownVisitors, Signer
from rulewright.serve.api import beliefs, games, hints, matches, notices, playtests, seats, talk as talk_api
from rulewright.serve.api.client_messages import PROTOCOL
from rulewright.serve.api.sockets import GOING_DOWN, socket
from rulewright.serve.api.uploads import is_uploaded, kept_uploads, upload
from rulewright.serve.config import MOST_UPLOAD, ServeConfig
from rulewright.serve.context import Context
from rulewright.serve.errors import answer_error
from rulewright.serve.forgetting import forget_daily
from rulewright.serve.games.catalogue import Catalogue
from rulewright.serve.health import Health
from rulewright.serve.matches.beliefs import TableBeliefs
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.service import MatchService
from rulewright.serve.notices.notifier import Notifier, Timing
from rulewright.serve.plain_pages import error_page, language_of, wants_page
from rulewright.serve.playtests import Playtests
from rulewright.serve.store.grants import Grants
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import StoreFailed
from rulewright.serve.store.talk_rows import TALKED, TalkRows
from rulewright.serve.tables.registry import Tables

LOG = logging.getLogger(__name__)
AT_ONCE = 100
"""Matches of an older store that are looked for at once."""
PAGES = ("/", "/new", "/about", "/game/{game}", "/match/{match}")
"""Paths of the page; its script reads them."""


def make_app(
    config: ServeConfig,
    storage: SqlStorage,
    service: MatchService | None = None,
    timing: Timing | None = None,
) -> Starlette:
    """The application over a store."""
    context = make_context(config, storage, service or MatchService(storage), timing)
    middleware = [
        Middleware(Guard, config=config),
        Middleware(KnownVisitors, config=config, signer=context.signer),
    ]
    app = Starlette(
        routes=_routes(),
        middleware=middleware,
        exception_handlers={
            ApiError: _refused,
            StoreFailed: _store_failed,
            404: _not_found,
            Exception: _failed,
        },
        lifespan=_lifespan(context),
    )
    app.state.context = context
    app.state.files = StaticFiles(made=message_files() | ({} if config.modules else page_files()))
    return app


def make_context(
    config: ServeConfig, storage: SqlStorage, service: MatchService, timing: Timing | None = None
) -> Context:
    """What all requests share."""
    sources = {**config.sources, **kept_uploads(config)}
    service.allowance.is_stranger = partial(is_uploaded, config)
    share = service.allowance.share
    catalogue = Catalogue(sources, service.games, service.allowance.is_stranger, share)

    async def describe(live: LiveMatch) -> str:
        return (await catalogue.description(live.match.game)).hash

    talk = TalkRows(storage)
    tables = Tables(service, describe, storage.post, talk.of_match)
    grants, rates = Grants(storage), Rates(config.limits)
    signer = Signer(config.secret)
    return Context(
        config,
        storage,
        service,
        catalogue,
        grants,
        tables,
        rates,
        signer,
        Notifier(
            config,
            storage,
            service,
            tables,
            grants,
            signer,
            rates,
            timing or Timing(),
            storage.listener is None,
        ),
        TableBeliefs(storage, share),
        Health(storage),
        talk,
        Playtests(config.playtest, storage, service),
    )


def _routes() -> list[BaseRoute]:
    def api(path: str, handler: matches.Handler, method: str = "GET") -> Route:
        return Route(f"/api{path}", matches.answered(handler), methods=[method])

    match, seat = "/matches/{match}", "/matches/{match}/seats/{seat:int}"
    return [
        *(Route(path, shell) for path in PAGES),
        Route("/web/{path:path}", file),
        Route("/seat/{token}", seats.open_link),
        Route("/notices/stop/{token}", notices.asked_to_stop),
        Route("/notices/stop/{token}", notices.stopped, methods=["POST"]),
        Route("/health", health),
        api("/server", server),
        api("/games", games.games),
        api("/games", upload, "POST"),
        api("/games/{game}", games.game),
        api("/games/{game}/picture.svg", games.picture),
        api("/games/{game}/rulebook", games.rulebook),
        api("/games/{game}/clauses", games.game_clauses),
        api("/games/{game}/description", games.description_of_game),
        api("/descriptions/{hash}", games.description),
        api("/matches", matches.listed),
        api("/matches", matches.make, "POST"),
        api(match, matches.one),
        api(f"{match}/join", seats.join, "POST"),
        api(f"{match}/leave", seats.leave, "POST"),
        api(f"{match}/name", seats.rename, "POST"),
        api(f"{match}/rematch", matches.rematch, "POST"),
        api(f"{match}/log", matches.log),
        api(f"{match}/talk", talk_api.allow, "POST"),
        api(f"{match}/playtest", playtests.shown),
        api(f"{match}/playtest", playtests.changed, "POST"),
        api(f"{match}/beliefs", beliefs.shown),
        api(f"{match}/hint", hints.asked, "POST"),
        api(f"{match}/close", seats.close, "POST"),
        api(f"{match}/dismiss", seats.dismiss, "POST"),
        api(f"{seat}/bot", seats.seat_bot, "POST"),
        api(f"{match}/notices", notices.shown),
        api(f"{match}/notices", notices.chosen, "POST"),
        api(f"{seat}/link", seats.make_link, "POST"),
        api(f"{seat}/link", seats.revoke_link, "DELETE"),
        api(f"{seat}/link.svg", seats.link_code),
        WebSocketRoute("/api/matches/{match}/socket", socket),
    ]


def _lifespan(context: Context) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await context.service.start(alone=context.storage.listener is None)
        hear_of_others(context)
        context.notices.start()
        context.playtests.start()
        beside = [
            asyncio.create_task(read_games(context)),
            asyncio.create_task(forget_daily(context)),
        ]
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await close_sockets(context)
            await context.tables.presence.close()
            await context.notices.close()
            await context.playtests.close()
            context.catalogue.close()
            await context.service.close()

    return lifespan


async def read_games(context: Context) -> None:
    """Read all games, and move matches to them whose rules have changed without changing the match."""
    await context.catalogue.games()
    await fill_lists(context)
    for match, why in (await context.service.migrate_all()).items():
        LOG.warning("match %s stays on its own rules: %s", match, why)


async def fill_lists(context: Context) -> None:
    """Keep what lists show with the matches of an older store, opening one after the other."""
    since = ""
    while ids := await asyncio.to_thread(context.storage.unlisted, since, AT_ONCE):
        since = ids[-1]
        for match in ids:
            with suppress(DiagnosticError, StoreFailed, Fault):
                live = await context.service.open(match)
                with context.service.allowance.running(live.row):
                    listing = live.listing
                await asyncio.wrap_future(context.storage.put_listed(match, listing))


def hear_of_others(context: Context) -> None:
    """Tell other processes who is at which match, and hear it of them."""
    loop, presence = asyncio.get_running_loop(), context.tables.presence

    def hear(text: str) -> None:
        if not text or text.startswith(TALKED):
            context.tables.talked(text.removeprefix(TALKED))
        if not text.startswith(TALKED):
            presence.hear(text)

    def heard(text: str) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(hear, text)

    if context.storage.listener is not None:
        context.storage.hear(heard)
        presence.start()


async def close_sockets(context: Context) -> None:
    """Tell all sockets that the server goes down, and wait until they are closed."""
    for open_socket in list(context.sockets):
        open_socket.end(GOING_DOWN, "going-down")
    for _ in range(100):
        if not context.sockets:
            return
        await asyncio.sleep(0.02)


# ---- pages


async def shell(request: Request) -> Response:
    """The page: the same for all of its paths. Its words are asked for with it, in the browser's language."""
    files: StaticFiles = request.app.state.files
    answer = files.answer("index.html", request)
    words = f"/web/locales/{language_of(request)}.json"
    answer.headers["Link"] = f"<{words}>; rel=preload; as=fetch; crossorigin"
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language"
    return answer


async def file(request: Request) -> Response:
    """A file of the page."""
    files: StaticFiles = request.app.state.files
    return files.answer(request.path_params["path"], request)


async def server(request: Request) -> Response:
    """`GET /api/server`"""
    config = request.app.state.context.config
    notices = [*(["webhook"] if config.webhooks else []), *(["mail"] if config.mail else [])]
    return JSONResponse(
        {
            "protocol": PROTOCOL,
            "version": own_version(),
            "public_url": config.public_url,
            "uploads": config.uploads,
            "notices": notices,
            "most_upload": MOST_UPLOAD,
            "playtest": config.playtest is not None,
        }
    )


async def health(request: Request) -> Response:
    """Whether the database can be written to and read."""
    context: Context = request.app.state.context
    await context.health.check()
    return JSONResponse({"ok": True})


def own_version() -> str:
    """The version of the program."""
    try:
        return version("rulewright")
    except PackageNotFoundError:
        return "0"


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, ApiError) and error.code == "not-found" and wants_page(request):
        return await _not_found(request, error)
    return await answer_error(request, error)


async def _store_failed(request: Request, _: Exception) -> Response:
    return await answer_error(request, ApiError("not-available", "the database cannot be reached"))


async def _failed(request: Request, _: Exception) -> Response:
    """The program has a mistake, which is logged. This answer comes from outside of `Guard`."""
    if wants_page(request):
        return error_page(request, "failed", STATUS["failed"])
    body = {"error": {"code": "failed", "text": "the server has failed", "diagnostics": []}}
    headers = {"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff"}
    return JSONResponse(body, STATUS["failed"], headers)


async def _not_found(request: Request, _: Exception) -> Response:
    """The page says that there is nothing, in the viewer's language; a program is told by JSON."""
    if wants_page(request):
        answer = await shell(request)
        answer.status_code = 404
        return answer
    return await answer_error(request, ApiError("not-found", "there is nothing here"))
