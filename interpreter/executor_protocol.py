"""What an executor is: the protocol that both of them keep, and what they say at stops."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Protocol

from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Event

Option = tuple[int, int]
"""What is offered (its number among the things to do, 0 for a plain choice) and the value, or none."""

PASS: Option = (-1, NONE)
"""The option of declining."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A seat that has a decision to make: at which node, and what can be chosen.

    `branch` is the seat whose branch of `together` waits. `what` says for each thing that may be done
    which routine it is, and with which arguments; nothing for an empty cell.
    """

    seat: int
    node: int
    options: tuple[Option, ...]
    branch: int
    what: tuple[tuple[int, tuple[int, ...]] | None, ...]


class Executor(Protocol):
    """Runs one machine from stop to stop. It holds nothing of a match: all of it is in the state.

    `advance`, `choose` and `happen` give the code of the stop they came to. All of them raise `Fault`; the
    state may be half changed then. While `sink` is a list, what happens is appended to it.
    """

    machine: ir.Machine
    sink: list[Event] | None

    def initial_state(self) -> array[int]:
        """The state before the first node."""
        ...

    def advance(self, s: array[int], pc: int) -> int:
        """Runs from a node to the next stop."""
        ...

    def waiting(self, s: array[int]) -> tuple[Waiting, ...]:
        """The decisions that wait: one, or in `together` one for each seat that has not finished."""
        ...

    def choose(self, s: array[int], waiting: Waiting, option: Option) -> int:
        """Carries out a choice and runs to the next stop."""
        ...

    def outcomes(self, s: array[int]) -> list[tuple[int, int]]:
        """The outcomes of the chance node at which the state stands, with their weights."""
        ...

    def resolve_chance(self, s: array[int], outcome: int) -> int:
        """The world has chosen; runs to the next stop."""
        ...

    def score(self, s: array[int], seat: int) -> list[tuple[ir.ScoreCode, int]]:
        """Every line of the account of one seat."""
        ...

    def check(self, s: array[int]) -> None:
        """Raises `Fault` if a promise is broken or a piece is lost. For stops, not for the middle."""
        ...

    def covered(self) -> bytes:
        """What each point of the machine's cover has come to since cover was cleared, as bits.

        Nothing of a machine without cover.
        """
        ...

    def clear_cover(self) -> None:
        """No point has come to anything yet."""
        ...
