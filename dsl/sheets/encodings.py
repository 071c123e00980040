"""The encoding of a table as text: what spreadsheets write, told apart by the bytes alone."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
"""Byte order marks, and the encoding that each stands for."""
SAMPLE = 4096
"""The bytes in which zero bytes are counted."""
CENTRAL = {
    "hu": "áéíóöőúüű",
    "ro": "ăâîşţ",
    "pl": "ąćęłńóśźż",
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšž",
    "hr": "čćđšž",
}
"""Languages that Windows writes in code page 1250, and their letters beyond ASCII."""
WESTERN = {
    "de": "äöüß",
    "fr": "àâæçèéêëîïôùûüœ",
    "es": "áéíñóúü¿¡ºª",
    "pt": "àáâãçéêíóôõúªº",
    "it": "àèéìòù",
    "nl": "áèéëïóöü",
    "sv": "åäöé",
    "da": "æøåé",
    "fi": "äöå",
    "is": "áæéíðóöúýþ",
}
"""The same for code page 1252."""


def text_of(data: bytes) -> str:
    """The text of a table.

    By its byte order mark; else UTF-16 where about every second byte is zero; else UTF-8; else the code page
    of Windows whose languages explain its letters best, 1252 if both do. Raises `UnicodeDecodeError`.
    """
    mark, codec = _encoding(data)
    return data[len(mark) :].decode(codec)


def encoded_as(before: bytes, text: str) -> bytes:
    """A text in the encoding of a table; in UTF-8 with a mark if that lacks one of its characters."""
    try:
        mark, codec = _encoding(before)
        return mark + text.encode(codec)
    except UnicodeDecodeError:
        return text.encode()
    except UnicodeEncodeError:
        return codecs.BOM_UTF8 + text.encode()


def _encoding(data: bytes) -> tuple[bytes, str]:
    """The byte order mark of a table, and its encoding. Raises `UnicodeDecodeError`."""
    for mark, codec in MARKS:
        if data.startswith(mark):
            return mark, codec
    wide = _without_mark(data)
    if wide is not None:
        return b"", wide
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        page = _code_page(data) if b"\0" not in data else None
        if page is None:
            raise
        return b"", page
    return b"", "utf-8"


def _without_mark(data: bytes) -> str | None:
    """UTF-16 without a mark: a zero byte in at least two of three characters, always on the same side."""
    sample = data[:SAMPLE]
    low, high = sample[1::2].count(0), sample[0::2].count(0)
    if not data or len(data) % 2 or 3 * max(low, high) < len(sample) or min(low, high):
        return None
    return "utf-16-le" if low else "utf-16-be"


def _code_page(data: bytes) -> str | None:
    """The code page of a text; none if it is none of the two, as its bytes are no characters there."""
    found = [(_explained(data, page, alphabets), page) for page, alphabets in PAGES]
    known = [(score, page) for score, page in found if score is not None]
    return max(known, key=lambda pair: pair[0])[1] if known else None


UNLIKELY = re.compile("õ(?!e)")
"""A letter of Portuguese where it has none: the other code page has the Hungarian `ő` in its place."""
PAGES: tuple[tuple[str, Iterable[str]], ...] = (("cp1252", WESTERN.values()), ("cp1250", CENTRAL.values()))


def _explained(data: bytes, page: str, alphabets: Iterable[str]) -> int | None:
    """The most letters beyond ASCII that one language of a code page has; none if it is no text there."""
    try:
        text = data.decode(page).lower()
    except UnicodeDecodeError:
        return None
    beyond = [letter for letter in UNLIKELY.sub("ǂ", text) if letter.isalpha() and not letter.isascii()]
    return max(sum(letter in alphabet for letter in beyond) for alphabet in alphabets)
