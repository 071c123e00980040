"""Counters that leave their range, and places that overflow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dsl.diagnostics import Severity
from interpreter.messages import CannotPay, OutOfRange, PlaceFull
from validators.check import Check
from validators.checks import range_surely_left
from validators.findings import Finding
from validators.subject import Subject
from validators.witness import Witness, played


@dataclass(frozen=True)
class RangeLeft(Finding):
    """A counter leaves its range, or a place gets more pieces than it holds: a match comes to it.

    The match stops there with R201, R204 or R205. The seed that is shown replays it. The help is the
    condition that would keep it from happening.

    Example:

        counters:
          stock: {of: seat, range: 0..5}

        action harvest
            stock of me += 2               # from 4 it goes to 6

    Ask before (`needs`), cut it off (`at_edge: clamp`, `min(…)`), refuse (`at_edge: refuse`), or widen the
    range.
    """

    code = "V331"
    slug = "range-left"
    severity = Severity.ERROR
    title = "{what}"
    label = "a match stops here: {match}"
    mend = "{guard}"

    what: str = ""
    match: str = ""
    guard: str = ""


def find(subject: Subject) -> Iterator[Finding]:
    surely = {finding.span for finding in range_surely_left.find(subject)}
    for witness in played(subject).witnesses:
        made = _made(witness)
        if made is not None and made.span not in surely:
            yield replace(made, hops=witness.last_choices())


def _made(witness: Witness) -> Finding | None:
    mistake = witness.mistake
    match mistake:
        case OutOfRange(name=name, value=value, lo=lo, hi=hi):
            bound = f"at most {hi}" if value > hi else f"at least {lo}"
            guard = f"ask before that it stays {bound}, or say `at_edge: clamp` or `refuse`"
            what = f"`{name}` may become {value}, outside {lo}..{hi}"
            return RangeLeft(mistake.span, name, what=what, match=witness.match, guard=guard)
        case CannotPay(name=name, amount=amount, found=found):
            guard = f"ask before: `needs {name} >= {amount}`"
            what = f"{amount} `{name}` may have to be paid when there are only {found}"
            return RangeLeft(mistake.span, name, what=what, match=witness.match, guard=guard)
        case PlaceFull(zone=zone, capacity=capacity):
            guard = f"ask before whether `{zone}` has room, or make it larger"
            what = f"`{zone}` holds {capacity}, and one more may be moved there"
            return RangeLeft(mistake.span, zone, what=what, match=witness.match, guard=guard)
    return None


CHECK = Check(RangeLeft, find, plays=True)
