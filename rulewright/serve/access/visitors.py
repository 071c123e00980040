"""Visitors: a browser is known by a signed cookie, and signed links open seats.

The cookie holds a random number and nothing else. What a visitor holds is kept in the store. A link names the
seat and the hash of its secret, signed: it is good until the seat gets another secret.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from itsdangerous import BadData, URLSafeSerializer
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.serve.config import ServeConfig

COOKIE = "rulewright"
YEAR = 365 * 24 * 3600
LONGEST_TOKEN = 400
COOKIELESS = ("/web/", "/api/descriptions/", "/health")
"""Paths that are the same for everybody: they set no cookie, so that they can be cached."""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """What a link to a seat says: the match, the seat, and the hash of the seat's secret."""

    match: str
    seat: int
    token: str


@dataclass(frozen=True, slots=True)
class StopLink:
    """What a link that stops notices says. `target` is the mark of the address that is told, see `mark_of`,
    in older links the address itself."""

    match: str
    seat: int
    kind: str
    target: str

    def ends(self, kind: str, target: str) -> bool:
        """Whether it ends notices of a kind to an address."""
        return self.kind == kind and self.target in (mark_of(target), target)


def mark_of(target: str) -> str:
    """What stands for an address in a link, which else grows with it, and tells it to whoever sees it."""
    return hashlib.sha256(target.encode()).hexdigest()[:32]


class Signer:
    """Signs cookies and links with the secret of the server."""

    def __init__(self, secret: bytes) -> None:
        self._visitors = URLSafeSerializer(secret, salt="visitor", signer_kwargs=_SHA256)
        self._seats = URLSafeSerializer(secret, salt="seat", signer_kwargs=_SHA256)
        self._stops = URLSafeSerializer(secret, salt="stop notices", signer_kwargs=_SHA256)

    def cookie(self, visitor: str) -> str:
        """The cookie's value for a visitor."""
        return str(self._visitors.dumps(visitor))

    def visitor(self, cookie: str) -> str | None:
        """The visitor of a cookie, or None if this server has not signed it."""
        found = _loaded(self._visitors, cookie)
        return found if isinstance(found, str) else None

    def seat_token(self, link: SeatLink) -> str:
        """The last part of a link to a seat."""
        return str(self._seats.dumps([link.match, link.seat, link.token]))

    def seat_link(self, token: str) -> SeatLink | None:
        """What a link to a seat says, or None if this server has not signed it."""
        match _loaded(self._seats, token):
            case [str(found), int(seat), str(hashed)]:
                return SeatLink(found, seat, hashed)
        return None

    def stop_token(self, link: StopLink) -> str:
        """The last part of a link that stops notices."""
        return str(self._stops.dumps([link.match, link.seat, link.kind, link.target]))

    def stop_link(self, token: str) -> StopLink | None:
        """What a link that stops notices says, or None if this server has not signed it."""
        match _loaded(self._stops, token):
            case [str(found), int(seat), str(kind), str(target)]:
                return StopLink(found, seat, kind, target)
        return None


def _sha256_kwargs() -> dict[str, object]:
    return {"digest_method": hashlib.sha256, "key_derivation": "hmac"}


_SHA256 = _sha256_kwargs()


def _loaded(serializer: URLSafeSerializer, text: str) -> object:
    """The signed value of a text, or None."""
    if len(text) > LONGEST_TOKEN:
        return None
    try:
        found: object = serializer.loads(text)
    except BadData:
        return None
    return found


class KnownVisitors:
    """Finds out whose browser asks (`scope["state"]["visitor"]`), and gives a new one its cookie."""

    def __init__(self, app: ASGIApp, config: ServeConfig, signer: Signer) -> None:
        self.app = app
        self.config = config
        self.signer = signer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry out a request or a socket of a known visitor."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        known = self._known(Headers(scope=scope))
        visitor = known or secrets.token_urlsafe(16)
        scope.setdefault("state", {})["visitor"] = visitor
        new = known is None and scope["type"] == "http" and not scope["path"].startswith(COOKIELESS)
        await self.app(scope, receive, self._with_cookie(visitor, send) if new else send)

    def _known(self, headers: Headers) -> str | None:
        """The visitor of the first cookie that this server has signed, whatever other cookies there are."""
        pairs = (pair.partition("=") for pair in headers.get("cookie", "").split(";"))
        given = (value.strip() for name, _, value in pairs if name.strip() == self._name)
        return next(filter(None, map(self.signer.visitor, given)), None)

    @property
    def _name(self) -> str:
        """By its prefix, a browser takes the cookie from this very host alone, not from one beside it."""
        return f"__Host-{COOKIE}" if self.config.secure else COOKIE

    def _with_cookie(self, visitor: str, send: Send) -> Send:
        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Set-Cookie", self._cookie(visitor))
            await send(message)

        return send_with_cookie

    def _cookie(self, visitor: str) -> str:
        secure = "; Secure" if self.config.secure else ""
        value = self.signer.cookie(visitor)
        return f"{self._name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
