"""What a check is: the finding that it reports, the context in which it looks, the function that finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from math import inf
from time import monotonic
from typing import ClassVar

from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.domains import FlagType, IntType
from dsl.rules import Rules
from interpreter import ir
from interpreter.compile.program import compile_rules
from validators.flow.graph import Flow


@dataclass(frozen=True)
class Finding(Diagnostic):
    """What is wrong with a game though every line of it has a meaning.

    `about` is the name by which `allow` in `game.yaml` speaks of it; `path` is the way that shows it, place
    by place. A check's docstring explains it.
    """

    severity: ClassVar[Severity] = Severity.WARNING

    about: str
    path: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.path

    @property
    def also(self) -> tuple[str, ...]:
        """What it could be taken to be about: `allow` does not speak of it by these names."""
        return ()


class OutOfTime(Exception):
    """The time for examining a game is over, in the middle of a check."""


@dataclass(eq=False)
class CheckContext:
    """A game under examination. Machines and graphs are made once, when a check asks for them.

    `until` is when, by the monotonic clock, the time is over. Within `limit`, a check that does not ask for
    the time is ended by `OutOfTime`.
    """

    rules: Rules
    until: float = inf
    limit: Callable[[], AbstractContextManager[None]] = nullcontext

    def tick(self) -> None:
        """Asked every now and then by whatever takes long. Raises `OutOfTime`."""
        if monotonic() >= self.until:
            raise OutOfTime

    @cached_property
    def plain(self) -> tuple[Flow, ...]:
        """The graphs with all options at their defaults, one for each number of seats."""
        low, high = self.rules.seats
        return tuple(self._flow(seats, {}) for seats in range(low, high + 1))

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """Those, and for each number of seats one for every other value of every option alone."""
        low, high = self.rules.seats
        more = (self._flow(n, {k: v}) for n in range(low, high + 1) for k, v in self._settings())
        return (*self.plain, *more)

    @cached_property
    def trapped(self) -> bool:
        """Whether play can come to a place from which the game cannot end."""
        return any(flow.reached - flow.ending for flow in self.flows)

    def _settings(self) -> Iterator[tuple[str, str | int]]:
        """Every option with every value but its default; of a range only both ends."""
        for name, option in self.rules.options.items():
            match option.type:
                case FlagType():
                    yield name, "false" if option.default else "true"
                case IntType(lo, hi):
                    yield from ((name, v) for v in {lo, hi} - {option.default})
                case _:
                    yield from ((name, v) for i, v in enumerate(option.values) if i != option.default)

    def _flow(self, seats: int, options: dict[str, str | int]) -> Flow:
        self.tick()
        return Flow(compile_rules(self.rules, seats, options), self.tick)

    @property
    def machines(self) -> tuple[ir.Machine, ...]:
        return tuple(flow.machine for flow in self.plain)


@dataclass(frozen=True)
class Check:
    """A check of a game. `plays`: it plays matches, which takes more than a moment."""

    finding: type[Finding]
    find: Callable[[CheckContext], Iterable[Finding]]
    plays: bool = False

    @property
    def code(self) -> str:
        return self.finding.code
