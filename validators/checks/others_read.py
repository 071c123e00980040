"""What one seat reads of another while all choose at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Label, Severity
from interpreter import ir
from interpreter.ir.effects import Access, accesses, writes
from validators.check import Check, CheckContext, Finding
from validators.checks.shared_through_calls import is_own, left, per_seat
from validators.flow.graph import Flow
from validators.flow.path_text import routine_name
from validators.flow.simultaneous import is_fork, others_turns, own_locals, simultaneous_routines, way_there


@dataclass(frozen=True)
class OthersRead(Finding):
    """Inside `together`, one seat's branch reads what another seat's branch may have written.

    Each seat sees the others as they were when the block started, but the rules read them as they are now.
    So an offer, a gain or a failed choice reveals what another seat has chosen in secret, and the result
    depends on who is faster.

    Example:

        procedure bid_at_once
            each seat together
                choose number from 0..5
                bid of me = number
                if bid of opponent > bid of me     # the opponent may have bid, or not yet
                    gain 1 points

    Read it after the block, `each seat in turn`, or copy it before the block to a place of its own that the
    branches read. What is declared `shared: first come` may be read.
    """

    code = "V340"
    slug = "others-read"
    severity = Severity.ERROR
    title = "`{about}` of another seat is read in `{routine}` inside `together`"
    label = "that seat may or may not have written it"
    advice = "read it after `together`, or copy what the branches read before it"

    routine: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for flow in subject.plain:
        yield from _found(flow, subject.rules.shared)


def _found(flow: Flow, shared: frozenset[str]) -> Iterator[Finding]:
    calls = simultaneous_routines(flow)
    if not calls:
        return
    inside = [i for i in sorted(flow.reached) if flow.owner[i] in calls]
    changed = {name for i in inside for name, _ in _changed(flow, i)} - shared
    forks = {edge.runs[0] for edge, _ in calls.values() if edge.runs is not None and is_fork(flow, edge)}
    own, turns = own_locals(flow, set(calls) - forks), others_turns(flow, calls)
    asked: set[int] = set()
    for number in inside:
        routine = flow.owner[number]
        for name, indices in accesses(flow.machine, flow.machine.nodes[number]):
            mine = number not in turns and is_own(flow, indices, routine, name, own)
            if name in changed and per_seat(flow, name) and not mine:
                way = way_there(flow, calls, routine)
                yield OthersRead(flow.span(number), name, way, routine=_named(flow, routine, forks))
        node = flow.machine.nodes[number]
        if isinstance(node, ir.CheckTrigger) and node.trigger not in asked:
            asked.add(node.trigger)
            yield from _noted(flow, node.trigger, changed, way_there(flow, calls, routine))


def _noted(flow: Flow, number: int, changed: set[str], way: tuple[Label, ...]) -> Iterator[Finding]:
    """What a trigger's condition asks of other seats than the one that it is about."""
    trigger = flow.machine.triggers[number]
    about = {ir.Local(ir.ME), *map(ir.Reg, trigger.regs)}
    for name, indices in accesses(flow.machine, trigger.condition):
        if name in changed and per_seat(flow, name) and not about & set(indices):
            code = flow.machine.routines[trigger.routine]
            routine = routine_name(flow, trigger.routine)
            yield OthersRead(code.span.first_line(), name, way, routine=routine)


def _named(flow: Flow, routine: int, forks: set[int]) -> str:
    return "together" if routine in forks else routine_name(flow, routine)


def _changed(flow: Flow, number: int) -> Iterator[Access]:
    node = flow.machine.nodes[number]
    yield from (*writes(flow.machine, node), *left(flow, number, node))


CHECK = Check(OthersRead, find)
