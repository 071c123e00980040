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
SINGLE = (0, ord("\r"), ord("<"))
HALVES = range(0xD800, 0xE000)
"""Characters that a page would not keep as they are, or that are halves of one."""


def packed(parts: Mapping[str, bytes]) -> str:
    """The text: two numbers, and behind them two bytes of the compressed parts in each character.

    It is short in UTF-16, in which nearly every character is as long as what it stands for.
    """
    index = json.dumps([[name, len(data)] for name, data in parts.items()]).encode()
    whole = index + b"\n" + b"".join(parts.values())
    data = lzma.compress(whole, format=lzma.FORMAT_RAW, filters=[SETTINGS])
    return f"{len(data)} {len(whole)} {folded(data)}"


def folded(data: bytes) -> str:
    """Bytes as characters, two in each, the first the lower one.

    What would be no character has one behind 0x10000, which holds one byte more.
    """
    found, at, data = [], 0, data + bytes(2)
    while at < len(data) - 2:
        unit = data[at] | data[at + 1] << 8
        at += 2
        if unit in HALVES or unit in SINGLE:
            number = unit - HALVES.start if unit in HALVES else len(HALVES) + SINGLE.index(unit)
            unit = 0x10000 + (number << 8 | data[at])
            at += 1
        found.append(chr(unit))
    return "".join(found)
