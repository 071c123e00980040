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

    A translation says the same as the first text, so every number from 2 on that is in digits in the one is
    in the other, in digits or in a word, and so is every hole such as `{seat}`. A slip of the pen here is a
    wrong rule for those who read it. Of numbers in words, which languages use differently ("both", "a pair"),
    one that stands in place of another is reported; with the libraries for texts, and in languages whose
    numerals they know: `pip install rulewright[texts]`.

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
    ours, theirs = _numbers(text.text, first), _numbers(text.translated, language)
    gone = [n for n in ours if n not in theirs]
    new = [n for n in theirs if n not in ours]
    for lacking, numbers, written, (here, there) in (
        (language, gone, text.text, holes),
        (first, new, text.translated, holes[::-1]),
    ):
        certain = {int(m[0]) for m in DIGITS.finditer(written)}
        lacks = [str(n) for n in numbers if n in certain or (gone and new)]
        lacks += [f"{{{hole}}}" for hole in here if hole not in there]
        if lacks:
            has = f"`{first if lacking == language else language}` has"
            about = f"{language} {text.section} {text.name} {text.key}".strip()
            yield TranslatedOtherwise(
                text.span, about, language=lacking, of=of, lacks=quoted(lacks, "and"), has=has
            )


def _holes(text: str) -> list[str]:
    return [match[1] for match in HOLE.finditer(text)]


def _numbers(text: str, language: str) -> tuple[int, ...]:
    """The numbers from 2 on in a text, in digits and, as far as they are known, in words."""
    primary = language.partition("-")[0]
    if knows_numerals(primary):
        return numbers_in(text, primary)
    return tuple(n for m in DIGITS.finditer(text) if (n := int(m[0])) > 1)


CHECK = Check(TranslatedOtherwise, find)
