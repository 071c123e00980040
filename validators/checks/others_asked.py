"""Decisions of other seats, within what one seat does while all choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter import machine as m
from interpreter.wasm.emit.regions import targets
from validators.check import Check
from validators.findings import Finding
from validators.flow.at_once import at_once, way_there
from validators.flow.graph import Flow
from validators.subject import Subject


@dataclass(frozen=True)
class OthersAsked(Finding):
    """While all choose at once, one seat's branch asks another seat.

    Each seat has a branch of its own in `together`, and answers in it. A branch that asks another seat would
    have that seat answer in two places, and nobody could say which answer is meant. So would a trigger that
    asks: it belongs to all, and runs once for all branches.

    Example:

        procedure offer_all
            each seat together
                next(me) chooses card from hand of next(me)
                move card to gift of me

    Ask behind the block, `each seat in turn`.
    """

    code = "V338"
    slug = "others-asked"
    severity = Severity.ERROR
    title = "`{about}` is asked of another seat while all choose at once"
    label = "asked in the branch of one seat"
    mend = "ask only `me` inside `together`, and the others behind it"


def find(subject: Subject) -> Iterator[Finding]:
    for flow in subject.plain:
        calls = at_once(flow)
        for number in sorted(_asking_others(flow, set(calls))):
            node = flow.machine.nodes[number]
            assert isinstance(node, m.Decide | m.Offer)
            way = way_there(flow, calls, flow.owner[number])
            yield OthersAsked(flow.span(number), node.name.rpartition(".")[2], way)


def _asking_others(flow: Flow, routines: set[int]) -> set[int]:
    """The decisions that are not about `me`, that stand where `me` is another, or in a trigger."""
    found: set[int] = set()
    triggers = {trigger.routine for trigger in flow.machine.triggers}
    elsewhere = [r for r in routines if r in triggers]
    for number in flow.reached:
        node = flow.machine.nodes[number]
        if flow.owner[number] not in routines:
            continue
        if isinstance(node, m.Decide | m.Offer) and node.seat != m.Local(m.ME):
            found.add(number)
        if isinstance(node, m.SetMe) and not _is_me_again(flow, number, node):
            turn = _turn(flow, node.next)
            found |= {i for i in turn if isinstance(flow.machine.nodes[i], m.Decide | m.Offer)}
            elsewhere += [hop.runs[0] for i in turn for hop in flow.hops[i] if hop.runs is not None]
    return found | {i for i in flow.reached if flow.owner[i] in _called(flow, elsewhere) and _asks(flow, i)}


def _asks(flow: Flow, number: int) -> bool:
    return isinstance(flow.machine.nodes[number], m.Decide | m.Offer)


def _is_me_again(flow: Flow, number: int, node: m.SetMe) -> bool:
    """Whether behind others' turns `me` is who it was before."""
    kept = (x for i, x in enumerate(flow.machine.nodes) if flow.owner[i] == flow.owner[number])
    return any(
        isinstance(x, m.SetLocal) and x.value == m.Local(m.ME) and node.value == m.Local(x.slot) for x in kept
    )


def _turn(flow: Flow, first: int) -> set[int]:
    """The nodes of a seat's turn within a routine: until `me` is set anew."""
    found: set[int] = set()
    todo = [first]
    while todo:
        number = todo.pop()
        node = flow.machine.nodes[number]
        if number not in found and not isinstance(node, m.SetMe):
            found.add(number)
            todo += targets(node)
    return found


def _called(flow: Flow, routines: list[int]) -> set[int]:
    """These routines and all that they call."""
    found: set[int] = set()
    todo = list(routines)
    while todo:
        routine = todo.pop()
        if routine not in found:
            found.add(routine)
            nodes = [i for i in flow.reached if flow.owner[i] == routine]
            todo += [hop.runs[0] for i in nodes for hop in flow.hops[i] if hop.runs is not None]
    return found


CHECK = Check(OthersAsked, find)
