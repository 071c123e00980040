"""The flow of phases, and the typed rules of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
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
from dsl.rules.definitions import Invariant, Routine, ScoreLine, Trigger, Value
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


@dataclass(frozen=True, slots=True)
class Rules:
    """The typed rules of a game. `digest` is the content hash of all its files but those of its look."""

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

    @property
    def shared(self) -> frozenset[str]:
        """The zones, counters, marks and pointers with `shared: first come`."""
        kinds = (self.zones, self.counters, self.marks, self.pointers)
        return frozenset(x.var.name for kind in kinds for x in kind.values() if x.var.shared is not None)
