"""The characters that texts may contain: none that control a terminal or hide other text.

Right-to-left letters, combining marks, directional marks and joiners are allowed. Forbidden are control
characters, overrides of the direction, line separators, and code points that are not characters.
"""

from __future__ import annotations

import re
import unicodedata

FORBIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters; tabs and line feeds are text
    r"\u2028\u2029"  # line and paragraph separators
    r"\u202a-\u202e\u2066-\u2069"  # bidirectional embeddings, overrides, isolates
    r"\u206a-\u206f\ufff9-\ufffb\ufeff"  # deprecated format characters, annotations, byte order marks
    r"\ud800-\udfff"  # surrogates
    r"\ufdd0-\ufdef\ufffe\uffff"  # noncharacters
    r"\U000e0000-\U000e00ff"  # tags: invisible text
) + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
FLAG = r"\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
"""The flag of a region, such as Scotland: the only text in which tags are allowed."""
TOKEN = re.compile(f"{FLAG}|([{FORBIDDEN}])")
SUSPECT = re.compile(f"[{FORBIDDEN}]")
PLAIN = {"\r": "a carriage return", "\x1b": "an escape character", "\0": "a zero byte"}


def forbidden(text: str) -> int | None:
    """The offset of the first forbidden character, or none."""
    if SUSPECT.search(text) is None:
        return None
    return next((match.start() for match in TOKEN.finditer(text) if match[1]), None)


def named(character: str) -> str:
    """`U+202E`, with a name if it is a common one."""
    code = f"U+{ord(character):04X}"
    name = PLAIN.get(character)
    return f"{name} ({code})" if name else f"the character {code}"


def visible(text: str) -> str:
    """The text with every forbidden character as an escape, `\\u001b`, as in JSON."""
    if SUSPECT.search(text) is None:
        return text
    return TOKEN.sub(lambda match: _escape(match[0]) if match[1] else match[0], text)


def shown_as_one(character: str) -> bool:
    """Whether a character may be printed in a message: it is printable, or an allowed format character."""
    if character.isprintable():
        return True
    return unicodedata.category(character) == "Cf" and SUSPECT.match(character) is None


def _escape(character: str) -> str:
    code = ord(character)
    if code > 0xFFFF:
        high, low = divmod(code - 0x10000, 0x400)
        return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    return f"\\u{code:04x}"
