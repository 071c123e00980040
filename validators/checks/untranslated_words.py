"""Words that are labelled in one language and not in another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.rules import Untranslated
from validators.check import Check, CheckContext, Finding
from validators.checks.label_of_nothing import shown_names

NAMED = 6
"""The most words that are named."""
KINDS = {"label": ("label", "labels", "to"), "help": ("help text", "help texts", "under `help` in")}


@dataclass(frozen=True)
class UntranslatedWords(Finding):
    """Words have a label or help text in one language, and none in another.

    Where a language lacks a word, people read that of the default language, the first of `labels`, in the
    middle of their own. Where the default language lacks it, they read the bare name.

    Example:

        # labels/en.yaml             # labels/hu.yaml
        hand: hand                   hand: kéz
        pile: pile

    Add the words; an empty label stands for one that nobody reads.
    """

    code = "V342"
    slug = "untranslated-words"
    title = "`{language}` has no {texts} for {names}"
    label = "`{other}` has one"
    advice = "add {them} {where} the labels for `{language}`"

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
                found = [w for w in translation.untranslated if w.kind == kind and w.extra is extra]
                words = [word for word in found if word.name in names]
                if words:
                    lacks, has = (rules.language, language) if extra else (language, rules.language)
                    yield _finding(lacks, has, kind, words)


def _finding(lacks: str, has: str, kind: str, words: list[Untranslated]) -> UntranslatedWords:
    named = [f"`{word.name}`" for word in words[:NAMED]]
    rest = [f"{len(words) - NAMED} more"] if len(words) > NAMED else []
    *before, last = [*named, *rest]
    return UntranslatedWords(
        words[0].span,
        f"{lacks} {KINDS[kind][1]}",
        language=lacks,
        other=has,
        texts=KINDS[kind][len(words) > 1],
        names=f"{', '.join(before)} and {last}" if before else last,
        where=KINDS[kind][2],
        them="it" if len(words) == 1 else "them",
    )


CHECK = Check(UntranslatedWords, find)
