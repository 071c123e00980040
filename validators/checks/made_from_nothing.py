"""Writes that bypass a bank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.rules.visit import walk
from validators.check import Check, CheckContext, Finding


@dataclass(frozen=True)
class MadeFromNothing(Finding):
    """A counter with a bank is assigned directly, bypassing the bank.

    `gain`, `pay` and `lose` also book the change to the bank, so that tokens are neither created nor lost.
    `=`, `+=` and `-=` change one side only: the tokens in the box and those on the table no longer add
    up. The same applies to the bank itself.

    Example:

        counters:
          vp: {of: seat, range: 0..99, bank: stock}
          stock: {range: 0..36, start: 36}

        action cheat
            vp of me += 3

    Write `gain 3 vp`, or `allow` it with its reason.
    """

    code = "V332"
    slug = "made-from-nothing"
    title = "`{about}` bypasses its bank: tokens are created or lost"
    label = "only one side is booked here"
    advice = "use `gain`, `pay` or `lose`"


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    booked = {name for c in rules.counters.values() if c.bank is not None for name in (c.name, c.bank)}
    for part in walk((*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))):
        if isinstance(part, r.Write) and part.kind == "counter" and part.name in booked:
            yield MadeFromNothing(part.span, part.name)


CHECK = Check(MadeFromNothing, find)
