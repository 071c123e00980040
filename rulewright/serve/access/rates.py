"""How often somebody may do something."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import time
from collections import Counter
from collections.abc import Sequence

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from starlette.requests import HTTPConnection

from rulewright.http.errors import ApiError
from rulewright.serve.config import Limits
from rulewright.serve.fair_share import Payer

NETWORK = 64
"""Bits of an IPv6 address that one customer of a provider cannot choose."""


class Rates:
    """Counts requests, messages and sockets of this process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._items = {
            "messages": _parsed(limits.messages),
            "all messages": _parsed(limits.all_messages),
            "requests": _parsed(limits.requests),
            "changes": _parsed(limits.changes),
            "uploads": _parsed(limits.uploads),
            "matches": _parsed(limits.matches),
            "mails": _parsed(limits.mails),
            "documents": _parsed(limits.documents),
            "webhooks": _parsed(limits.webhooks),
            "talk": _parsed(limits.talk),
        }
        self._sockets: Counter[str] = Counter()

    def allows(self, what: str, who: str) -> bool:
        """Count one more; whether it is within the limits."""
        return all(self._limiter.hit(item, what, who) for item in self._items[what])

    def check(self, what: str, request: HTTPConnection) -> None:
        """Count one more request from an address. Raises `ApiError` if it is too many."""
        who = address(request)
        if not self.allows(what, who):
            wait = max(self._wait(item, what, who) for item in self._items[what])
            headers = {"Retry-After": str(wait)}
            raise ApiError("too-many", "more requests than are allowed", headers=headers)

    def _wait(self, item: RateLimitItem, what: str, who: str) -> int:
        stats = self._limiter.get_window_stats(item, what, who)
        return max(1, int(stats.reset_time - time.time()) + 1) if stats.remaining == 0 else 1

    def open_socket(self, who: str) -> bool:
        """Count one more open socket of an address; whether it may have that many."""
        if self._sockets[who] >= self.limits.sockets:
            return False
        self._sockets[who] += 1
        return True

    def close_socket(self, who: str) -> None:
        """Count one less."""
        self._sockets[who] -= 1
        if not self._sockets[who]:
            del self._sockets[who]


def address(connection: HTTPConnection) -> str:
    """Who asks: the address of the client, as the proxy in front says if there is one.

    Of an IPv6 address only the network, since whoever has one address has all of its network.
    """
    return network_of(connection.client.host if connection.client is not None else "unknown")


def payer_of(connection: HTTPConnection) -> Payer:
    """For whom a request is carried out: the visitor, and the address, of which only a mark is kept."""
    config = connection.app.state.context.config
    mark = hashlib.blake2b(address(connection).encode(), key=config.secret[:64], digest_size=9)
    return Payer((connection.state.visitor, base64.urlsafe_b64encode(mark.digest()).decode()))


def network_of(host: str) -> str:
    """An address of IPv4, or the network of one of IPv6; anything else as it is."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, NETWORK), strict=False))


def _parsed(texts: Sequence[str]) -> list[RateLimitItem]:
    return [parse(text) for text in texts]
