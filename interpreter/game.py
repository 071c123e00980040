"""A compiled game as matches use it, and the values that a match is made of."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from dsl import rules as r
from interpreter import ir
from interpreter.events import Event
from interpreter.executor_protocol import Executor, Option, Waiting
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.refusal import Refusals
from interpreter.views import Views

ExecutorKind = Literal["reference", "wasm"]
"""Which executor runs a match."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that is offered: its words in the rules and its label for people."""

    option: Option
    words: tuple[str, ...]
    label: str

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat that has to choose, and what it can choose."""

    seat: str
    name: str
    choices: tuple[Choice, ...]
    clauses: tuple[str, ...]
    waiting: Waiting


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One step of a match: a choice by a seat, or an outcome of chance by a stream; what came of it.

    `open_text` is the choice as other seats may read it, `own_text` as the seat that made it may: it may
    have chosen among pieces that it does not see. `branch` is the seat to which it belongs while
    all choose at once: others are told of it when all have finished.
    """

    seat: str | None
    stream: str | None
    text: str
    events: tuple[Event, ...]
    hash: str
    supplied: bool = False
    open_text: str = ""
    branch: str = ""
    own_text: str = ""

    @property
    def together(self) -> bool:
        return bool(self.branch)


class Game:
    """A compiled game with everything that a match of it needs; made once, shared by its matches.

    `executor` runs the matches; `reference` answers questions and explains refusals in any case.
    """

    def __init__(self, rules: r.Rules, machine: ir.Machine, executor: ExecutorKind = "reference") -> None:
        self.rules = rules
        self.machine = machine
        self.reference = Reference(machine)
        self.executor: Executor = self.reference
        if executor == "wasm":
            from interpreter.wasm.executor import WasmExecutor

            self.executor = WasmExecutor(machine, self.reference)
        self.views = Views(rules, machine)
        self.names = self.views.names
        self.refusals = Refusals(self.reference, self.views)

    def seat_number(self, name: str) -> int:
        """Raises `KeyError` for a seat that does not play."""
        names = self.rules.types["seat"].names[: self.machine.seats]
        if name not in names:
            raise KeyError(name)
        return names.index(name)


class MatchRecord(Protocol):
    """What a match has come to: enough to say what is offered to a seat, and what may be taken back."""

    @property
    def game(self) -> Game: ...

    @property
    def seed(self) -> int: ...

    @property
    def state(self) -> array[int]: ...

    @property
    def steps(self) -> Sequence[MatchStep]: ...

    @property
    def history(self) -> Sequence[tuple[array[int], int]]:
        """The states before each choice, and the number of the first step that came of it."""
