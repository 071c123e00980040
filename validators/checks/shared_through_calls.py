"""What several seats may write at once, by way of procedures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Label, Severity
from interpreter import machine as m
from validators.check import Check
from validators.findings import Finding
from validators.flow.graph import Flow, Hop
from validators.flow.updates import updates_of, zone_of
from validators.flow.words import routine_name
from validators.subject import Subject


@dataclass(frozen=True)
class SharedThroughCalls(Finding):
    """Several seats may change the same thing at once, in a routine that `together` calls.

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
        for kind in (rules.zones, rules.counters, rules.marks, rules.pointers)
        for x in kind.values()
        if x.store.shared is not None
    }
    for flow in subject.plain:
        calls = _calls(flow)
        forks = {hop.runs[0] for hop, _ in calls.values() if hop.runs is not None and _forks(flow, hop)}
        own = _own_locals(flow, set(calls) - forks)
        for number, node in enumerate(flow.machine.nodes):
            routine = flow.owner[number]
            if routine not in calls or routine in forks:
                continue
            for name, terms in _written(flow, node):
                if name not in shared and not _own(flow, terms, routine, name, own):
                    way = _way(flow, calls, routine)
                    yield SharedThroughCalls(node.span, name, way, routine=routine_name(flow, routine))


# ---- who calls whom


def _calls(flow: Flow) -> dict[int, tuple[Hop, int]]:
    """The routines that run while all choose, each with a call of it and the routine that calls."""
    found: dict[int, tuple[Hop, int]] = {}
    todo = []
    for number in flow.reached:
        for hop in flow.hops[number]:
            if hop.runs is not None and _forks(flow, hop):
                found.setdefault(hop.runs[0], (hop, flow.owner[number]))
                todo.append(hop.runs[0])
    while todo:
        routine = todo.pop(0)
        for number in sorted(i for i in flow.reached if flow.owner[i] == routine):
            for hop in flow.hops[number]:
                if hop.runs is not None and hop.runs[0] not in found and _may_fire(flow, hop):
                    found[hop.runs[0]] = (hop, routine)
                    todo.append(hop.runs[0])
    return found


def _forks(flow: Flow, hop: Hop) -> bool:
    return isinstance(flow.machine.nodes[hop.source], m.Fork)


def _way(flow: Flow, calls: dict[int, tuple[Hop, int]], routine: int) -> tuple[Label, ...]:
    """From the block of `together` to a routine, call by call."""
    found: list[Label] = []
    while routine in calls:
        hop, caller = calls[routine]
        forks = _forks(flow, hop)
        text = "all choose at once from here" if forks else f"`{routine_name(flow, routine)}` is run here"
        found.append(Label(flow.span(hop.source), text))
        if forks:
            break
        routine = caller
    return tuple(found[::-1])


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


# ---- what is written


def _written(flow: Flow, node: m.Step) -> Iterator[tuple[str, tuple[m.Expr, ...]]]:
    """The counters, marks, pointers and zones that a node changes, with the indices that are said."""
    match node:
        case m.SetWord(name=name, address=address) | m.Transfer(name=name, address=address):
            yield name, tuple(t.index for t in address.terms)
        case m.MovePiece(place=place) | m.MoveAll(place=place) | m.Drop(place=place):
            yield from _place(flow, place)
        case m.MoveSome(place=place, source=source) | m.Take(place=place, source=source):
            yield from _place(flow, source)
            yield from _place(flow, place)


def _place(flow: Flow, place: m.Expr) -> Iterator[tuple[str, tuple[m.Expr, ...]]]:
    zone = zone_of(flow.machine, place)
    if zone in flow.machine.zone_places:
        yield zone, tuple(t.index for t in place.address.terms) if isinstance(place, m.Spot) else ()


def _own(flow: Flow, indices: tuple[m.Expr, ...], routine: int, name: str, own: set[tuple[int, int]]) -> bool:
    """Whether what is written belongs to the seat that acts."""
    return _per_seat(flow, name) and any(
        isinstance(i, m.Local) and (i.slot == m.ME or (routine, i.slot) in own) for i in indices
    )


def _per_seat(flow: Flow, name: str) -> bool:
    words = flow.machine.words.get(name)
    if words is not None:
        return words.of == "seat"
    first, _ = flow.machine.zone_places[name]
    return flow.machine.places[first].of is not None


def _own_locals(flow: Flow, routines: set[int]) -> set[tuple[int, int]]:
    """The parameters that are the seat that acts in every call of a routine."""
    given = [
        (node.routine, m.FRAME + i, argument, flow.owner[number])
        for number, node in enumerate(flow.machine.nodes)
        if isinstance(node, m.Call) and number in flow.reached
        for i, argument in enumerate(node.arguments)
    ]
    own = {(routine, slot) for routine, slot, _, _ in given if routine in routines}
    while True:
        foreign = {
            (routine, slot)
            for routine, slot, argument, caller in given
            if not isinstance(argument, m.Local)
            or (argument.slot != m.ME and (caller, argument.slot) not in own)
        }
        if not own & foreign:
            return own
        own -= foreign


CHECK = Check(SharedThroughCalls, find)
