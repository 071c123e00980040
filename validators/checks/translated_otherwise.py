"""Clauses whose translation has other numbers or holes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.declare.labels import HOLE
from dsl.rules import TranslatedText
from dsl.wording import quoted
from validators.check import Check, CheckContext, Finding
from validators.trace.numerals import DIGITS, knows_numerals, numbers_in


@dataclass(frozen=True)
class TranslatedOtherwise(Finding):
    """A text of the rulebook has numbers or holes that its translation has not, or the other way round.

    A translation says the same as the first text, so every number of two or more in the one is in the other,
    in digits or in a word, and so is every hole such as `{seat}`. A slip of the pen here is a wrong rule for
    those who read it. Numbers in words count in languages whose numerals are known, with the libraries for
    texts: `pip install rulewright[texts]`.

    Example:

        # rulebook.yaml                        # rulebook.hu.yaml
        §2.1:                                  §2.1:
          says: Each player draws 3 cards.       says: Minden játékos 2 lapot húz.

    Correct the translation; if both are right, write the number in both.
    """

    code = "V349"
    slug = "translated-otherwise"
    title = "`{language}` says {of} without {lacks}"
    label = "{has} it"
    advice = "correct the translation, or write the number in both"

    language: str = ""
    of: str = ""
    lacks: str = ""
    has: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    first = subject.rules.clauses_in
    for language, translation in subject.rules.translations.items():
        for text in translation.texts:
            if text.translated:
                yield from _differences(text, first, language)


def _differences(text: TranslatedText, first: str, language: str) -> Iterator[Finding]:
    of = f"`{text.key}` of `{text.name}`" if text.key else f"`{text.name or text.section}`"
    holes = _holes(text.text), _holes(text.translated)
    sides = (text.text, first), (text.translated, language)
    for lacking, (one, other), (ours, theirs) in (
        (language, sides, holes),
        (first, sides[::-1], holes[::-1]),
    ):
        lacks = [
            *(str(number) for number in _lacking(*one, *other)),
            *(f"{{{hole}}}" for hole in ours if hole not in theirs),
        ]
        if lacks:
            has = f"`{first if lacking == language else language}` has"
            about = f"{language} {text.section} {text.name} {text.key}".strip()
            yield TranslatedOtherwise(
                text.span, about, language=lacking, of=of, lacks=quoted(lacks, "and"), has=has
            )


def _holes(text: str) -> list[str]:
    return [match[1] for match in HOLE.finditer(text)]


def _lacking(text: str, language: str, other: str, other_language: str) -> list[int]:
    """The numbers of a text that another one has not, as far as they can be recognised there."""
    there = _numbers(other, other_language)
    certain = {int(m[0]) for m in DIGITS.finditer(text)}
    both = knows_numerals(_primary(language)) and knows_numerals(_primary(other_language))
    return [n for n in _numbers(text, language) if n not in there and (both or n in certain)]


def _numbers(text: str, language: str) -> tuple[int, ...]:
    if knows_numerals(_primary(language)):
        return numbers_in(text, _primary(language))
    return tuple(n for m in DIGITS.finditer(text) if (n := int(m[0])) > 1)


def _primary(language: str) -> str:
    return language.partition("-")[0]


CHECK = Check(TranslatedOtherwise, find)
