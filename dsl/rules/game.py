"""The flow of phases, and the typed rules of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from dsl.rules.declarations import (
    Clause,
    Component,
    Constant,
    Counter,
    Mark,
    Option,
    Pointer,
    Row,
    Table,
    Text,
    TypeDecl,
    Zone,
)
from dsl.rules.definitions import Invariant, NamedCollection, Routine, ScoreLine, Trigger, Value
from dsl.rules.look import Look
from dsl.rules.statements import Strength
from dsl.source import Span

Best = Literal["highest", "lowest", "none"]
"""Which total wins in a phase that scores; with `none` totals are not compared."""


@dataclass(frozen=True, slots=True)
class CallStep:
    name: str
    routine: str
    span: Span


@dataclass(frozen=True, slots=True)
class OfferStep:
    name: str
    strength: Strength
    routines: tuple[str, ...]
    option: str | None
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatsStep:
    """A list of steps for each seat in turn; the seat is `active` and `me`."""

    steps: tuple[CallStep | OfferStep, ...]
    by: str | None
    span: Span
    clauses: tuple[str, ...] = ()


FlowStep = CallStep | OfferStep | SeatsStep


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    rotates: bool
    steps: tuple[FlowStep, ...]
    then: tuple[tuple[str | None, str], ...]
    scores: Best | None
    span: Span
    clauses: tuple[str, ...]

    def all_steps(self) -> Iterator[FlowStep]:
        """The steps in order; those within a `SeatsStep` follow it."""
        for step in self.steps:
            yield step
            if isinstance(step, SeatsStep):
                yield from step.steps


@dataclass(frozen=True, slots=True)
class Suppression:
    """A finding that the author allows: its code, what it is about, and the reason."""

    code: str
    about: str
    why: str
    span: Span


Pick = Literal["first", "last", "lowest", "highest", "any"]
"""Which of several choices is made for a seat that stays away."""


@dataclass(frozen=True, slots=True)
class Preference:
    """What is chosen for a seat that stays away: a choice with these words; of several, by `pick`.

    Without words every choice but passing fits.
    """

    words: tuple[str, ...]
    pick: Pick
    span: Span


NO_LANGUAGE = "und"
"""The tag of labels whose language is not known."""


@dataclass(frozen=True, slots=True)
class Untranslated:
    """A word whose `kind` of text, `label` or `help`, only one of two languages has.

    `extra`: it is the default language that lacks it.
    """

    kind: str
    name: str
    span: Span
    extra: bool


@dataclass(frozen=True, slots=True)
class Translation:
    """What people read in another language than the default one.

    `span` is where `game.yaml` names it, `written` where a text of each word is.
    """

    labels: dict[str, str]
    helps: dict[str, str]
    nouns: dict[str, str]
    phrases: dict[str, str]
    span: Span
    untranslated: tuple[Untranslated, ...] = ()
    written: dict[str, Span] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rules:
    """The typed rules of a game. `digest` is the content hash of its files, but for those of translations
    and of its look.

    `labels`, `helps`, `nouns` and `phrases` are what people read in the chosen `language`, a tag of BCP 47;
    `translations` has the others.
    """

    name: str
    title: str
    seats: tuple[int, int]
    longest: int
    types: dict[str, TypeDecl]
    components: dict[str, Component]
    zones: dict[str, Zone]
    counters: dict[str, Counter]
    marks: dict[str, Mark]
    pointers: dict[str, Pointer]
    tables: dict[str, Table]
    options: dict[str, Option]
    constants: dict[str, Constant]
    cells: tuple[tuple[str, tuple[int, ...]], ...]
    routines: dict[str, Routine]
    values: dict[str, Value]
    collections: dict[str, NamedCollection]
    triggers: tuple[Trigger, ...]
    scores: tuple[ScoreLine, ...]
    invariants: tuple[Invariant, ...]
    phases: dict[str, Phase]
    clauses: dict[str, Clause]
    labels: dict[str, str]
    helps: dict[str, str]
    span: Span
    digest: str
    allowed: tuple[Suppression, ...] = ()
    goals: tuple[Invariant, ...] = ()
    texts: dict[str, Text] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    nouns: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    look: Look = field(default_factory=Look)
    absent: dict[str, tuple[Preference, ...]] = field(default_factory=dict)
    """By decision what is chosen for a seat that stays away, in order of preference."""
    language: str = NO_LANGUAGE
    translations: dict[str, Translation] = field(default_factory=dict)
    written: dict[str, Span] = field(default_factory=dict)
    """Where a text of each word is, in the files of labels."""

    @property
    def shared(self) -> frozenset[str]:
        """The zones, counters, marks and pointers with `shared: first come`."""
        kinds = (self.zones, self.counters, self.marks, self.pointers)
        return frozenset(x.var.name for kind in kinds for x in kind.values() if x.var.shared is not None)

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of all languages that there are labels in; the first is the chosen one."""
        return (self.language, *self.translations)

    def language_for(self, tag: str) -> str | None:
        """The language that serves for a tag: the same, or a more general one, `hu` for `hu-HU`; or none."""
        known = {language.lower(): language for language in self.languages}
        parts = tag.lower().replace("_", "-").split("-")
        shorter = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
        return next((known[one] for one in shorter if one in known), None)

    def in_language(self, tag: str) -> Rules:
        """The same rules with the labels of another language chosen. A word that it lacks keeps its own.

        Raises `KeyError` if there are no labels in that language.
        """
        chosen = self.language_for(tag)
        if chosen is None:
            raise KeyError(tag)
        if chosen == self.language:
            return self
        found = self.translations[chosen]
        before = Translation(self.labels, self.helps, self.nouns, self.phrases, self.span, (), self.written)
        others = {self.language: before, **self.translations}
        del others[chosen]
        return replace(
            self,
            language=chosen,
            translations=others,
            labels={**self.labels, **found.labels},
            helps={**self.helps, **found.helps},
            nouns={**self.nouns, **found.nouns},
            phrases={**self.phrases, **found.phrases},
            written={**self.written, **found.written},
        )
