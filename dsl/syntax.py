"""The abstract syntax of the rules language, every node with its span."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, Literal

from dsl import operators
from dsl.frozen import dataclass
from dsl.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    span: Span


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A bare name where only a name is allowed."""

    text: str


# ---- expressions


@dataclass(frozen=True, slots=True)
class Name(Node):
    text: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """`none`, `true` or `false`."""

    value: Literal["none", "true", "false"]


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: Word
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`card.cost`, or `tile.wants(colour)` with a key into a group of columns."""

    owner: Expr
    name: Word
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Address(Node):
    """`slot of me at disc`."""

    head: Expr
    of: Expr | None
    at: Expr | None


@dataclass(frozen=True, slots=True)
class TimesRecorded(Node):
    """`times(position)`."""

    history: Word


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    op: operators.Arithmetic
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Negative(Node):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Compare(Node):
    op: operators.Comparison
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty(Node):
    operand: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Exists(Node):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Member(Node):
    item: Expr
    collection: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Can(Node):
    what: Expr
    actor: Word | None


@dataclass(frozen=True, slots=True)
class Logic(Node):
    op: operators.Connective
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Ternary(Node):
    """`A if C else B`; without B it is 0."""

    then: Expr
    condition: Expr
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class Interval(Node):
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class ListOf(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Pair(Node):
    """`(suit, rank)`: the parts of a value of a product, or of several indices."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`x in S where C`; without `in`, the values of the type that is called `x`."""

    name: Word
    collection: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    kind: Literal["any", "count", "those"]
    binder: Binder


@dataclass(frozen=True, slots=True)
class Prefix(Node):
    """`those(x in S while C)`: the longest prefix for which C holds.

    `until`: the shortest one at whose last value C holds, or all.
    """

    kind: Literal["count", "those"]
    binder: Binder
    condition: Expr
    until: bool


@dataclass(frozen=True, slots=True)
class Fold(Node):
    kind: operators.Folding
    body: Expr
    binder: Binder


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    kind: Literal["min", "max"]
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Pick(Node):
    kind: operators.Picking
    binder: Binder
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Ranked(Node):
    """`those highest(x in S by k)`: all that tie for the best; with a number, the first so many."""

    number: Expr | None
    kind: Literal["lowest", "highest"]
    binder: Binder
    keys: tuple[Expr, ...]


Expr = (
    Name
    | Number
    | Constant
    | Call
    | Attribute
    | Address
    | TimesRecorded
    | Arithmetic
    | Negative
    | Compare
    | IsEmpty
    | Exists
    | Member
    | Can
    | Logic
    | Not
    | Ternary
    | Interval
    | ListOf
    | Pair
    | Quantifier
    | Prefix
    | Fold
    | Extreme
    | Pick
    | Ranked
)

# ---- statements

Strength = Literal["must", "may", "keep"]


@dataclass(frozen=True, slots=True)
class Statement:
    span: Span
    clauses: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Let(Statement):
    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    op: operators.Assignment
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class CallLine(Statement):
    call: Expr


@dataclass(frozen=True, slots=True)
class Gain(Statement):
    verb: Literal["gain", "pay", "lose"]
    subject: Expr | None
    amount: Expr
    counter: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class Place(Node):
    end: Literal["top", "bottom"] | None
    zone: Expr


@dataclass(frozen=True, slots=True)
class Origin(Node):
    """Where pieces are taken from, and from which end of it."""

    end: Literal["top", "bottom"] | None
    zone: Expr


@dataclass(frozen=True, slots=True)
class MovePiece(Statement):
    what: Expr
    to: Place


@dataclass(frozen=True, slots=True)
class MoveAll(Statement):
    source: Expr
    to: Place


@dataclass(frozen=True, slots=True)
class MoveCount(Statement):
    """Exactly so many pieces, or with `up to` fewer if there are not as many."""

    number: Expr
    source: Origin
    to: Place
    up_to: bool


@dataclass(frozen=True, slots=True)
class Draw(Statement):
    name: Word
    source: Origin
    to: Place


@dataclass(frozen=True, slots=True)
class Roll(Statement):
    """One die, or a zone of dice."""

    what: Expr


@dataclass(frozen=True, slots=True)
class RollOver(Statement):
    """Dice of one zone are rolled into another: a number of them, or all."""

    number: Expr | None
    source: Expr
    to: Place
    up_to: bool


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    zone: Expr


@dataclass(frozen=True, slots=True)
class ChanceChooses(Statement):
    """`chance chooses x from S where C by weight w`."""

    name: Word
    collection: Expr | None
    where: Expr | None
    weight: Expr | None


@dataclass(frozen=True, slots=True)
class Show(Statement):
    """Pieces, or a hidden value, are shown to a seat; without a seat to everybody.

    `openly`: the others learn that it is shown, and to whom.
    """

    zone: Expr
    to: Expr | None
    openly: bool


@dataclass(frozen=True, slots=True)
class Swap(Statement):
    """Two addresses exchange what is there."""

    one: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class SetMark(Statement):
    mark: Expr


@dataclass(frozen=True, slots=True)
class Clear(Statement):
    """`clear NAME of me`; with `every`, of all indices that are left out or are collections."""

    target: Expr
    every: bool


@dataclass(frozen=True, slots=True)
class Record(Statement):
    history: Word


