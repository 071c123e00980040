"""Values of options with which a game does not compile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Label, Report, Severity
from dsl.wording import plural
from validators.check import Check, CheckContext, Finding, Setting
from validators.witness import LEAST


@dataclass(frozen=True)
class OptionNotCompiled(Finding):
    """With one value of an option the rules have a mistake that they do not have with the default.

    Every option is tried alone with each of its values; of a range only the ends. Of sets some are tried, of
    the smallest, the largest and those between, with each value in one and out of another. The place shown
    second is that of the mistake, and `rulewright explain` explains its code.

    Example:

        options: {size: {range: 3..100, default: 8}}
        boards: {field: {grid: {rows: size, columns: size}}}          # too many places with 100

    Narrow the option, or bound what depends on it.
    """

    code = "V347"
    slug = "option-not-compiled"
    severity = Severity.ERROR
    title = "the game does not compile with `{about}` as {value}: {what} ({fault})"
    label = "one of its values"
    advice = (
        "narrow the option, or bound what depends on it; `rulewright explain {fault}` explains the mistake"
    )

    value: str = ""
    what: str = ""
    fault: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for setting, numbers in subject.all_settings.items():
        for seats in numbers:
            compiled = subject.compiled(seats, setting)
            if isinstance(compiled, Report):
                yield _finding(subject, setting, seats, compiled)
                break


def _finding(subject: CheckContext, setting: Setting, seats: int, mistakes: Report) -> Finding:
    (name, value), first = setting, mistakes.first
    return OptionNotCompiled(
        subject.rules.options[name].span,
        name,
        (Label(first.span, f"here, with {plural(seats, 'seat')}"),),
        value=f"`{value}`",
        what=first.message,
        fault=first.code,
    )


CHECK = Check(OptionNotCompiled, find, least=LEAST)
