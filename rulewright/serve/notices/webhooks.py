"""Calls of addresses that players name: bounded in time and size, and not into private networks.

The name of a host is resolved once, its address is checked, and that address is called; otherwise a name
could mean a public address when it is checked and a private one when it is called.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

SECONDS = 10.0
"""For the whole of a call."""
LONGEST_ADDRESS = 500
LONGEST_STATUS = 1024
RESOLVERS = ThreadPoolExecutor(4, "names")
"""Threads of their own: who owns a name can let its resolution hang, and nothing else must wait for it."""


class Refused(Exception):
    """An address that is not called."""


class Failed(Exception):
    """A call that was not answered, or not with success."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address to call, taken apart."""

    secure: bool
    host: str
    port: int
    path: str


def target_of(url: str) -> Target:
    """The parts of an address. Raises `Refused`."""
    if len(url) > LONGEST_ADDRESS or not url.isascii() or not url.isprintable() or " " in url:
        raise Refused("it is no address")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused("it is no address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.fragment:
        raise Refused("it must be `https://HOST/PATH`")
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(secure, parts.hostname, port or (443 if secure else 80), path)


async def resolved(target: Target, private: bool) -> str:
    """A network address of a host that may be called. Raises `Refused` or `Failed`."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.run_in_executor(RESOLVERS, _addresses, target)
    except (OSError, UnicodeError):
        raise Failed("its name cannot be resolved") from None
    addresses = [str(info[4][0]) for info in found]
    if not addresses or not (private or all(is_public(address) for address in addresses)):
        raise Refused("it is an address of a private network")
    return addresses[0]


def _addresses(target: Target) -> list[tuple[Any, ...]]:
    return list(socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM))


def is_public(address: str) -> bool:
    """Whether an address is one of the internet at large."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if found in NAT64:
            return is_public(str(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)))
    return found.is_global and not found.is_multicast and not any(found in network for network in SPECIAL)


NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
SPECIAL = tuple(
    ipaddress.ip_network(network)
    for network in ("::/96", "64:ff9b:1::/48", "fec0::/10", "3fff::/20", "5f00::/16", "192.88.99.0/24")
)
"""Networks that are not of the internet at large, though Python takes them for such: IPv4 in IPv6 of old,
local translation, local sites of old, documentation, segments of one operator, relays."""


def _anywhere(address: str) -> None:
    """Admits each address."""


async def call(
    url: str,
    message: Mapping[str, object],
    private: bool = False,
    admit: Callable[[str], None] = _anywhere,
) -> None:
    """Post a message as JSON. Redirections are not followed. Raises `Refused` or `Failed`.

    `admit` is asked about the network address before it is called; it raises `Refused`.
    """
    target = target_of(url)
    try:
        async with asyncio.timeout(SECONDS):
            address = await resolved(target, private)
            admit(address)
            status = await _post(target, address, json.dumps(message).encode())
    except (TimeoutError, OSError, ssl.SSLError, ValueError, asyncio.LimitOverrunError) as error:
        raise Failed(type(error).__name__) from None
    if not 200 <= status < 300:
        raise Failed(f"status {status}")


async def _post(target: Target, address: str, body: bytes) -> int:
    context = ssl.create_default_context() if target.secure else None
    name = target.host if target.secure else None
    reader, writer = await asyncio.open_connection(
        address, target.port, ssl=context, server_hostname=name, limit=LONGEST_STATUS
    )
    try:
        host = f"[{target.host}]" if ":" in target.host else target.host
        head = (
            f"POST {target.path} HTTP/1.1\r\nHost: {host}:{target.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            "User-Agent: rulewright\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()
        line = await reader.readline()
        parts = line.split(b" ", 2)
        if len(parts) < 2 or not parts[0].startswith(b"HTTP/1.") or not parts[1].isdigit():
            raise ValueError("no HTTP")
        return int(parts[1])
    finally:
        writer.transport.abort()
