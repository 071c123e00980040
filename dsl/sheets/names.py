"""What people write in tables, as words of the rules: names of any script, headers, numbers, flags."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, name as name_of, normalize

from dsl.numbers import whole

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PLAIN = re.compile(r"[a-z0-9]+")
SPECIAL = str.maketrans(
    {
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "ı": "i",
        "&": " and ",
        "'": "",
        "’": "",
    }
)
"""Letters that Unicode takes for no other letter with a sign, and how they are written without."""
SOUNDS = {
    "theta": "th", "phi": "ph", "chi": "ch", "psi": "ps", "shin": "sh", "tsadi": "ts",
    "sheen": "sh", "khah": "kh", "theh": "th", "thal": "dh", "ghain": "gh", "ain": "a",
}  # fmt: skip
"""Letters of Greek, Hebrew and Arabic that sound otherwise than their name begins."""
BY_FIRST = ("GREEK", "HEBREW", "ARABIC")
"""Scripts whose letters sound as their names begin."""
TRUE = frozenset({"true", "1", "x", "yes", "y", "✓", "✔", "1.0"})
FALSE = frozenset({"", "false", "0", "no", "n", "-", "–", "✗", "0.0"})
LOCAL_TRUE = frozenset(
    {"igaz", "igen", "adevărat", "da", "wahr", "ja", "vrai", "oui", "verdadero", "sí", "vero"}
)
LOCAL_FALSE = frozenset({"hamis", "nem", "fals", "nu", "falsch", "nein", "faux", "non", "falso"})
"""How spreadsheets and people write them in other languages."""
LONGEST = 60
"""The longest word that is made of a text."""
WHOLE_DECIMAL = re.compile(r"([+-]?[0-9]+)[.,]0+")
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:([., '’])[0-9]{3})(?:\1[0-9]{3})*(?![0-9])")
"""A number in groups of three, as `12,000` and `12 000`; a game has no fractions of three digits."""
MINUS = str.maketrans({"−": "-", "\u00a0": "", "\u202f": "", "\u2009": ""})


@lru_cache(maxsize=4096)
def normal_form(text: str) -> str:
    """A text as a word of the rules: `Kikötő` is `kikoto`, `Toll House!` is `toll_house`.

    Small letters without signs; letters of other scripts by their names in Unicode; all else, between words,
    is one `_`. Empty if nothing is left.
    """
    small = normalize("NFKC", text.casefold().translate(SPECIAL))
    found = "_".join(PLAIN.findall("".join(map(_latin, small))))[:LONGEST].rstrip("_")
    return f"_{found}" if found[:1].isdigit() else found


def _latin(letter: str) -> str:
    """A letter without signs; one of another script by its name: `LETTER KA` is `ka`.

    A consonant of Cyrillic loses the vowels of its name.
    """
    hangul = "\uac00" <= letter <= "\ud7a3"
    base = letter if letter.isascii() or hangul else normalize("NFKD", letter)[0]
    if base.isascii():
        return base
    if not base.isalnum():
        return "" if combining(base) else " "
    script, *_, last = name_of(base, f"U {ord(base):04x}").split()
    sound = last.lower()
    if script == "CYRILLIC" and len(sound) > 1:
        return "" if sound == "sign" else re.sub("[aeiou]", "", sound)
    if script in BY_FIRST:
        return SOUNDS.get(sound, sound[:1])
    return sound.rpartition("-")[2]


def word_for(text: str) -> str:
    """The word for the name of a row: itself if it is one, else its normal form; empty if there is none."""
    return text if WORD.fullmatch(text) or (text.isascii() and text.isdigit()) else normal_form(text)


def number_in(text: str) -> int | None:
    """The whole number that a cell says, as spreadsheets write it; none if it says none.

    `1`, `1.0`, `1,0`, `−2`, `12,000` and `12 000`, and `'3`, which is how a number is typed as text.
    """
    plain = text.translate(MINUS).removeprefix("'")
    grouped = THOUSANDS.match(plain)
    if grouped is not None:
        plain = grouped[0].replace(grouped[1], "") + plain[grouped.end() :]
    decimal = WHOLE_DECIMAL.fullmatch(plain)
    return whole((decimal[1] if decimal is not None else plain).removeprefix("+"))


def flag_in(text: str) -> bool | None:
    """Whether a cell says yes; none if it says neither."""
    said = text.lower()
    return True if said in TRUE | LOCAL_TRUE else False if said in FALSE | LOCAL_FALSE else None
