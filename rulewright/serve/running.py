"""Running the application: listening, and ending in good order."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.files.reading import why_not
from rulewright.http.messages import PortTaken
from rulewright.http.orderly_server import OrderlyServer
from rulewright.serve.api.client_messages import MOST_MESSAGE
from rulewright.serve.app import close_sockets
from rulewright.serve.messages import NoSuchHost
from rulewright.serve.request_deadline import DeadlineProtocol
from rulewright.serve.strict_socket import StrictSocket

BACKLOG = 1024
PING = 20.0
"""Seconds between pings, and until a socket that does not answer one is closed."""
LONGEST_END = 10
"""Seconds in which requests may end when the server goes down."""
MOMENT = 0.5
"""Seconds in which threads may end after the server."""
COLLECTING = 5_000, 10, 20
"""How many new objects bring about a search for garbage, and how many such a search of older ones."""
MOST_FILES = 65_536


class TableServer(OrderlyServer):
    """A server that gives up what it works out and tells open sockets before it ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: no new connections, work given up, sockets told, requests finished, all committed."""
        for server in self.servers:
            server.close()
        app = self.config.loaded_app
        while not isinstance(app, Starlette) and hasattr(app, "app"):
            app = app.app
        if isinstance(app, Starlette):
            app.state.context.beliefs.end()
            app.state.context.catalogue.end()
            app.state.context.service.end()
            await close_sockets(app.state.context)
        await super().shutdown(sockets)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at an address. Raises `DiagnosticError`."""
    _check_host(host)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        at = socket.create_server((host, port), family=family, backlog=BACKLOG)
        # Connections inherit it. Otherwise two small messages in a row wait 40 ms for each other.
        at.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return at
    except OSError as error:
        why = why_not(error).partition(" (while ")[0]
        if error.errno == errno.EADDRNOTAVAIL:
            raise DiagnosticError(NoSuchHost(NOWHERE, host, why)) from None
        raise DiagnosticError(PortTaken(NOWHERE, host, port, why)) from None


def _check_host(host: str) -> None:
    """Raises `DiagnosticError` with `NoSuchHost` for what is no address and no name of one.

    An empty one would be heard from everywhere, and is more likely a variable without a value.
    """
    if not host:
        raise DiagnosticError(NoSuchHost(NOWHERE, host, "it is empty"))
    try:
        socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        why = why_not(error) if isinstance(error, OSError) else "it is no address"
        raise DiagnosticError(NoSuchHost(NOWHERE, host, why)) from None


class UnawaitedThreads(ThreadPoolExecutor):
    """Threads that the end of the loop does not wait for: what they still read or compile, nobody needs."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the idle ones."""
        super().shutdown(wait=False, cancel_futures=True)


def leave(code: int) -> None:
    """End the process if a thread is still at work after a moment: Python would wait for it.

    All that was to be kept is on the disk, and what the threads do is of use only to a server that runs.
    """
    until = time.monotonic() + MOMENT
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                sys.stdout.flush()
                os._exit(code)


def server_of(app: Starlette) -> TableServer:
    """A server for an application."""
    config = uvicorn.Config(
        app,
        http=DeadlineProtocol,
        ws=StrictSocket,
        log_level="warning",
        access_log=False,  # addresses contain seat tokens
        server_header=False,
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=LONGEST_END,
        lifespan="on",
    )
    return TableServer(config)


async def spared(app: Starlette) -> None:
    """Leave the games, which stay, out of searches for garbage: a long search stops the whole server."""
    await app.state.context.catalogue.games()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)


def more_connections() -> None:
    """Allow this process as many open files as the system allows it, since each connection is one."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def run(app: Starlette, at: socket.socket, started: Callable[[], None]) -> bool:
    """Serve until a signal comes. Calls `started` when connections are accepted. Returns whether it could
    start."""
    more_connections()
    server = server_of(app)

    async def serve() -> None:
        asyncio.get_running_loop().set_default_executor(UnawaitedThreads())
        serving = asyncio.create_task(server.serve([at]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        if server.started:
            started()
        sparing = asyncio.create_task(spared(app))
        await serving
        sparing.cancel()
        await asyncio.gather(sparing, return_exceptions=True)

    asyncio.run(serve())
    return server.started
