"""What several seats may write at once, by way of procedures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from dsl.diagnostics import Severity
from interpreter import machine as m
from validators.check import Check
from validators.findings import Finding
from validators.flow.graph import Flow, Hop
from validators.flow.updates import updates_of
from validators.flow.words import routine_name
from validators.subject import Subject


@dataclass(frozen=True)
class SharedThroughCalls(Finding):
    """Several seats may change the same counter, mark or pointer at once, in a routine that `together` calls.

    In `together` every seat goes its own way, and the order in which they choose is nobody's rule. If two
    of them may write the same thing, the outcome depends on who is faster. The block itself is looked
    at by D055; this looks into everything that it calls.

    Example:

        procedure take_first
            gain 1 tokens of (first_seat)         # not of `me`

        procedure all_at_once
            each seat together
                take_first()

    Write to a place of `me`, do it behind the block, or say `shared: first come` at its declaration.
    """

    code = "V334"
    slug = "shared-through-calls"
    severity = Severity.ERROR
    title = "`{about}` may be changed by several seats at once, in `{routine}`"
    label = "written while all choose"
    mend = "write to a place of `me`, or say `shared: first come` at its declaration"

    routine: str = ""


def find(subject: Subject) -> Iterator[Finding]:
    rules = subject.rules
    shared = {
        x.store.name
        for kind in (rules.counters, rules.marks, rules.pointers)
        for x in kind.values()
        if x.store.shared is not None
    }
    for flow in subject.plain:
        forks = {
            n.routine for i, n in enumerate(flow.machine.nodes) if isinstance(n, m.Fork) and i in flow.reached
        }
        inside = flow.called(forks, partial(_may_fire, flow)) - forks if forks else set()
        for number, node in enumerate(flow.machine.nodes):
            if flow.owner[number] not in inside or not isinstance(node, m.SetWord | m.Transfer):
                continue
            if node.name not in shared and not _own(flow, node.address, node.name):
                yield SharedThroughCalls(node.span, node.name, routine=routine_name(flow, flow.owner[number]))


def _may_fire(flow: Flow, hop: Hop) -> bool:
    """Whether a call is made, or a trigger set off: by a piece that comes to or leaves what it watches."""
    check = flow.machine.nodes[hop.source]
    if not isinstance(check, m.CheckTrigger):
        return True
    trigger = flow.machine.triggers[check.trigger]
    if trigger.condition is not None:
        return True
    zones = {flow.machine.places[place].zone for place in trigger.watched}
    moved = {
        update.name if trigger.enters else update.source
        for number in range(len(flow.machine.nodes))
        if flow.owner[number] == flow.owner[hop.source]
        for update in updates_of(flow, number)
        if update.source is not None
    }
    return bool(moved & zones)


def _own(flow: Flow, address: m.Address, name: str) -> bool:
    """Whether what is written belongs to the seat that acts."""
    if flow.machine.words[name].of != "seat":
        return False
    return any(t.index == m.Local(m.ME) for t in address.terms)


CHECK = Check(SharedThroughCalls, find)
