"""Counters, marks and pointers that are only written or only read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validators.check import Check, CheckContext, Finding
from validators.usages import usages_of


@dataclass(frozen=True)
class OneSided(Finding):
    """A counter, mark or pointer is written but never read, or read but never written.

    What is never read decides nothing; what is never written is a constant. Usually the other half of the
    rule is missing.

    Example:

        action pray
            gain 1 favour          # and nothing depends on `favour`, not even the score

    Write the rule that reads or writes it; what stays the same belongs under `constants`. What only people
    look at, such as a round that is counted for them, can be `allow`ed with the reason.
    """

    code = "V323"
    slug = "one-sided"
    title = "{what} `{about}` is {half}"
    label = "declared here"
    advice = "write the other half of the rule, remove it, or `allow` it with its reason"

    what: str = ""
    half: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    rules, found = subject.rules, usages_of(subject.rules)
    for what, stores in (("counter", rules.counters), ("mark", rules.marks), ("pointer", rules.pointers)):
        for name, decl in stores.items():
            if name in found.written and name not in found.read and not _is_booked(subject, name):
                yield OneSided(decl.var.span, name, what=what, half="written but never read")
            if name in found.read and name not in found.written:
                yield OneSided(decl.var.span, name, what=what, half="read but never written")


def _is_booked(subject: CheckContext, name: str) -> bool:
    """Whether a counter has a bank or is one: then its range matters."""
    counters = subject.rules.counters
    return any(c.bank == name for c in counters.values()) or (
        name in counters and counters[name].bank is not None
    )


CHECK = Check(OneSided, find)
