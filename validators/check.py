"""The parts of a check: its finding, its context, and the check itself."""

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
from interpreter.compile.rule_reads import RuleReads
from validators.endless_play import EndlessPlay
from validators.flow.graph import Flow


@dataclass(frozen=True)
class Finding(Diagnostic):
    """Something wrong with a game whose rules are valid. The docstring of a subclass explains it.

    `about` is the name that `allow` in `game.yaml` uses for it; `path` are the places that lead to it.
    """

    severity: ClassVar[Severity] = Severity.WARNING

    about: str
    path: tuple[Label, ...] = ()

    @property
    def others(self) -> tuple[Label, ...]:
        return self.path

    @property
    def also(self) -> tuple[str, ...]:
        """Names that an entry of `allow` could use by mistake instead of `about`."""
        return ()


class OutOfTime(Exception):
    """The time for the checks is over, in the middle of one."""


class Pointless(Exception):
    """A check does not look, because what another one has found would hide what it finds."""


@dataclass(eq=False)
class CheckContext:
    """A game to be checked. Machines and graphs are made once, when a check needs them.

    `until` is the deadline on the monotonic clock. `limit` is a context in which a check that does not call
    `tick` is interrupted by `OutOfTime`. `plain_only`: there is no time for other options than the default
    ones.
    """

    rules: Rules
    until: float = inf
    limit: Callable[[], AbstractContextManager[None]] = nullcontext
    plain_only: bool = False

    def tick(self) -> None:
        """Called regularly by whatever takes long. Raises `OutOfTime`."""
        if monotonic() >= self.until:
            raise OutOfTime

    @property
    def seats(self) -> range:
        """The numbers of seats."""
        low, high = self.rules.seats
        return range(low, high + 1)

    @cached_property
    def plain(self) -> tuple[Flow, ...]:
        """The graphs with the default options, one for each number of seats."""
        return tuple(self._flow(seats, {}) for seats in self.seats)

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """Those, and for each number of seats one for every other value of every option alone.

        Raises `OutOfTime` if they are `plain_only`.
        """
        if self.plain_only:
            raise OutOfTime
        more = (self._flow(n, {k: v}) for n in self.seats for k, v in self.settings())
        return (*self.plain, *more)

    @cached_property
    def trapped(self) -> bool:
        """Whether play can reach a place from which the game cannot end."""
        return any(flow.reached - flow.ending for flow in self.flows)

    def settings(self) -> Iterator[tuple[str, str | int]]:
        """Every option with every value except its default; of a range only the ends."""
        for name, option in self.rules.options.items():
            match option.type:
                case FlagType():
                    yield name, "false" if option.default else "true"
                case IntType(lo, hi):
                    yield from ((name, v) for v in {lo, hi} - {option.default})
                case _:
                    yield from ((name, v) for i, v in enumerate(option.values) if i != option.default)

    @cached_property
    def _reads(self) -> RuleReads:
        return RuleReads(self.rules)

    def _flow(self, seats: int, options: dict[str, str | int]) -> Flow:
        self.tick()
        return Flow(compile_rules(self.rules, seats, options, reads=self._reads), self.tick)

    @cached_property
    def endless(self) -> tuple[EndlessPlay, ...]:
        """Some matches for each number of seats, with the default options, to see what goes on for ever."""
        return tuple(EndlessPlay(flow) for flow in self.plain)

    @property
    def machines(self) -> tuple[ir.Machine, ...]:
        return tuple(flow.machine for flow in self.plain)


@dataclass(frozen=True)
class Check:
    """A check of a game. `plays`: it plays matches, which takes more than a moment.

    `tries`: it plays a few if the rules alone do not tell, always the same ones.
    """

    finding: type[Finding]
    find: Callable[[CheckContext], Iterable[Finding]]
    plays: bool = False
    tries: bool = False

    @property
    def code(self) -> str:
        return self.finding.code
