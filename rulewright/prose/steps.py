"""Sentences as steps: what is said with what it leads to, and the marks behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.prose.document import Step, cited, slug
from rulewright.prose.english import lower, plain_verb, sentence, verb

BEGINNINGS = ("If ", "For ", "As long as ", "As soon as ", "Otherwise")
"""How a sentence begins that does not go into another one."""


def said(text: str) -> Step:
    return Step(sentence(text))


def told(who: str, third: str, what: str) -> str:
    """`choose a card`; of another seat `your opponent chooses a card`."""
    said = plain_verb(third) if who == "you" else f"{who} {verb(who, third)}"
    return f"{said} {what}"


def marked(step: Step, clauses: Sequence[str]) -> Step:
    """A step with more marks behind it."""
    return replace(step, clauses=joined(step.clauses, tuple(clauses))) if clauses else step


def joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def guarded(words: str, steps: tuple[Step, ...]) -> Step:
    """`If …, do this.` in one sentence where that is all; else with the steps below it."""
    if not steps:
        return said(f"{words}, nothing happens")
    if len(steps) == 1 and not steps[0].text.startswith(BEGINNINGS):
        only = steps[0]
        return replace(only, text=f"{words}, {lower(only.text)}")
    return opened(words, steps)


def opened(words: str, steps: tuple[Step, ...]) -> Step:
    """`As long as …: do this.`, or with the steps below it."""
    if len(steps) == 1 and not steps[0].parts:
        return replace(steps[0], text=f"{words}: {lower(steps[0].text)}")
    return Step(f"{words}:", (), steps)


def headed(head: str, then: str, steps: tuple[Step, ...]) -> Step:
    """A choice and what is done with what was chosen."""
    if len(steps) == 1 and not steps[0].parts:
        word = {"Then:": "Then", "Each time:": "Each time,"}.get(then, then.replace(":", ","))
        return Step(f"{sentence(head)} {word} {lower(steps[0].text)}", tuple(cited(steps[0])))
    return Step(f"{sentence(head)} {then}", (), steps)


def routine_id(name: str) -> str:
    return slug("do", name)
