"""Which routines run while all choose at once, and by which calls."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.diagnostics import Label
from interpreter import ir
from interpreter.ir.visit import targets
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


def others_turns(flow: Flow, routines: Iterable[int]) -> set[int]:
    """The nodes of some routines at which `me` is in turn each of several seats; also in what they call."""
    around, called = set(routines), list[int]()
    found: set[int] = set()
    for number in flow.reached:
        if flow.owner[number] in around and isinstance(flow.machine.nodes[number], ir.SetMe):
            turn = _turn(flow, number)
            found |= turn
            called += [hop.runs[0] for i in turn for hop in flow.hops[i] if hop.runs is not None]
    behind = called_from(flow, called)
    return found | {i for i in flow.reached if flow.owner[i] in behind}


def _turn(flow: Flow, first: int) -> set[int]:
    """The nodes behind one that sets `me`, until the next seat's turn; none if `me` is who it was before."""
    nodes = flow.machine.nodes
    rounds = {i for i, node in enumerate(nodes) if isinstance(node, ir.Iterate) and node.next == first}
    found: set[int] = set()
    todo = targets(nodes[first]) if rounds else []
    while todo:
        number = todo.pop()
        if number not in found and number not in rounds:
            found.add(number)
            todo += targets(nodes[number])
    return found


def called_from(flow: Flow, routines: Iterable[int]) -> set[int]:
    """Some routines and all that they call."""
    found: set[int] = set()
    todo = list(routines)
    while todo:
        routine = todo.pop()
        if routine not in found:
            found.add(routine)
            nodes = [i for i in flow.reached if flow.owner[i] == routine]
            todo += [hop.runs[0] for i in nodes for hop in flow.hops[i] if hop.runs is not None]
    return found


def is_fork(flow: Flow, hop: Hop) -> bool:
    """Whether `together` begins with a call."""
    return isinstance(flow.machine.nodes[hop.source], ir.Fork)


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
    if not isinstance(check, ir.CheckTrigger):
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


def own_locals(flow: Flow, routines: set[int]) -> set[tuple[int, int]]:
    """The parameters that are the seat that acts in every call of a routine."""
    given = [
        (node.routine, ir.FRAME + i, argument, flow.owner[number])
        for number, node in enumerate(flow.machine.nodes)
        if isinstance(node, ir.Call) and number in flow.reached
        for i, argument in enumerate(node.arguments)
    ]
    own = {(routine, slot) for routine, slot, _, _ in given if routine in routines}
    while True:
        foreign = {
            (routine, slot)
            for routine, slot, argument, caller in given
            if not isinstance(argument, ir.Local)
            or (argument.slot != ir.ME and (caller, argument.slot) not in own)
        }
        if not own & foreign:
            return own
        own -= foreign
