"""Statements that always take a number out of its range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from validators.check import Check, CheckContext, Finding
from validators.flow.path_text import path_labels
from validators.flow.writes import judged


@dataclass(frozen=True)
class SurelyLeft(Finding):
    """A statement always takes a number out of its range.

    Interval analysis shows it: for every value of the counter in its range and every possible amount, the
    result is outside. The match stops there with R201. What may leave its range, but need not, is searched
    for by playing (V331), and listed on the page that `--html` writes.

    Example:

        counters:
          rank: {of: seat, range: 0..9}

        action crown
            rank of me = 10

    Widen the range, or correct the amount.
    """

    code = "V330"
    slug = "range-surely-left"
    severity = Severity.ERROR
    title = "`{about}` becomes {values} here, always outside {lo}..{hi}"
    label = "no value fits"
    advice = "widen the range, or correct the amount"

    values: str = ""
    lo: int = 0
    hi: int = 0


def find(subject: CheckContext) -> Iterator[Finding]:
    for flow in subject.plain:
        for one in judged(flow):
            if one.verdict == "left":
                a, b = one.values.lo, one.values.hi
                path = path_labels(flow, flow.path_to(one.number))
                values = str(a) if a == b else f"{a} to {b}"
                yield SurelyLeft(flow.span(one.number), one.name, path, values=values, lo=one.lo, hi=one.hi)


CHECK = Check(SurelyLeft, find)
