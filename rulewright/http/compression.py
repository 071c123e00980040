"""What is sent, compressed as the browser understands it: by gzip at once, by Brotli as soon as that is made.

Brotli at its best (RFC 7932) makes an eighth less than gzip, but takes half a second for the scripts of the
page: it is made once, in a thread of its own, when it is first asked for; until it is there, gzip is sent.
Browsers ask for it over HTTPS and on their own machine.
"""

from __future__ import annotations

import gzip
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, lru_cache
from typing import NamedTuple

try:
    import brotli
except ImportError:  # a part of the extra `serve`, without which a table is served as well
    brotli = None

SHORTEST = 500
"""Bytes from which on it is worth it."""
LARGEST = 1 << 20
"""Bytes up to which Brotli is asked."""
KEPT = 256
"""How many documents are kept compressed."""


class Encoded(NamedTuple):
    """Bytes, and the coding that a header names; none if they are as they were."""

    data: bytes
    coding: str | None


def encoded(data: bytes, accepted: str) -> Encoded:
    """Data without secrets in the best coding that an `Accept-Encoding` allows and that is there by now."""
    if len(data) <= SHORTEST:
        return Encoded(data, None)
    codings = codings_in(accepted)
    if "br" in codings and (better := _in_brotli(data)) is not None and better.done():
        return Encoded(better.result(), "br")
    return Encoded(_zipped(data), "gzip") if "gzip" in codings else Encoded(data, None)


def codings_in(accepted: str) -> set[str]:
    """The codings that an `Accept-Encoding` names and does not rule out (RFC 9110, section 12.5.3)."""
    found = set()
    for part in accepted.lower().split(","):
        coding, _, weight = (x.strip() for x in part.partition(";"))
        if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            found.add(coding)
    return found


@lru_cache(maxsize=KEPT)
def _zipped(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


@lru_cache(maxsize=KEPT)
def _in_brotli(data: bytes) -> Future[bytes] | None:
    if brotli is None or len(data) > LARGEST:
        return None
    return _behind().submit(brotli.compress, data, quality=11)


@cache
def _behind() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "compression")