@dataclass(frozen=True, slots=True)
class Needs(Statement):
    condition: Expr


@dataclass(frozen=True, slots=True)
class EndGame(Statement):
    outcome: Word | None


@dataclass(frozen=True, slots=True)
class Wins(Statement):
    seat: Expr
    outcome: Word | None


@dataclass(frozen=True, slots=True)
class WinTogether(Statement):
    seats: Expr
    outcome: Word | None


@dataclass(frozen=True, slots=True)
class Loses(Statement):
    seat: Expr
    outcome: Word | None


@dataclass(frozen=True, slots=True)
class Nothing(Statement):
    pass


Asked = Literal["always", "if any", "if several"]
"""When a choice that must be made is asked for: always, or only if there is a value, or more than one."""


@dataclass(frozen=True, slots=True)
class Several(Node):
    """How many are chosen as a set: a number or a range, with `up_to` any number up to it; and its name."""

    number: Expr
    up_to: bool
    group: Word | None


@dataclass(frozen=True, slots=True)
class Choose(Statement):
    strength: Strength
    subject: Expr | None
    name: Word
    collection: Expr | None
    where: Expr | None
    asked: Asked
    secretly: bool
    several: Several | None
    most: Expr | None
    block: Block | None
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class Offer(Statement):
    """`do`, `do one of`, `may do`, `may keep doing`."""

    strength: Strength
    subject: Expr | None
    targets: tuple[Expr, ...]
    actor: Word | None
    block: Block | None
    otherwise: Block | None
    most: Expr | None = None


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expr
    block: Block
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class While(Statement):
    condition: Expr
    most: Expr | None
    block: Block


@dataclass(frozen=True, slots=True)
class Recall(Statement):
    """`recall best HISTORY by COUNTER`."""

    history: Word
    worth: Word
    block: Block


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    number: Expr
    block: Block


@dataclass(frozen=True, slots=True)
class RepeatUntil(Statement):
    """A block that runs at least once; without a condition, until it changes nothing."""

    condition: Expr | None
    most: Expr
    block: Block


@dataclass(frozen=True, slots=True)
class For(Statement):
    binder: Binder
    keys: tuple[Expr, ...]
    block: Block


@dataclass(frozen=True, slots=True)
class EachTurn(Statement):
    who: Word
    start: Expr | None
    keys: tuple[Expr, ...]
    where: Expr | None
    block: Block


@dataclass(frozen=True, slots=True)
class EachTogether(Statement):
    who: Word
    block: Block


Line = (
    Let
    | Assign
    | CallLine
    | Gain
    | MovePiece
    | MoveAll
    | MoveCount
    | Draw
    | Roll
    | RollOver
    | Shuffle
    | ChanceChooses
    | Show
    | Swap
    | SetMark
    | Clear
    | Record
    | Needs
    | EndGame
    | Wins
    | WinTogether
    | Loses
    | Nothing
    | Choose
    | Offer
    | If
    | While
    | Recall
    | Repeat
    | RepeatUntil
    | For
    | EachTurn
    | EachTogether
)
Block = tuple[Line, ...]

# ---- definitions


@dataclass(frozen=True, slots=True)
class Domain(Node):
    """`T`, `T or none`, or `set of T`."""

    collection: Expr
    optional: bool
    several: bool


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: Word
    domain: Domain | None
    collection: Expr | None
    where: Expr | None
    several: Several | None = None


@dataclass(frozen=True, slots=True)
class Routine(Statement):
    kind: operators.RoutineKind
    name: Word
    parameters: tuple[Parameter, ...]
    nests: int | None
    block: Block


@dataclass(frozen=True, slots=True)
class Case:
    span: Span
    clauses: tuple[Word, ...]
    value: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Value(Statement):
    name: Word
    parameters: tuple[Parameter, ...]
    lets: tuple[Let, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Modify(Statement):
    name: Word
    parameters: tuple[Parameter, ...]
    mode: Literal["by", "to"]
    amount: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class When(Statement):
    condition: Expr
    block: Block


@dataclass(frozen=True, slots=True)
class WhenMoves(Statement):
    name: Word
    event: Literal["enters", "leaves"]
    zone: Expr
    block: Block


@dataclass(frozen=True, slots=True)
class Score(Statement):
    kind: Literal["score", "tiebreak"]
    name: Word
    value: Expr
    best: Literal["highest", "lowest"] = "highest"


@dataclass(frozen=True, slots=True)
class Always(Statement):
    """A promise: `always`, `never` or `eventually`."""

    kind: Literal["always", "never", "eventually"]
    condition: Expr


Definition = Routine | Value | Modify | When | WhenMoves | Score | Always
Syntax = Node | Statement | Case

# ---- visitors


def children(node: Syntax) -> list[Syntax]:
    """The nodes that a node holds directly, its clause marks among them."""
    kind: Any = type(node)
    values = [getattr(node, name) for name in _child_fields(kind)]
    parts = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return [part for part in parts if isinstance(part, Syntax)]


def walk(node: Syntax) -> Iterator[Syntax]:
    """A node and every node below it, in pre-order."""
    waiting = [node]
    while waiting:
        yield (node := waiting.pop())
        waiting += reversed(children(node))


@cache
def _child_fields(kind: type[Syntax]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name != "span")
