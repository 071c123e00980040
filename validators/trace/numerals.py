"""The numbers in a sentence, in digits or in words of its language."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from validators.trace.messages import TextsNotInstalled
from validators.trace.sentences import words_of

HIGHEST_WORD = 100
FEWEST_LETTERS = 4
"""The fewest letters of a numeral for which a longer word counts as an inflected form: `háromnál`."""
LONGEST_ENDING = 4
COMPOUND = re.compile(r"[^\W\d]+-[^\W\d]+")
"""A word such as `fifty-four`."""
DIGITS = re.compile(r"(?<![\w.,])\d{1,6}(?!\w|[.,]\d)")
FORMS: dict[str, dict[str, int]] = {
    "hu": {
        "két": 2,
        "ketten": 2,
        "hármat": 3,
        "hárman": 3,
        "ötöt": 5,
        "öten": 5,
        "hatot": 6,
        "hatan": 6,
        "hetet": 7,
        "tizet": 10,
        "tizenkét": 12,
        "huszonkét": 22,
        "harminckét": 32,
    },
    "ro": {"doua": 2, "amandoi": 2, "ambii": 2},
}
"""Forms that the tables of numerals lack, matched as a whole; some without accents."""


def knows_numerals(language: str) -> bool:
    """Whether numbers in words can be recognised: the library is installed, and knows the language."""
    try:
        return bool(_numerals(language))
    except DiagnosticError:
        return False


def numbers_in(text: str, language: str) -> tuple[int, ...]:
    """The numbers from 2 on in a sentence, each once, in order.

    Zero and one are left out: in words they are articles in most languages, and rules rarely write them.
    """
    known = _numerals(language)
    found = [int(m[0]) for m in DIGITS.finditer(text)]
    compounds = {m[0]: n for m in COMPOUND.finditer(text) if (n := known.get(_plain(m[0]))) is not None}
    found += compounds.values()
    text = COMPOUND.sub(lambda m: "" if m[0] in compounds else m[0], text)
    found += [n for word in words_of(text) if (n := _number(word, known, _forms(language))) is not None]
    return tuple(dict.fromkeys(n for n in found if n > 1))


def _number(word: str, known: dict[str, int], whole: dict[str, int]) -> int | None:
    plain = _plain(word)
    if plain in known:
        return known[plain]
    begun = [n for n in known if n not in whole and len(n) >= FEWEST_LETTERS and plain.startswith(n)]
    longest = max(begun, key=len, default="")
    return known[longest] if begun and len(plain) - len(longest) <= LONGEST_ENDING else None


@cache
def _numerals(language: str) -> dict[str, int]:
    """The numerals of a language that are one word, or two with a hyphen; empty without rules for it."""
    engine = _engine(language)
    words = dict(_forms(language))
    for number in range(2, HIGHEST_WORD + 1) if engine is not None else ():
        for spelled in _spelled(engine, number):
            words.setdefault(_plain(spelled), number)
    return words


def _forms(language: str) -> dict[str, int]:
    return {_plain(word): n for word, n in FORMS.get(language, {}).items()}


def _spelled(engine: Any, number: int) -> set[str]:
    forms = engine.format_number(number).text_by_ruleset.values()
    return {form for form in forms if form.replace("-", "").isalpha()}


def _engine(language: str) -> Any:
    """The rules of Unicode's CLDR for numerals of a language; none if it has none."""
    try:
        from unicode_rbnf import RbnfEngine
    except ImportError:
        raise DiagnosticError(TextsNotInstalled(NOWHERE, "unicode-rbnf")) from None
    try:
        return RbnfEngine.for_language(language)
    except ValueError:
        return None


def _plain(word: str) -> str:
    """A word without accents, which are often left out."""
    split = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in split if not unicodedata.combining(c))
