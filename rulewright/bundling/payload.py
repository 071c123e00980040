"""Several parts packed as one text for a page, which `web/unpack.js` unpacks."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping

SETTINGS = {
    "id": lzma.FILTER_LZMA1,
    "dict_size": 1 << 23,
    "lc": 3,
    "lp": 0,
    "pb": 0,
    "mode": lzma.MODE_NORMAL,
    "nice_len": 273,
    "mf": lzma.MF_BT4,
    "depth": 1000,
}
AVOIDED = frozenset(b"\0\r<")
"""Characters that a page would not keep as they are. Each is replaced by the one with its lower seven bits
and the eighth set."""


def packed(parts: Mapping[str, bytes]) -> str:
    """The text: two numbers, and behind them seven bits of the compressed parts in each character."""
    index = json.dumps([[name, len(data)] for name, data in parts.items()]).encode()
    whole = index + b"\n" + b"".join(parts.values())
    data = lzma.compress(whole, format=lzma.FORMAT_RAW, filters=[SETTINGS])
    return f"{len(data)} {len(whole)} {_folded(data)}"


def _folded(data: bytes) -> str:
    """Bytes as characters of seven bits each, the first bit of a byte first."""
    bits = int.from_bytes(data, "big") << (-8 * len(data)) % 7
    count = (8 * len(data) + 6) // 7
    digits = bytearray(count)
    for i in range(0, count, LUMP):
        size = min(LUMP, count - i)
        lump = bits >> 7 * (count - i - size) & (1 << 7 * size) - 1
        for k in range(size):
            digits[i + k] = lump >> 7 * (size - 1 - k) & 127
    return "".join(chr(128 | d) if d in AVOIDED else chr(d) for d in digits)


LUMP = 512
"""Characters that are made at a time: shifts of the whole number take long."""
