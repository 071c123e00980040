"""Faults in random matches that no other check reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter.messages import CannotPay, NothingToChoose, OutOfRange, PlaceFull, RunsForEver, TooLong
from validators.check import Check, CheckContext, Finding
from validators.witness import LEAST, witnesses

CHECKED = "; only `simulate --checked` tests it during play"


@dataclass(frozen=True)
class FaultInPlay(Finding):
    """A match with random choices stops with an error.

    No player made a mistake: every choice was offered. The rules reach a point at which they cannot
    continue. The given seed replays the match, and `rulewright explain` explains the code of the error.

    Example:

        value share = pot div count(seat where plays of seat)      # nobody may be left

    Correct the rule at the place shown.
    """

    code = "V308"
    slug = "fault-in-play"
    severity = Severity.ERROR
    title = "a match stops with {fault}: {what}"
    label = "here: {match}"
    advice = "`rulewright explain {fault}` explains it{checked}"

    fault: str = ""
    what: str = ""
    match: str = ""
    checked: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for witness in witnesses(subject):
        diagnostic = witness.diagnostic
        if isinstance(diagnostic, NothingToChoose | OutOfRange | CannotPay | PlaceFull):
            continue
        if isinstance(diagnostic, RunsForEver | TooLong) and subject.trapped:
            continue
        yield FaultInPlay(
            diagnostic.span,
            diagnostic.slug,
            witness.last_choices(),
            fault=diagnostic.code,
            what=diagnostic.message,
            match=witness.match,
            checked=CHECKED if diagnostic.code in ("R211", "R212") else "",
        )


CHECK = Check(FaultInPlay, find, plays=True, least=LEAST)
