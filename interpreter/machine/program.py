"""The machine: nodes, and everything that says what the words of a state mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.domains import Type
from dsl.source import Span
from interpreter.machine.cover import Point
from interpreter.machine.expressions import Expr
from interpreter.machine.nodes import Step


@dataclass(frozen=True, slots=True)
class Place:
    """One place of one zone, and how it keeps pieces at its address."""

    zone: str
    of: int | None
    at: int | None
    kind: int
    base: int
    capacity: int
    classes: int
    limited: bool


@dataclass(frozen=True, slots=True)
class Words:
    """A counter, mark or pointer: its address, its indices and what its words mean."""

    kind: Literal["counter", "mark", "pointer"]
    name: str
    base: int
    of: str | None
    at: str | None
    of_lo: int
    of_size: int
    at_lo: int
    at_size: int
    type: Type
    ranges: tuple[tuple[int, int], ...]
    start: tuple[int, ...]

    @property
    def size(self) -> int:
        return self.of_size * self.at_size

    def bounds(self, address: int) -> tuple[int, int]:
        """The range of the word at an address of the state."""
        if len(self.ranges) == 1:
            return self.ranges[0]
        i = address - self.base
        return self.ranges[i % self.at_size if self.at is not None else i // self.at_size]


@dataclass(frozen=True, slots=True)
class RoutineCode:
    """Where a routine begins, by how many leading arguments it is given."""

    name: str
    kind: str
    entries: tuple[int, ...]
    parameters: tuple[str, ...]
    size: int
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TriggerCode:
    """A trigger's condition, or the places that it watches.

    With a condition, `held` is the first of one word per binding. Without one, it is a queue of what
    has moved: a number, then (piece, place) each.
    """

    routine: int
    condition: Expr | None
    regs: tuple[int, ...]
    bindings: tuple[tuple[int, ...], ...]
    held: int
    busy: int
    enters: bool = False
    watched: tuple[int, ...] = ()
    indices: tuple[Literal["of", "at"], ...] = ()
    classes: int = 0
    capacity: int = 0
    seat: int = -1


@dataclass(frozen=True, slots=True)
class Entry:
    """A phase, or a step of one, at which a scenario may start; the seat that acts is set by then."""

    node: int
    phase: int
    order: int | None
    resume: int


@dataclass(frozen=True, slots=True)
class ScoreCode:
    kind: Literal["score", "tiebreak"]
    name: str
    value: Expr
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvariantCode:
    """A promise. A `settled` one cannot come to be broken in play, so nobody looks at it there."""

    condition: Expr
    span: Span
    clauses: tuple[str, ...]
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Machine:
    """A compiled game for one number of seats and one setting of its options."""

    name: str
    seats: int
    options: dict[str, int]
    digest: str
    longest: int
    nodes: tuple[Step, ...]
    routines: tuple[RoutineCode, ...]
    cells: tuple[tuple[int, tuple[int, ...]], ...]
    triggers: tuple[TriggerCode, ...]
    scores: tuple[ScoreCode, ...]
    invariants: tuple[InvariantCode, ...]
    best: Literal["highest", "lowest", "none"]
    phases: tuple[str, ...]
    entries: dict[str, Entry]
    start: int
    flow_size: int
    size: int
    registers: int
    streams: tuple[str, ...]
    stream_base: int
    words: dict[str, Words]
    places: tuple[Place, ...]
    zone_places: dict[str, tuple[int, int]]
    shown: dict[int, int]
    stack: int
    stack_size: int
    branches: int
    branch_stack: int
    branch_size: int
    saved: int
    saved_from: int
    saved_to: int
    start_pieces: tuple[tuple[int, int, int], ...]
    start_words: tuple[tuple[int, int], ...]
    place_components: dict[str, str]
    component_classes: dict[str, int]
    totals: dict[str, int] = field(default_factory=dict)
    goals: tuple[InvariantCode, ...] = ()
    """What must hold at some stop of every match. No executor asks for it; it is for explorations."""
    cover: tuple[Point, ...] = ()
    """The points of cover, the same for every configuration of a game; none if nothing is to be noted."""
