"""What a notation says about its parts: the values of the reader `mapping`."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.source import Span
from validators.records.grammar import RecordGrammar


@dataclass(frozen=True, slots=True)
class Text:
    """A text with parts of the record in braces: `stand at {square}`."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Condition:
    """An expression of the rules language, and the text that must be its value."""

    question: str
    wanted: Text
    span: Span


@dataclass(frozen=True, slots=True)
class Kept:
    """The value of an expression, kept under a name for what follows in the record."""

    name: str
    question: str
    span: Span


@dataclass(frozen=True, slots=True)
class ValueOf:
    """What a part stands for: the one value of a type that fits all conditions."""

    type: str
    where: tuple[Condition, ...]
    span: Span


Meaning = dict[str, str] | Text | ValueOf
"""What the text of a part is in the words of the rules: by a table, by other parts, by conditions."""


@dataclass(frozen=True, slots=True)
class ChooseStep:
    """One choice: of an action with its first parameter, of a further parameter, or of `pass`.

    It is skipped if the record lacks the part `given`; if `optional`, also where it is not offered.
    """

    name: str
    where: tuple[Condition, ...]
    keep: tuple[Kept, ...]
    seat: Text | None
    given: str | None
    optional: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Happens:
    """An outcome of chance, in the words of the rules."""

    stream: str
    outcome: Text
    span: Span


@dataclass(frozen=True, slots=True)
class That:
    """What must hold, and what is kept, without a choice."""

    where: tuple[Condition, ...]
    keep: tuple[Kept, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of several ways."""

    ways: tuple[tuple[Step, ...], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Each:
    """Steps for each part of a name, in their order or in any."""

    part: str
    in_any_order: bool
    steps: tuple[Step, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Times:
    """Steps that are repeated so many times, fewer first; or as often as a part says, or else once."""

    least: int
    most: int
    part: str | None
    steps: tuple[Step, ...]
    span: Span


Step = ChooseStep | Happens | That | OneOf | Each | Times


@dataclass(frozen=True, slots=True)
class Given:
    """How a match begins, as in `given` of a scenario: all texts may have parts in braces."""

    seats: Text | None = None
    options: tuple[tuple[str, Text], ...] = ()
    at: Text | None = None
    seat: Text | None = None
    prepared: bool = False
    spare: bool = False
    set: tuple[tuple[Text, tuple[Text, ...]], ...] = ()


@dataclass(frozen=True)
class Notation:
    """A notation of a game. `begins` is how each record of a file begins, if a file has several.

    `files` are the endings of names of files. `skip` are the parts that are not played, `play` has the steps
    of each part that is; `set_up` what a part says of the beginning, `end` what must hold after the last
    play. `write` has the texts that a play may be written as, and of the record around them.
    """

    name: str
    title: str
    grammar: RecordGrammar
    files: tuple[str, ...]
    begins: str | None
    skip: frozenset[str]
    words: dict[str, Meaning]
    given: Given
    set_up: dict[str, Given]
    play: dict[str, tuple[Step, ...]]
    end: dict[str, tuple[Condition, ...]]
    span: Span
    write: dict[str, tuple[Text, ...]] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    """The names under which something is kept for what follows in the record."""
