"""Words, clauses and rulings that have a text in one language and none in another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.source import Span
from validators.check import Check, CheckContext, Finding
from validators.checks.label_of_nothing import shown_names

NAMED = 6
"""The most words that are named in one finding."""
KINDS = {
    "label": ("label", "labels", "to the labels"),
    "help": ("help text", "help texts", "under `help` in the labels"),
}
BOOK = "to the rulebook file"


@dataclass(frozen=True)
class UntranslatedWords(Finding):
    """Words, clauses or rulings have a text in one language, and none in another.

    Where a language lacks a text, people read that of the default language, the first of `labels` or of
    `clauses`, in the middle of their own. Where the default language lacks a label, they read the bare name.

    Example:

        # labels/en.yaml             # labels/hu.yaml
        hand: hand                   hand: kéz
        pile: pile

    Add the texts: `rulewright labels GAME --language hu` lists them, and writes a file to fill in. An empty
    label stands for one that nobody reads.
    """

    code = "V342"
    slug = "untranslated-words"
    title = "`{language}` has no {texts} for {names}"
    label = "`{other}` has one"
    advice = "add {them} {where} for `{language}`"

    language: str = ""
    other: str = ""
    texts: str = ""
    names: str = ""
    them: str = ""
    where: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    names = shown_names(rules)
    for language, translation in rules.translations.items():
        for kind in KINDS:
            for extra in (False, True):
                lacking = [w for w in translation.untranslated if w.kind == kind and w.extra is extra]
                words = [word for word in lacking if word.name in names]
                if words:
                    lacks, has = (rules.language, language) if extra else (language, rules.language)
                    places = [(word.name, word.span) for word in words]
                    yield _finding(lacks, has, KINDS[kind], places)
        is_begun = translation.clauses_in == language
        missing = [text for text in translation.texts if is_begun and not text.translated]
        for of, key in dict.fromkeys((text.section, text.key) for text in missing):
            places = [
                (text.name or of, text.span) for text in missing if (text.section, text.key) == (of, key)
            ]
            yield _finding(language, rules.clauses_in, (f"`{key or of}`", f"`{key or of}`", BOOK), places)


def _finding(
    lacks: str, has: str, kind: tuple[str, str, str], places: list[tuple[str, Span]]
) -> UntranslatedWords:
    named = [f"`{name}`" for name, _ in places[:NAMED]]
    rest = [f"{len(places) - NAMED} more"] if len(places) > NAMED else []
    *before, last = [*named, *rest]
    return UntranslatedWords(
        places[0][1],
        f"{lacks} {kind[1].strip('`')}",
        language=lacks,
        other=has,
        texts=kind[len(places) > 1],
        names=f"{', '.join(before)} and {last}" if before else last,
        where=kind[2],
        them="it" if len(places) == 1 else "them",
    )


CHECK = Check(UntranslatedWords, find)
