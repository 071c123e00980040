"""The protocol of executors, and the values that describe where a match waits."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Event
from interpreter.number_ranges import NumberRange, few_options

Option = tuple[int, int]
"""The index of an offered target, 0 for a plain choice, and the value that is chosen, or none."""

PASS: Option = (-1, NONE)
"""The option of declining."""


def listed(
    options: Iterable[Option], ranges: tuple[NumberRange, ...], passing: int | None
) -> tuple[Option, ...]:
    """The options of a decision in ascending order, with a few for its ranges; passing is the last one."""
    found = {*options, *few_options(ranges)} if ranges else set(options)
    return (*sorted(found), PASS) if passing is not None else tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A decision that waits: its seat, its node and the options.

    `branch` is the seat whose branch of `together` waits. `what` has the targets of an offer: the routine
    and its arguments, or none for an empty cell. `ranges` are the numbers that can be chosen where these are
    too many to list; a few of them stand among the options.
    """

    seat: int
    node: int
    options: tuple[Option, ...]
    branch: int
    what: tuple[tuple[int, tuple[int, ...]] | None, ...]
    ranges: tuple[NumberRange, ...] = ()

    def allows(self, option: Option) -> bool:
        """Whether an option can be chosen, listed or not."""
        part, value = option
        return option in self.options or any(one.part == part and one.has(value) for one in self.ranges)


class Executor(Protocol):
    """Runs one machine from stop to stop. It keeps nothing of a match: that is all in the state.

    `advance`, `choose` and `resolve_chance` return the code of the stop that they reach. They raise `Fault`;
    the state can be partly changed then. While `sink` is a list, events are appended to it.
    """

    machine: ir.Machine
    sink: list[Event] | None

    def initial_state(self) -> array[int]:
        """The state before the first node."""
        ...

    def advance(self, s: array[int], pc: int) -> int:
        """Run from a node to the next stop."""
        ...

    def waiting(self, s: array[int]) -> tuple[Waiting, ...]:
        """The decisions that wait: one, or in `together` one for each branch that has not ended."""
        ...

    def choose(self, s: array[int], waiting: Waiting, option: Option) -> int:
        """Carry out a choice and run to the next stop."""
        ...

    def outcomes(self, s: array[int]) -> list[tuple[int, int]]:
        """The outcomes of the current chance node, with their weights."""
        ...

    def resolve_chance(self, s: array[int], outcome: int) -> int:
        """Set the outcome of the current chance node and run to the next stop."""
        ...

    def score(self, s: array[int], seat: int) -> list[tuple[ir.ScoreCode, int]]:
        """The score lines and tie-breaks of one seat, with their values."""
        ...

    def check(self, s: array[int]) -> None:
        """Raises `Fault` if an invariant is broken or a piece is lost. To be called at stops only."""
        ...

    def covered(self) -> bytes:
        """The outcomes of each coverage point since coverage was cleared, as bits; empty without coverage."""
        ...

    def clear_cover(self) -> None:
        """Forget all outcomes of coverage points."""
        ...
