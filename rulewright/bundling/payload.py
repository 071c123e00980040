"""Several parts packed as one text for a page, which `web/unpack.js` unpacks."""

from __future__ import annotations

import json
import lzma
import struct
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
AVOIDED = frozenset({0, ord("\r"), ord("<"), *range(0xD800, 0xE000)})
"""Characters that a page would not keep as they are, or that are halves of one. In their place stands the
character 0x10000 behind them."""


def packed(parts: Mapping[str, bytes]) -> str:
    """The text: two numbers, and behind them two bytes of the compressed parts in each character.

    It is short in UTF-16, in which nearly every character is as long as what it stands for.
    """
    index = json.dumps([[name, len(data)] for name, data in parts.items()]).encode()
    whole = index + b"\n" + b"".join(parts.values())
    data = lzma.compress(whole, format=lzma.FORMAT_RAW, filters=[SETTINGS])
    return f"{len(data)} {len(whole)} {_folded(data)}"


def _folded(data: bytes) -> str:
    """Bytes as characters, two in each, the first the lower one."""
    units = struct.unpack(f"<{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2))
    return "".join(chr(0x10000 + unit if unit in AVOIDED else unit) for unit in units)
