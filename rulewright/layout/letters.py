"""How wide letters are in the fonts of Rulewright, read from the font files: no library is needed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from struct import unpack_from

FONTS = Path(__file__).parent / "fonts"
TEXT, BOLD, PICTOGRAMS = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "NotoEmoji-Regular.ttf"
MM = 25.4 / 72
"""A point in mm."""


def width_of(text: str, bold: bool = False) -> float:
    """The width of a text in mm, in letters of one point."""
    return sum(_letter(letter, bold) for letter in text) * MM


@cache
def _letter(letter: str, bold: bool) -> float:
    """The width of a letter in its size, in the first font that has it; one that none has is a box."""
    for font in (BOLD if bold else TEXT, TEXT, PICTOGRAMS):
        found = _widths(font).get(ord(letter))
        if found is not None:
            return found
    return 0.6


@cache
def _widths(font: str) -> dict[int, float]:
    """The widths of the characters of a font by their numbers, in the size of the font."""
    data = (FONTS / font).read_bytes()
    tables = {}
    for i in range(unpack_from(">H", data, 4)[0]):
        tag, _, offset, _ = unpack_from(">4sLLL", data, 12 + 16 * i)
        tables[tag] = offset
    units = unpack_from(">H", data, tables[b"head"] + 18)[0]
    measured = unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    advances = unpack_from(">" + "Hh" * measured, data, tables[b"hmtx"])[::2]
    return {
        character: advances[min(glyph, measured - 1)] / units
        for character, glyph in _glyphs(data, tables[b"cmap"]).items()
    }


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """The glyphs of characters: from the subtable with most of them that is of a form that is known."""
    found: dict[int, int] = {}
    for i in range(unpack_from(">H", data, cmap + 2)[0]):
        at = cmap + unpack_from(">HHL", data, cmap + 4 + 8 * i)[2]
        form = unpack_from(">H", data, at)[0]
        if form == 12:
            for k in range(unpack_from(">L", data, at + 12)[0]):
                first, last, glyph = unpack_from(">LLL", data, at + 16 + 12 * k)
                found |= {c: glyph + c - first for c in range(first, last + 1)}
        elif form == 4:
            found = _segments(data, at) | found
    return found


def _segments(data: bytes, at: int) -> dict[int, int]:
    """The glyphs of a subtable of form 4: runs of characters."""
    count = unpack_from(">H", data, at + 6)[0] // 2
    ends = unpack_from(f">{count}H", data, at + 14)
    starts = unpack_from(f">{count}H", data, at + 16 + 2 * count)
    deltas = unpack_from(f">{count}h", data, at + 16 + 4 * count)
    ranges = at + 16 + 6 * count
    offsets = unpack_from(f">{count}H", data, ranges)
    found = {}
    for i, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for character in range(first, min(last, 0xFFFE) + 1):
            glyph = character
            if offset:
                glyph = unpack_from(">H", data, ranges + 2 * i + offset + 2 * (character - first))[0]
            if glyph or not offset:
                found[character] = (glyph + delta) & 0xFFFF
    return {character: glyph for character, glyph in found.items() if glyph}
