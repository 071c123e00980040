"""Protection of every answer: security headers, and who may send requests at all.

A page of another site can make a browser send requests to this server, with its cookies. So whatever changes
something, and every socket, needs the `Origin` of the server itself. A name of another site can be made to
lead to this computer (DNS rebinding); so the header `Host` must be the public one, an address, or local.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.http.errors import STATUS
from rulewright.serve.config import ServeConfig
from rulewright.serve.plain_pages import error_page, wants_page

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_NAMES = frozenset({"localhost", "testserver"})
HOST = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(:\d{0,5})?", re.ASCII | re.IGNORECASE)
"""Hosts and ports (RFC 3986, without what no server here is called); a header with anything else would change
the policy that repeats it."""
PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"


def page_policy(host: str, secure: bool) -> str:
    """The content security policy of pages. Old browsers need the address of sockets by name."""
    scheme = "wss" if secure else "ws"
    return "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "img-src 'self' data:",
            f"connect-src 'self' {scheme}://{host}",
            "worker-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-src 'self'",
            "frame-ancestors 'none'",
        )
    )


def document_policy(style_hashes: Iterable[str]) -> str:
    """The policy of a document without scripts, such as a rulebook; pages of this site may frame it."""
    styles = " ".join(f"'{one}'" for one in style_hashes) or "'none'"
    return (
        f"default-src 'none'; style-src {styles}; img-src 'self' data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'self'"
    )


def known_host(host: str, config: ServeConfig) -> bool:
    """Whether the header `Host` names this server: by its public name, by an address, or locally."""
    if host == config.public_host:
        return True
    found = HOST.fullmatch(host)
    if found is None:
        return False
    name = found[1].strip("[]").lower()
    if name in LOCAL_NAMES or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(origin: str | None, host: str, config: ServeConfig) -> bool:
    """Whether a header `Origin` is that of the server's own pages."""
    if origin is None:
        return False
    if origin == config.public_url:
        return True
    return not config.secure and origin == f"http://{host}"


class Guard:
    """Refuses unknown hosts and foreign origins, and adds security headers to every answer."""

    def __init__(self, app: ASGIApp, config: ServeConfig) -> None:
        self.app = app
        self.config = config

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry out a request or a socket, if it may be."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        host = headers.get("host", "") if refusal is None else self.config.public_host
        send_with_headers = self._headers_added(host, send)
        app: ASGIApp = self.app
        if refusal is not None:
            code, text = refusal
            status = STATUS[code]
            looks = scope["type"] == "http" and wants_page(Request(scope))
            body = {"error": {"code": code, "text": text, "diagnostics": []}}
            app = error_page(Request(scope), code, status) if looks else JSONResponse(body, status)
        await app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[str, str] | None:
        """The code and the text with which a request is refused; None if it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if host != self.config.public_host and HOST.fullmatch(host) is None:
            return "malformed", "the header `Host` is no host"
        if not known_host(host, self.config):
            return "other-origin", "this server is not known by that name"
        is_change = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        # A mail program that stops notices by one click sends no origin; its address is the secret.
        free = scope["path"].startswith("/notices/stop/") and origin is None
        if is_change and not free and not same_origin(origin, host, self.config):
            return "other-origin", "a page of another site sent this"
        return None

    def _headers_added(self, host: str, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                self._add_headers(MutableHeaders(scope=message), host)
            await send(message)

        return send_with_headers

    def _add_headers(self, headers: MutableHeaders, host: str) -> None:
        headers.setdefault("Content-Security-Policy", page_policy(host, self.config.secure))
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        headers["Permissions-Policy"] = PERMISSIONS
        headers.setdefault("Cache-Control", "no-store")
        if self.config.secure:
            headers["Strict-Transport-Security"] = "max-age=31536000"
