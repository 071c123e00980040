"""Summaries and help texts that say something else than the lines and places that they are about.

Only what hardly ever is meant otherwise is compared: how much of a thing is gained, paid or drawn, whether a
choice is free, and which side of pieces is up. The words are English; other languages are compared with the
first one (V349).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from dsl import rules as r
from dsl.diagnostics import Diagnostic, Label
from dsl.numbers import NUMBER_WORDS
from dsl.rules.visit import walk
from dsl.source import Span
from dsl.wording import declared_singular
from validators.trace.messages import OtherAmount, OtherFace, OtherFreedom
from validators.trace.sites import RuleSite

ENGLISH: Final = frozenset({r.NO_LANGUAGE, "en"})
KINDS: Final = frozenset({"rule", "definition", "component"})
WORD = re.compile(r"[^\W\d_]+|\d+")
NUMERALS: Final = {word: number for number, word in enumerate(NUMBER_WORDS)}
BETWEEN: Final = frozenset(WORD.findall("of or and in to for than on from with if"))
"""Words after which a number does not count what follows."""
BOUNDS: Final = frozenset({"than", "least", "most", "to", "every", "of"})
"""Words before a number that is a bound or a rank and no amount."""
APART: Final = 2
"""A noun is at most so many words after its number: `three more coins`."""
FEWEST_LETTERS: Final = 4
FREE = re.compile(
    r"\b(?:players?|seats?|you|he|she|they|everybody|everyone|owners?) may (?!not\b|be\b|only\b)"
)
PARTS = re.compile(r"[,;.:]|\band\b")
DOWN, UP = "face down", re.compile(r"face up|turned up|\bopen\b|face-up")


@dataclass(frozen=True, slots=True)
class Told:
    """A text in the author's words, what it is the text of, and the statements that it tells."""

    of: str
    text: str
    lines: tuple[r.Line, ...]
    span: Span
    numbers: frozenset[int] = frozenset()

    @property
    def labels(self) -> tuple[Label, ...]:
        return tuple(Label(line.span.first_line(), "here") for line in self.lines[:2])


def summary_findings(rules: r.Rules, rendered: Mapping[str, tuple[RuleSite, ...]]) -> Iterator[Diagnostic]:
    """What texts of a game say otherwise than its rules do; nothing of those in other languages."""
    if rules.clauses_in in ENGLISH:
        for clause in rules.clauses.values():
            sites = rendered.get(clause.id, ())
            if clause.says and clause.kind in KINDS:
                yield from _of_lines(rules, _summary(clause, sites))
                yield from _faces(rules, clause, sites)
    if rules.language in ENGLISH:
        for name, text in rules.helps.items():
            routine = rules.routines.get(name)
            if routine is not None:
                yield from _of_lines(rules, Told(f"help of `{name}`", text, routine.block, routine.span))


def _summary(clause: r.Clause, sites: Iterable[RuleSite]) -> Told:
    lines = tuple(site.node for site in sites if isinstance(site.node, r.Line))
    return Told(f"summary of `{clause.id}`", clause.says, lines, clause.span, frozenset(clause.numbers))


def _of_lines(rules: r.Rules, told: Told) -> Iterator[Diagnostic]:
    yield from _amounts(rules, told)
    yield from _freedom(told)


# ---- how much


def _amounts(rules: r.Rules, told: Told) -> Iterator[Diagnostic]:
    """Numbers of a thing in a text, if each line with that thing has another number."""
    known: dict[str, set[int | None]] = {}
    for part in walk(told.lines):
        if isinstance(part, r.Transfer):
            amount = part.amount.value if isinstance(part.amount, r.Const) else None
            known.setdefault(part.counter, set()).add(amount)
    for name, amounts in known.items():
        noun = _noun(rules, name)
        said = [n for n in _counted(told.text, noun) if n not in told.numbers]
        exact = {amount for amount in amounts if amount is not None}
        if said and None not in amounts and exact.isdisjoint(said):
            found = ", ".join(map(str, sorted(exact)))
            yield OtherAmount(told.span, told.of, str(said[0]), noun, found, told.labels)


def _noun(rules: r.Rules, name: str) -> str:
    """The last word of what a counter is called, which says what is counted."""
    noun = declared_singular(rules.nouns.get(name, "")) or rules.labels.get(name) or name.replace("_", " ")
    return noun.split()[-1] if "{" not in noun else ""


def _counted(text: str, noun: str) -> Iterator[int]:
    """The numbers that count a thing: 3 of `three more coins`, none of `more than three coins`."""
    if len(noun) < FEWEST_LETTERS:
        return
    stem = noun.lower()[: max(FEWEST_LETTERS, len(noun) - 2)]
    words = [word.lower() for word in WORD.findall(text)]
    for i, word in enumerate(words):
        number = _number(word)
        if number is None or (i and words[i - 1] in BOUNDS):
            continue
        for following in words[i + 1 : i + 1 + APART]:
            if following.startswith(stem):
                yield number
            if following.startswith(stem) or following in BETWEEN or _number(following) is not None:
                break


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() else NUMERALS.get(word)


# ---- whether one may or must


def _freedom(told: Told) -> Iterator[Diagnostic]:
    """A text by which somebody may do something, if all choices of its lines must be made."""
    free = FREE.search(told.text)
    choices = [part for part in walk(told.lines) if isinstance(part, r.Choose | r.Offer)]
    forced = all(choice.strength == "must" and not _can_be_none(choice) for choice in choices)
    if free is not None and choices and forced:
        yield OtherFreedom(told.span, told.of, free[0].strip(), told.labels)


def _can_be_none(choice: r.Choose | r.Offer) -> bool:
    """Whether a choice that must be made leaves room: `if any`, or one of several actions."""
    return choice.if_any if isinstance(choice, r.Choose) else len(choice.targets) > 1


# ---- which side is up


def _faces(rules: r.Rules, clause: r.Clause, sites: Iterable[RuleSite]) -> Iterator[Diagnostic]:
    """A place that its clause calls face down, if everybody sees it; face up, if nobody does."""
    for site in sites:
        zone = site.node
        if not isinstance(zone, r.Zone) or clause.id not in zone.var.clauses:
            continue
        label = rules.labels.get(zone.name) or zone.name.replace("_", " ")
        stems = {word.lower()[:FEWEST_LETTERS] for word in WORD.findall(label) if len(word) >= FEWEST_LETTERS}
        text = clause.says.lower()
        about = [part for part in PARTS.split(text) if any(stem in part for stem in stems)]
        down, up = any(DOWN in part for part in about), any("face up" in part for part in about)
        if down and not UP.search(text) and zone.seen_by == "all":
            yield OtherFace(zone.var.span, clause.id, DOWN, zone.name, "everybody sees it")
        if up and DOWN not in text and zone.seen_by == "nobody":
            yield OtherFace(zone.var.span, clause.id, "face up", zone.name, "nobody sees it")
