"""Counters that leave their range, and places that overflow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from dsl.diagnostics import Severity
from dsl.source import Span
from interpreter.messages import CannotPay, OutOfRange, PlaceFull
from validators.check import Check, CheckContext, Finding, OutOfTime
from validators.checks import range_surely_left
from validators.witness import LEAST, Witness, witnesses


@dataclass(frozen=True)
class RangeLeft(Finding):
    """In a match, a counter leaves its range, or a place gets more pieces than it holds.

    The match stops there with R201, R204 or R205. The given seed replays it. The help is the condition that
    would prevent it.

    Example:

        counters:
          stock: {of: seat, range: 0..5}

        action harvest
            stock of me += 2               # from 4 it goes to 6

    Test it first (`needs`), clamp it (`at_edge: clamp`, `min(…)`), refuse it (`at_edge: refuse`), or widen
    the range.
    """

    code = "V331"
    slug = "range-left"
    severity = Severity.ERROR
    title = "{what}"
    label = "a match stops here: {match}"
    advice = "{guard}"

    what: str = ""
    match: str = ""
    guard: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    surely: frozenset[Span] | None = None
    for witness in witnesses(subject):
        made = _made(witness)
        if made is not None:
            surely = _surely(subject) if surely is None else surely
            if made.span not in surely:
                yield replace(made, path=witness.last_choices())


def _surely(subject: CheckContext) -> frozenset[Span]:
    """Where another check says that a range is left always; if there is time to know."""
    with suppress(OutOfTime):
        return frozenset(finding.span for finding in range_surely_left.find(subject))
    return frozenset()


def _made(witness: Witness) -> Finding | None:
    diagnostic = witness.diagnostic
    match diagnostic:
        case OutOfRange(name=name, value=value, lo=lo, hi=hi):
            bound = f"at most {hi}" if value > hi else f"at least {lo}"
            guard = f"make sure first that it stays {bound}, or declare `at_edge: clamp` or `refuse`"
            what = f"`{name}` may become {value}, outside {lo}..{hi}"
            return RangeLeft(diagnostic.span, name, what=what, match=witness.match, guard=guard)
        case CannotPay(name=name, amount=amount, found=found):
            guard = f"add `needs {name} >= {amount}` before it"
            what = f"{amount} `{name}` may be due when there are only {found}"
            return RangeLeft(diagnostic.span, name, what=what, match=witness.match, guard=guard)
        case PlaceFull(zone=zone, capacity=capacity):
            guard = f"make sure first that `{zone}` has room, or make it larger"
            what = f"`{zone}` holds {capacity}, and one more may be moved there"
            return RangeLeft(diagnostic.span, zone, what=what, match=witness.match, guard=guard)
    return None


CHECK = Check(RangeLeft, find, plays=True, least=LEAST)
