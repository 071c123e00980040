"""Which routines run while all choose at once, and by which calls."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.diagnostics import Label
from interpreter import ir
from interpreter.ir.visit import targets
from validators.flow.graph import Edge, Flow
from validators.flow.path_text import routine_name
from validators.flow.updates import updates_of


def simultaneous_routines(flow: Flow) -> dict[int, tuple[Edge, int]]:
    """The routines that run while all choose, each with a call of it and the routine that calls."""
    found: dict[int, tuple[Edge, int]] = {}
    todo = []
    for number in flow.reached:
        for edge in flow.edges[number]:
            if edge.runs is not None and is_fork(flow, edge):
                found.setdefault(edge.runs[0], (edge, flow.owner[number]))
                todo.append(edge.runs[0])
    while todo:
        routine = todo.pop(0)
        for number in sorted(i for i in flow.reached if flow.owner[i] == routine):
            for edge in flow.edges[number]:
                if edge.runs is not None and edge.runs[0] not in found and may_fire(flow, edge):
                    found[edge.runs[0]] = (edge, routine)
                    todo.append(edge.runs[0])
    return found


def others_turns(flow: Flow, routines: Iterable[int]) -> set[int]:
    """The nodes of some routines at which `me` is in turn each of several seats; also in what they call."""
    around, called = set(routines), list[int]()
    found: set[int] = set()
    for number in flow.reached:
        if flow.owner[number] in around and isinstance(flow.machine.nodes[number], ir.SetMe):
            turn = _turn(flow, number)
            found |= turn
            called += [edge.runs[0] for i in turn for edge in flow.edges[i] if edge.runs is not None]
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
            todo += [edge.runs[0] for i in nodes for edge in flow.edges[i] if edge.runs is not None]
    return found


def is_fork(flow: Flow, edge: Edge) -> bool:
    """Whether `together` begins with a call."""
    return isinstance(flow.machine.nodes[edge.source], ir.Fork)


def way_there(flow: Flow, calls: dict[int, tuple[Edge, int]], routine: int) -> tuple[Label, ...]:
    """From the block of `together` to a routine, call by call."""
    found: list[Label] = []
    while routine in calls:
        edge, caller = calls[routine]
        forks = is_fork(flow, edge)
        text = "all choose at once from here" if forks else f"`{routine_name(flow, routine)}` is run here"
        found.append(Label(flow.span(edge.source), text))
        if forks:
            break
        routine = caller
    return tuple(found[::-1])


def may_fire(flow: Flow, edge: Edge) -> bool:
    """Whether a call is made, or a trigger set off: by a piece that comes to or leaves what it watches."""
    check = flow.machine.nodes[edge.source]
    if not isinstance(check, ir.CheckTrigger):
        return True
    trigger = flow.machine.triggers[check.trigger]
    if trigger.condition is not None:
        return True
    zones = {flow.machine.places[place].zone for place in trigger.watched}
    moved = {
        update.name if trigger.enters else update.source
        for number in range(len(flow.machine.nodes))
        if flow.owner[number] == flow.owner[edge.source]
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
