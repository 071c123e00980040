"""Decisions of other seats inside a branch of `together`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter import ir
from validators.check import Check, CheckContext, Finding
from validators.flow.simultaneous import Simultaneous


@dataclass(frozen=True)
class OthersAsked(Finding):
    """Inside `together`, one seat's branch asks another seat.

    Each seat has a branch of its own in `together`, and answers in it. A branch that asks another seat would
    have that seat answer in two places, ambiguously. The same applies to a trigger that asks: it belongs to
    all seats, and runs once for all branches.

    Example:

        procedure offer_all
            each seat together
                next(me) chooses card from hand of next(me)
                move card to gift of me

    Ask after the block, `each seat in turn`.
    """

    code = "V338"
    slug = "others-asked"
    severity = Severity.ERROR
    title = "`{about}` is asked of another seat inside `together`"
    label = "asked in the branch of one seat"
    advice = "ask only `me` inside `together`, and the others after it"


def find(subject: CheckContext) -> Iterator[Finding]:
    for flow in subject.plain:
        together = Simultaneous(flow)
        for number in _asking_others(together):
            node = flow.machine.decision(number)
            path = together.path_to(flow.owner[number])
            yield OthersAsked(node.span, node.name.rpartition(".")[2], path)


def _asking_others(together: Simultaneous) -> Iterator[int]:
    """The decisions of another seat than `me`, those where `me` is another seat, and those in a trigger."""
    flow = together.flow
    fired = together.calls.keys() & {trigger.routine for trigger in flow.machine.triggers}
    triggers = flow.called(fired)
    for number in sorted(flow.reached):
        node, owner = flow.machine.nodes[number], flow.owner[number]
        if isinstance(node, ir.Decide | ir.Offer):
            other = owner in together.calls and node.seat != ir.Local(ir.ME)
            if other or owner in triggers or number in together.other_turns:
                yield number


CHECK = Check(OthersAsked, find)
