"""All checks of a game, one after the other, within a time that is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic

from dsl.diagnostics import Mistake
from validators.check import Check
from validators.checks import CHECKS
from validators.checks.nothing_to_allow import NothingToAllow
from validators.findings import Finding
from validators.subject import Subject


@dataclass
class Examined:
    """What the checks have said: findings, those that the game allows, and the checks that had no time."""

    findings: list[Finding] = field(default_factory=list)
    allowed: list[tuple[Finding, str]] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @property
    def mistakes(self) -> list[Mistake]:
        return list(self.findings)


def examine(
    subject: Subject,
    seconds: float = 60.0,
    plays: bool = True,
    checks: Iterable[Check] = CHECKS,
    clock: Callable[[], float] = monotonic,
) -> Examined:
    """Runs the checks in their order. Those that would begin after the time is over are left, and said.

    `plays`: also those that run the game.
    """
    found, until = Examined(), clock() + seconds
    reasons = {(a.code, a.about): a for a in subject.rules.allowed}
    used: set[tuple[str, str]] = set()
    for check in checks:
        if check.plays and not plays:
            continue
        if clock() >= until:
            found.left.append(check.code)
            continue
        for finding in dict.fromkeys(check.find(subject)):
            key = (finding.code, finding.about)
            if key in reasons:
                used.add(key)
                found.allowed.append((finding, reasons[key].why))
            else:
                found.findings.append(finding)
        found.done.append(check.code)
    for key, entry in reasons.items():
        if (key not in used and key[0] in found.done) or (
            key not in used and all(key[0] != check.code for check in CHECKS)
        ):
            found.findings.append(NothingToAllow(entry.span, entry.about, found=entry.code))
    return found
