"""A game examined: read, compiled for each number of seats, and checked within a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import thread_time

from dsl.diagnostics import Diagnostic, ErrorsReported, Report
from dsl.load import analyse
from dsl.messages.sizes import TOO_LARGE
from dsl.rules import Rules
from dsl.source import NOWHERE
from rulewright.library import find, folder, read_rules
from rulewright.messages import SlowRules
from rulewright.processes.deadline import TimeIsUp, at_most_busy
from rulewright.records import mistakes
from validators.check import CheckContext, OutOfTime
from validators.early_findings import early_findings
from validators.run_checks import CheckRun, run_checks

SECONDS, FAST_SECONDS = 30.0, 6.0
"""The default time limits for a game, from reading to the last check: usual, and with `--fast`."""


MOMENT = 0.5
"""Seconds that a check may run over the limit, to end by itself."""


@dataclass
class Checked:
    """The diagnostics of a game, and the results of its checks if it has no errors."""

    name: str
    diagnostics: list[Diagnostic]
    rules: Rules | None = None
    examined: CheckRun = field(default_factory=CheckRun)

    @property
    def all(self) -> list[Diagnostic]:
        return [*self.diagnostics, *self.examined.findings]


def checked(
    name: str,
    plays: bool = True,
    seconds: float | None = None,
    told: Callable[[str], None] = lambda now: None,
) -> Checked:
    """All diagnostics and findings of a game, by name or path. `told` is called with what it has come to.

    `seconds` is none for the usual time. Raises `DiagnosticError` if there is no such game.
    """
    seconds = seconds if seconds is not None else SECONDS if plays else FAST_SECONDS
    until = thread_time() + seconds
    try:
        with at_most_busy(most := max(seconds, FAST_SECONDS)):
            context, report = _read_and_compiled(name)
    except TimeIsUp:
        return Checked(name, [SlowRules(NOWHERE, name, most)])
    if context is None or report.has_errors:
        return Checked(name, list(report))
    context.limit = partial(_limited, until)
    return Checked(
        name, list(report), context.rules, run_checks(context, until - thread_time(), plays, told=told)
    )


@contextmanager
def _limited(until: float, least: float) -> Iterator[None]:
    """Raises `OutOfTime` in a check that runs over the time limit, though not before so many seconds."""
    try:
        with at_most_busy(max(MOMENT, least, until + MOMENT - thread_time())):
            yield
    except TimeIsUp:
        raise OutOfTime from None


def check_game(name: str) -> Report:
    """All diagnostics of a game, by name or path. Raises `DiagnosticError` if there is no such game."""
    return _read_and_compiled(name)[1]


def _read_and_compiled(name: str) -> tuple[CheckContext | None, Report]:
    """Reads a game and compiles it for each number of seats: it, if it loads, and all diagnostics.

    Of a game that does not load, the findings that do not need its rules are among them.
    """
    report = Report()
    try:
        rules, warnings = read_rules(name)
    except ErrorsReported as stop:
        return None, Report([*stop.report, *early_findings(analyse(folder(find(name))))])
    for diagnostic in warnings:
        report.add(diagnostic)
    context = CheckContext(rules)
    for seats in context.seats:
        compiled = context.compiled(seats)
        if isinstance(compiled, Report):
            for diagnostic in compiled:
                report.add(diagnostic)
            if any(isinstance(diagnostic, TOO_LARGE) for diagnostic in compiled):
                break
    if not report.has_errors:
        for diagnostic in mistakes(find(name), rules):
            report.add(diagnostic)
    return context, report
