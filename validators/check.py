"""The parts of a check: its finding, its context, and the check itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from time import thread_time
from typing import ClassVar, TypeAlias

from dsl.diagnostics import Diagnostic, ErrorsReported, Label, Report, Severity
from dsl.domains import FlagType, IntType, SetType
from dsl.option_sets import sampled_sets
from dsl.rules import Rules
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.compile.rule_reads import RuleReads
from validators.endless_play import EndlessPlay
from validators.flow.graph import Flow

Setting: TypeAlias = tuple[str, str | int]
"""An option and its value."""


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

    Time is processor time of the thread that checks, so that a busy machine checks as much as an idle one:
    `until` is the deadline by `thread_time`. `limit` makes a context in which a check that does not call
    `tick` is interrupted by `OutOfTime`, though not before so many seconds. `plain_only`: there is no time
    for other options than the default ones.
    """

    rules: Rules
    until: float = inf
    limit: Callable[[float], AbstractContextManager[None]] = nullcontext  # type: ignore[assignment]
    plain_only: bool = False
    _compiled: dict[tuple[int, Setting | None], ir.Machine | Report] = field(default_factory=dict)

    @property
    def late(self) -> bool:
        """Whether the deadline has passed."""
        return thread_time() >= self.until

    def tick(self) -> None:
        """Called regularly by whatever takes long. Raises `OutOfTime`."""
        if self.late:
            raise OutOfTime

    def compiled(self, seats: int, setting: Setting | None = None) -> ir.Machine | Report:
        """The machine for a number of seats and one option that is not as by default, or its mistakes."""
        if (key := (seats, setting)) not in self._compiled:
            try:
                options = dict([setting]) if setting is not None else {}
                self._compiled[key] = compile_rules(self.rules, seats, options, reads=self._reads)
            except ErrorsReported as stop:
                self._compiled[key] = stop.report
        return self._compiled[key]

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats."""
        return self.rules.seat_counts

    @cached_property
    def plain(self) -> tuple[Flow, ...]:
        """The graphs with the default options, one for each number of seats."""
        return tuple(self._flows(None))

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """Those, and for each number of seats one for every other value of every option alone.

        Raises `OutOfTime` if they are `plain_only`.
        """
        if self.plain_only:
            raise OutOfTime
        return (*self.plain, *(flow for setting in self.all_settings for flow in self._flows(setting)))

    @cached_property
    def trapped(self) -> bool:
        """Whether play can reach a place from which the game cannot end."""
        return any(flow.reached - flow.ending for flow in self.flows)

    def settings(self, seats: int) -> Iterator[Setting]:
        """Every option with every value except its default; of a range only the ends, of sets some."""
        for name, option in self.rules.options.items():
            match option.type:
                case SetType():
                    default = option.sets[seats].default
                    yield from ((name, option.text(v)) for v in sampled_sets(option, seats) if v != default)
                case FlagType():
                    yield name, "false" if option.default else "true"
                case IntType(lo, hi):
                    yield from ((name, v) for v in {lo, hi} - {option.default})
                case _:
                    yield from ((name, v) for i, v in enumerate(option.values) if i != option.default)

    @cached_property
    def all_settings(self) -> dict[Setting, list[int]]:
        """The settings of all numbers of seats, each with those that have it."""
        found: dict[Setting, list[int]] = {}
        for seats in self.seats:
            for setting in self.settings(seats):
                found.setdefault(setting, []).append(seats)
        return found

    @cached_property
    def _reads(self) -> RuleReads:
        return RuleReads(self.rules)

    def _flows(self, setting: Setting | None) -> Iterator[Flow]:
        """The graphs of a setting, one for each number of seats with which it compiles."""
        for seats in self.seats if setting is None else self.all_settings[setting]:
            self.tick()
            if not isinstance(machine := self.compiled(seats, setting), Report):
                yield Flow(machine, self.tick)

    @cached_property
    def endless(self) -> tuple[EndlessPlay, ...]:
        """Some matches for each number of seats, with the default options, to see what goes on for ever."""
        return tuple(EndlessPlay(flow) for flow in self.plain)

    @property
    def machines(self) -> tuple[ir.Machine, ...]:
        """The machines with the default options, one for each number of seats."""
        machines = (self.compiled(seats) for seats in self.seats)
        return tuple(machine for machine in machines if not isinstance(machine, Report))


@dataclass(frozen=True)
class Check:
    """A check of a game. `plays`: it plays matches, which takes more than a moment.

    `tries`: it plays a few if the rules alone do not tell, always the same ones. `least`: the seconds that
    it gets even if the time for all checks is over, since it then does no more than it must.
    """

    finding: type[Finding]
    find: Callable[[CheckContext], Iterable[Finding]]
    plays: bool = False
    tries: bool = False
    least: float = 0.0

    @property
    def code(self) -> str:
        return self.finding.code
