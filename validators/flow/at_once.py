"""Which routines run while all choose at once, and by which calls."""

from __future__ import annotations

from dsl.diagnostics import Label
from interpreter import machine as m
from validators.flow.graph import Flow, Hop
from validators.flow.updates import updates_of
from validators.flow.words import routine_name


def at_once(flow: Flow) -> dict[int, tuple[Hop, int]]:
    """The routines that run while all choose, each with a call of it and the routine that calls."""
    found: dict[int, tuple[Hop, int]] = {}
    todo = []
    for number in flow.reached:
        for hop in flow.hops[number]:
            if hop.runs is not None and is_fork(flow, hop):
                found.setdefault(hop.runs[0], (hop, flow.owner[number]))
                todo.append(hop.runs[0])
    while todo:
        routine = todo.pop(0)
        for number in sorted(i for i in flow.reached if flow.owner[i] == routine):
            for hop in flow.hops[number]:
                if hop.runs is not None and hop.runs[0] not in found and may_fire(flow, hop):
                    found[hop.runs[0]] = (hop, routine)
                    todo.append(hop.runs[0])
    return found


def is_fork(flow: Flow, hop: Hop) -> bool:
    """Whether `together` begins with a call."""
    return isinstance(flow.machine.nodes[hop.source], m.Fork)


def way_there(flow: Flow, calls: dict[int, tuple[Hop, int]], routine: int) -> tuple[Label, ...]:
    """From the block of `together` to a routine, call by call."""
    found: list[Label] = []
    while routine in calls:
        hop, caller = calls[routine]
        forks = is_fork(flow, hop)
        text = "all choose at once from here" if forks else f"`{routine_name(flow, routine)}` is run here"
        found.append(Label(flow.span(hop.source), text))
        if forks:
            break
        routine = caller
    return tuple(found[::-1])


def may_fire(flow: Flow, hop: Hop) -> bool:
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
