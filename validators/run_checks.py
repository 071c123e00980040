"""The runner of checks: one after the other, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from time import thread_time

from dsl.diagnostics import did_you_mean
from dsl.rules import Suppression
from validators.check import Check, CheckContext, Finding, OutOfTime, Pointless
from validators.checks import CHECKS
from validators.checks.nothing_to_allow import NothingToAllow


@dataclass
class CheckRun:
    """The results: findings, allowed findings with reasons, and the codes of checks done and left out.

    `interrupted`: Ctrl-C has ended it, and what was not done is left out.
    """

    findings: list[Finding] = field(default_factory=list)
    allowed: list[tuple[Finding, str]] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    interrupted: bool = False


def run_checks(
    subject: CheckContext,
    seconds: float = 60.0,
    plays: bool = True,
    checks: Iterable[Check] = CHECKS,
    clock: Callable[[], float] = thread_time,
    told: Callable[[str], None] = lambda name: None,
) -> CheckRun:
    """Runs the checks, those that play last, for so many seconds of processor time.

    Those that would begin after the deadline go to `left`, unless they then do only what they must. Ctrl-C
    ends it with what was found.

    `plays`: also run the checks that play matches. `told` is called with the name of each check that begins.
    """
    found, until = CheckRun(), clock() + seconds
    subject.until = until
    reasons = {(a.code, a.about): a for a in subject.rules.allowed}
    used: set[tuple[str, str]] = set()
    order = list(checks)
    for check in sorted(order, key=lambda check: (check.plays, check.tries)):
        if check.plays and not plays:
            continue
        if found.interrupted or (clock() >= until and not check.least):
            found.left.append(check.code)
            continue
        try:
            told(f"{check.finding.slug} ({check.code})")
            findings, complete = _find(check, subject)
        except KeyboardInterrupt:
            found.interrupted = True
            found.left.append(check.code)
            continue
        for finding in findings:
            key = (finding.code, finding.about)
            if key in reasons:
                used.add(key)
                found.allowed.append((finding, reasons[key].why))
            else:
                found.findings.append(finding)
        if complete is not None:
            (found.done if complete else found.left).append(check.code)
    codes = [check.code for check in order]
    found.findings.sort(key=lambda finding: codes.index(finding.code))
    found.allowed.sort(key=lambda pair: codes.index(pair[0].code))
    found.left.sort(key=codes.index)
    reported = [*found.findings, *(finding for finding, _ in found.allowed)]
    for key, entry in reasons.items():
        if key not in used and (entry.code in found.done or all(entry.code != c.code for c in CHECKS)):
            hint = _hint(entry, reported, subject.rules.zones)
            found.findings.append(NothingToAllow(entry.span, entry.about, found=entry.code, hint=hint))
    return found


def _find(check: Check, subject: CheckContext) -> tuple[list[Finding], bool | None]:
    """The findings of a check, each once, and whether it had the time to finish; none if it did not look."""
    found: dict[Finding, None] = {}
    try:
        with subject.limit(check.least):
            for finding in check.find(subject):
                found[finding] = None
    except Pointless:
        return list(found), None
    except OutOfTime:
        return list(found), False
    return list(found), True


def _hint(entry: Suppression, findings: Sequence[Finding], zones: Container[str]) -> str:
    """A hint about what an entry of `allow` may have been meant for."""
    codes = {check.code for check in CHECKS}
    if entry.code not in codes:
        return f"unknown code {entry.code}; `rulewright explain` lists them"
    meant = sorted({f"`{f.about}` ({f.code})" for f in findings if entry.about in f.also})
    if meant:
        return f"name what reads it, {' or '.join(meant)}, not what it reads; write an entry for each"
    if entry.about in zones and any(c.code == entry.code and c.finding.also != Finding.also for c in CHECKS):
        return "remove it: an entry names the action, procedure or trigger that reads the zone, not the zone"
    names = sorted({f.about for f in findings if f.code == entry.code})
    near = did_you_mean(entry.about, names) or (f"there is one about `{names[0]}`" if names else "")
    return near or "remove it, or name what is found"
