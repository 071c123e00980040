"""What people at a physical table tell their referee: outcomes and what they reveal, choice by choice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from interpreter.chance import name_words


@dataclass(frozen=True, slots=True)
class Outcome:
    """A random outcome. If it is not `known`, it is a placeholder for what nobody has shown."""

    stream: str
    text: str
    known: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The start of the match (no seat), or a choice in words, with the outcomes that followed it.

    `revealed` are the hidden pieces, by class and place, that everybody has seen then and that no choice has
    named.
    """

    seat: str | None
    words: str
    outcomes: tuple[Outcome, ...] = ()
    revealed: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee asks the table, with the possible answers.

    With a `stream`: its next outcome. Otherwise: which piece has come to a `place`.
    """

    possible: tuple[str, ...]
    stream: str | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Revelation:
    """A hidden piece that everybody sees now: its class, its component and the place to which it came."""

    class_name: str
    component: str
    place: int


class OutcomeNeeded(Exception):
    """A match needs an outcome that has not been told yet."""

    def __init__(self, stream: str, possible: Sequence[tuple[str, int]]) -> None:
        super().__init__(stream)
        self.question = Question(tuple(name for name, _ in possible), stream)


class Contradiction(Exception):
    """Placeholders do not fit what everybody has seen."""


@dataclass
class ToldOutcomes:
    """A source of chance: outcomes in the order in which they were told.

    Then any other ones, if there is a `key` that they follow from, as far as possible none of `avoided`; else
    `OutcomeNeeded`.
    """

    outcomes: Sequence[Outcome]
    key: str | None = None
    avoided: Collection[str] = ()
    used: list[Outcome] = field(default_factory=list)

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        if len(self.used) < len(self.outcomes):
            outcome = self.outcomes[len(self.used)]
        elif self.key is None:
            raise OutcomeNeeded(stream, outcomes)
        else:
            names = [name for name, _ in outcomes]
            others = [name for name in names if name not in self.avoided] or names
            outcome = Outcome(stream, picked(f"{self.key} {len(self.used)}", others), False)
        self.used.append(outcome)
        return outcome.text


def picked(key: str, names: Sequence[str]) -> str:
    """One of some names, the same one for the same key."""
    return names[name_words(key)[0] * len(names) >> 32]


def exhaust(steps: Iterable[None]) -> None:
    """Carry out all of something that is made in steps."""
    for _ in steps:
        pass
