"""Decisions of other seats, within what one seat does while all choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter import ir
from validators.check import Check, CheckContext, Finding
from validators.flow.graph import Flow
from validators.flow.simultaneous import called_from, others_turns, simultaneous_routines, way_there


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
        calls = simultaneous_routines(flow)
        for number in sorted(_asking_others(flow, set(calls))):
            node = flow.machine.decision(number)
            way = way_there(flow, calls, flow.owner[number])
            yield OthersAsked(flow.span(number), node.name.rpartition(".")[2], way)


def _asking_others(flow: Flow, routines: set[int]) -> set[int]:
    """The decisions that are not about `me`, that stand where `me` is another, or in a trigger."""
    asking = {i for i in flow.reached if isinstance(flow.machine.nodes[i], ir.Decide | ir.Offer)}
    triggers = called_from(flow, routines & {trigger.routine for trigger in flow.machine.triggers})
    turns = others_turns(flow, routines)
    return {
        i
        for i in asking
        if (flow.owner[i] in routines and _seat_of(flow.machine.nodes[i]) != ir.Local(ir.ME))
        or flow.owner[i] in triggers
        or i in turns
    }


def _seat_of(node: ir.Step) -> ir.Expr | None:
    return node.seat if isinstance(node, ir.Decide | ir.Offer) else None


CHECK = Check(OthersAsked, find)
