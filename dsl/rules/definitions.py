"""Typed definitions: routines, values, triggers, score lines and invariants."""

from __future__ import annotations

from typing import Literal

from dsl.domains import Type
from dsl.frozen import dataclass
from dsl.rules.expressions import Binder, Collection, Expr, InZone, Several, Var
from dsl.rules.statements import Block
from dsl.source import Span


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; with a binder, the acting seat can choose it. `several`: it chooses a set of them."""

    var: Var
    binder: Binder | None
    several: Several | None = None


@dataclass(frozen=True, slots=True)
class Routine:
    kind: Literal["action", "effect", "procedure"]
    name: str
    parameters: tuple[Parameter, ...]
    block: Block
    nests: int | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueCase:
    value: Expr
    condition: Expr | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueLet:
    """A local of a value, for all of its cases."""

    var: Var
    value: Expr
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Modifier:
    mode: Literal["by", "to"]
    parameters: tuple[Var, ...]
    amount: Expr
    condition: Expr | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    parameters: tuple[Var, ...]
    type: Type
    lets: tuple[ValueLet, ...]
    cases: tuple[ValueCase, ...]
    modifiers: tuple[Modifier, ...]
    span: Span
    clauses: tuple[str, ...]

    @property
    def parts(self) -> tuple[tuple[ValueLet | ValueCase | Modifier, ...], ...]:
        """All that it is made of, in the order of evaluation."""
        return self.lets, self.cases, self.modifiers


@dataclass(frozen=True, slots=True)
class NamedCollection:
    """A `value` that is a collection; its locals and cases are parts of the collection.

    `lines` are the clauses of these, each once.
    """

    name: str
    parameters: tuple[Var, ...]
    collection: Collection
    span: Span
    clauses: tuple[str, ...]
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trigger:
    """`when C`: the block runs once each time C becomes true, for each binding of `free`.

    `when x enters Z of seat` (or `leaves`): the block runs for each piece, after the whole move; `free`
    are then the indices of the place, and `piece` is the piece where it lies now.
    """

    free: tuple[Var, ...]
    condition: Expr | None
    event: Literal["enters", "leaves"] | None
    piece: Var | None
    zone: InZone | None
    block: Block
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the account; of tie-breaks, `best` says whether the highest or the lowest decides."""

    kind: Literal["score", "tiebreak"]
    name: str
    value: Expr
    span: Span
    clauses: tuple[str, ...]
    best: Literal["highest", "lowest"] = "highest"


@dataclass(frozen=True, slots=True)
class Invariant:
    condition: Expr
    span: Span
    clauses: tuple[str, ...]
