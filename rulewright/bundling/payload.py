"""Several parts packed as one text for a page, which `web/unpack.js` unpacks."""

from __future__ import annotations

import json
import lzma
import zlib
from collections.abc import Mapping

SETTINGS = {
    "id": lzma.FILTER_LZMA1,
    "dict_size": 1 << 23,
    "lc": 3,
    "lp": 0,
    "pb": 0,
    "mode": lzma.MODE_NORMAL,
    "depth": 1000,
}
FINDERS, NICE_LENGTHS = (lzma.MF_BT3, lzma.MF_BT4), (112, 128, 140, 192)
"""Ways to look for what is repeated; which of them finds the shortest text depends on the text."""
HALVES = range(0xD800, 0xE000)
LEFT_OUT = (0, ord("\r"), ord("<"))
"""Halves of characters, those that a page would not keep, and that which might end what is packed."""
DIGITS = 0x10000 - len(HALVES) - len(LEFT_OUT)
BYTES, LETTERS = 347, 174
"""So many bytes are written as one number, with so many digits; it is hardly longer than they are."""
BYTES_OF_A_LETTER = 1.99426
FIRST_OF_15 = 0x100
"""The character of fifteen bits that are all zero: from here on no character is left out."""
TOGETHER = 3
"""So many digits are read at once: numbers have a multiple of them."""


def packed(parts: Mapping[str, bytes]) -> str:
    """The text: two numbers, and behind them the compressed parts as numbers whose digits are characters.

    It is short in UTF-16, in which every such character has two bytes.
    """
    index = json.dumps([[name, len(data)] for name, data in parts.items()]).encode()
    whole = index + b"\n" + b"".join(parts.values())
    tries = ({**SETTINGS, "mf": finder, "nice_len": nice} for finder in FINDERS for nice in NICE_LENGTHS)
    data = min((lzma.compress(whole, format=lzma.FORMAT_RAW, filters=[one]) for one in tries), key=len)
    return f"{len(data)} {len(whole)} {as_digits(data)}"


def as_digits(data: bytes) -> str:
    """Bytes as characters, none of which a page would change."""
    found: list[str] = []
    for at in range(0, len(data), BYTES):
        part = data[at : at + BYTES]
        letters = next(n for n in range(TOGETHER, LETTERS + 1, TOGETHER) if capacity(n) >= len(part))
        number = int.from_bytes(part.ljust(capacity(letters), b"\0"), "big")
        block = []
        for _ in range(letters):
            number, digit = divmod(number, DIGITS)
            block.append(character(digit))
        found += reversed(block)
    return "".join(found)


def capacity(letters: int) -> int:
    """How many bytes so many digits have room for."""
    return int(letters * BYTES_OF_A_LETTER)


def deflated(text: str) -> str:
    """A text compressed as any browser can undo it, with 15 bits in each character."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    data = compressor.compress(text.encode()) + compressor.flush()
    bits = "".join(f"{byte:08b}" for byte in data)
    return "".join(
        chr(FIRST_OF_15 + int(bits[at : at + 15].ljust(15, "0"), 2)) for at in range(0, len(bits), 15)
    )


def character(digit: int) -> str:
    """The character of a digit: those that are left out are skipped."""
    code = digit + 1
    for left_out in LEFT_OUT[1:]:
        code += code >= left_out
    return chr(code if code < HALVES.start else code + len(HALVES))
