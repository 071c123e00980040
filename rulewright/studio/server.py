"""The server of the studio: the page, and a socket for each page that is open. It listens on loopback.

A page is let in by a token that the command prints; pages of other sites do not know it, and browsers say
where a page comes from. No other host name than those of loopback is answered, so that no name that leads
here can stand for another site.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.bundling.messages import message_files
from rulewright.files.reading import inner_file, why_not
from rulewright.http.errors import ApiError
from rulewright.http.messages import PortTaken
from rulewright.http.orderly_server import OrderlyServer
from rulewright.http.static import StaticFiles
from rulewright.processes.garbage import search_everything
from rulewright.studio.making import KINDS, NotMade, document
from rulewright.studio.methods import METHODS
from rulewright.studio.session import StudioSession
from rulewright.studio.testers import Testers
from rulewright.studio.token_module import TOKENS, token_module

HOST = "127.0.0.1"
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
PAGE = Path(__file__).resolve().parent / "page"
MOST_MESSAGE = 8 << 20
WAITING = 1_000
"""The most messages that wait for a page; one that reads no more is closed."""
FORBIDDEN = 4403
LONGEST_CLOSE = 100
"""How often it is looked, each 10 ms, whether the sockets are closed when the studio ends."""
POLICY = (  # the editor has styles of single elements, and one style sheet that it makes itself
    "default-src 'none'; script-src 'self'; connect-src 'self'; "
    "style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Studio:
    """What is edited, and the token of those who may."""

    root: Path
    token: str
    testers: Testers = field(init=False)
    endings: set[asyncio.Event] = field(default_factory=set)
    """One for each socket that is open: setting it closes the socket, and ends what works for its page."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "testers", Testers(self.root))

    async def end(self) -> None:
        """Close all sockets, end the server for testers, and wait until that is done; not long."""
        await self.testers.end()
        for ending in self.endings:
            ending.set()
        for _ in range(LONGEST_CLOSE):
            if not self.endings:
                return
            await asyncio.sleep(0.01)


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


def make_app(studio: Studio) -> Starlette:
    """The application."""
    app = Starlette(
        routes=[
            Route("/", _index),
            Route("/web/{path:path}", _table_file),
            Route("/studio/{path:path}", _page_file),
            Route("/made/{kind}", _made),
            WebSocketRoute("/socket", _socket),
        ]
    )
    app.state.studio = studio
    app.state.table_files = StaticFiles(made=message_files())
    app.state.page_files = StaticFiles(PAGE, {TOKENS: token_module()})
    return app


# ---- files


async def _index(request: Request) -> Response:
    if not _is_here(request):
        return PlainTextResponse("this is not the studio's address", 403)
    nonce = secrets.token_urlsafe(12)
    text = inner_file(PAGE, "index.html", 1 << 20).decode().replace("NONCE", nonce)
    headers = {"Content-Security-Policy": POLICY.format(nonce=nonce), "Cache-Control": "no-store"}
    return Response(text, headers={**headers, **HARDENED}, media_type="text/html; charset=utf-8")


HARDENED = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


async def _table_file(request: Request) -> Response:
    return _file(request.app.state.table_files, request)


async def _page_file(request: Request) -> Response:
    return _file(request.app.state.page_files, request)


def _file(files: StaticFiles, request: Request) -> Response:
    if not _is_here(request):
        return PlainTextResponse("this is not the studio's address", 403)
    try:
        answer = files.answer(request.path_params["path"], request)
    except ApiError:
        return PlainTextResponse("there is no such file", 404)
    answer.headers.update(HARDENED)
    return answer


async def _made(request: Request) -> Response:
    """What a command makes of the saved files. The token is in a header, which no page elsewhere can send."""
    studio: Studio = request.app.state.studio
    given = request.headers.get("x-studio-token", "")
    if not (_is_here(request) and hmac.compare_digest(given.encode(), studio.token.encode())):
        return PlainTextResponse("this is not the studio's address", 403)
    kind = KINDS.get(request.path_params["kind"])
    if kind is None:
        return PlainTextResponse("there is no such document", 404)
    try:
        data = await document(studio.root, kind)
    except NotMade as error:
        return PlainTextResponse(str(error), 422, headers=HARDENED)
    return Response(data, headers={"Content-Disposition": "attachment", **HARDENED}, media_type=kind.type)


def _is_here(request: HTTPConnection) -> bool:
    """Whether a request names this machine as its host."""
    host = request.headers.get("host", "")
    return (host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host) in HOSTS


# ---- sockets


async def _socket(websocket: WebSocket) -> None:
    studio: Studio = websocket.app.state.studio
    given = websocket.query_params.get("token", "")
    own = f"http://{websocket.headers.get('host', '')}"
    allowed = hmac.compare_digest(given.encode(), studio.token.encode())
    if not allowed or not _is_here(websocket) or websocket.headers.get("origin", own) != own:
        await websocket.accept()
        await websocket.close(FORBIDDEN)
        return
    await websocket.accept()
    waiting: asyncio.Queue[str] = asyncio.Queue(WAITING)
    ending = asyncio.Event()

    def send(text: str) -> None:
        try:
            waiting.put_nowait(text)
        except asyncio.QueueFull:
            ending.set()

    studio.endings.add(ending)
    session = StudioSession(studio.root, send, studio.testers, METHODS)
    sending = asyncio.create_task(_send(websocket, waiting))
    hearing = asyncio.create_task(_hear(websocket, session))
    stopping = asyncio.create_task(ending.wait())
    try:
        await asyncio.wait({sending, hearing, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        session.close()
        for task in (sending, hearing, stopping):
            task.cancel()
        await asyncio.gather(sending, hearing, stopping, return_exceptions=True)
        with suppress(RuntimeError, WebSocketDisconnect):
            await websocket.close()
        studio.endings.discard(ending)
        del session
        search_everything()


async def _send(websocket: WebSocket, waiting: asyncio.Queue[str]) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await websocket.send_text(await waiting.get())


async def _hear(websocket: WebSocket, session: StudioSession) -> None:
    with suppress(WebSocketDisconnect, KeyError):
        while True:
            session.hear(await websocket.receive_text())


# ---- running


class StudioServer(OrderlyServer):
    """A server that closes the sockets of pages before it ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: no new connections, sockets closed, what works for pages ended."""
        for server in self.servers:
            server.close()
        await self.config.app.state.studio.end()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def listening(port: int) -> socket.socket:
    """A socket that listens on loopback. Raises `DiagnosticError` with `PortTaken`."""
    try:
        return socket.create_server((HOST, port))
    except (OSError, OverflowError) as error:
        why = why_not(error) if isinstance(error, OSError) else str(error)
        raise DiagnosticError(PortTaken(NOWHERE, HOST, port, why)) from None


def run(app: Starlette, at: socket.socket, started: Callable[[], None]) -> None:
    """Serve until a signal comes. Calls `started` when pages can be opened."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=MOST_MESSAGE,
        timeout_graceful_shutdown=1,
        lifespan="off",
    )
    server = StudioServer(config)

    async def serve() -> None:
        serving = asyncio.create_task(server.serve([at]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        if server.started:
            started()
        await serving

    asyncio.run(serve())
