"""Clauses, labels and help texts whose translation has other numbers or holes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.declare.labels import HOLE
from dsl.rules import Rules, TranslatedText, Translation
from dsl.wording import quoted, shortened
from validators.check import Check, CheckContext, Finding
from validators.trace.numerals import DIGITS, knows_numerals, numbers_in

MARK = re.compile(r"§\w+(?:\.\w+)*")


@dataclass(frozen=True)
class TranslatedOtherwise(Finding):
    """A text of the rulebook, a label or a help text has other numbers or holes than its translation.

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
    title = "`{language}` translates {of} {how}"
    label = "`{other}` says “{text}”"
    advice = "correct the translation, or write the number in both"

    language: str = ""
    other: str = ""
    of: str = ""
    how: str = ""
    text: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    first = subject.rules.clauses_in
    for language, translation in subject.rules.translations.items():
        for text in translation.texts:
            if text.translated:
                yield from _differences(text, first, language)
        for text in _words(subject.rules, translation):
            yield from _differences(text, subject.rules.language, language)


def _words(rules: Rules, translation: Translation) -> Iterator[TranslatedText]:
    """The labels and help texts that a language has too."""
    both = ((rules.labels, translation.labels), (rules.helps, translation.helps))
    for section, (ours, theirs) in zip(("labels", "help"), both, strict=True):
        for name in (name for name in ours if theirs.get(name)):
            span = translation.written.get(name, translation.span)
            yield TranslatedText(section, name, "", ours[name], theirs[name], span)


def _differences(text: TranslatedText, first: str, language: str) -> Iterator[Finding]:
    ours, theirs = _numbers(text.text, first), _numbers(text.translated, language)
    gone = [n for n in ours if n not in theirs]
    new = [n for n in theirs if n not in ours]
    if not (gone and new):
        gone, new = _in_digits(gone, text.text), _in_digits(new, text.translated)
    holes, others = _holes(text.text), _holes(text.translated)
    without = [*map(str, gone), *(hole for hole in holes if hole not in others)]
    added = [*map(str, new), *(hole for hole in others if hole not in holes)]
    how = [
        f"{word} {quoted(found, 'and')}" for word, found in (("without", without), ("with", added)) if found
    ]
    if how:
        yield TranslatedOtherwise(
            text.span,
            f"{language} {text.section} {text.name} {text.key}".strip(),
            language=language,
            other=first,
            of=f"`{text.key}` of `{text.name}`" if text.key else f"`{text.name or text.section}`",
            how=" and ".join(how),
            text=shortened(text.text),
        )


def _in_digits(numbers: list[int], text: str) -> list[int]:
    """Those numbers that stand in digits in a text."""
    written = {int(m[0]) for m in DIGITS.finditer(text)}
    return [n for n in numbers if n in written]


def _holes(text: str) -> list[str]:
    return [*(f"{{{match[1]}}}" for match in HOLE.finditer(text)), *MARK.findall(text)]


def _numbers(text: str, language: str) -> tuple[int, ...]:
    """The numbers from 2 on in a text, in digits and, as far as they are known, in words."""
    primary = language.partition("-")[0]
    if knows_numerals(primary):
        return numbers_in(text, primary)
    return tuple(n for m in DIGITS.finditer(text) if (n := int(m[0])) > 1)


CHECK = Check(TranslatedOtherwise, find)
