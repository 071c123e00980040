"""Counters, marks, pointers and zones that only some numbers of seats use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.rules import StateVar
from interpreter import ir
from interpreter.ir.visit import Part, walk
from validators.check import Check, CheckContext, Finding
from validators.flow.graph import Flow


@dataclass(frozen=True)
class UsedBySomeSeats(Finding):
    """A counter, mark, pointer or zone is used only with some numbers of seats.

    With the other numbers it is on the table without effect. Either a rule was written for one number of
    seats and should hold for all, or the component belongs to a variant, which should be stated.

    Example:

        procedure pay_rent
            if seats_playing > 2
                pay 1 rent             # with two seats nothing uses `rent`

    Write the rule for every number of seats; or `allow` the finding, with the reason.
    """

    code = "V325"
    slug = "used-by-some-seats"
    title = "{what} `{about}` is used with {used} seats, but not with {idle}"
    label = "declared here"
    advice = "write its rule for every number of seats, or `allow` it with its reason"

    what: str = ""
    used: str = ""
    idle: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    names: dict[int, set[str]] = {seats: set() for seats in subject.seats}
    for flow in subject.flows:
        names[flow.machine.seats] |= set(_named(flow))
    zones = [("zone", zone.var) for zone in rules.zones.values()]
    counters = [("counter", counter.var) for counter in rules.counters.values()]
    marks = [("mark", mark.var) for mark in rules.marks.values()]
    pointers = [("pointer", pointer.var) for pointer in rules.pointers.values()]
    for what, var in (*zones, *counters, *marks, *pointers):
        yield from _idle(what, var, names)


def _idle(what: str, var: StateVar, names: dict[int, set[str]]) -> Iterator[Finding]:
    used = [n for n, found in names.items() if var.name in found]
    idle = [n for n in names if n not in used]
    if used and idle:
        yield UsedBySomeSeats(var.span, var.name, what=what, used=_list(used), idle=_list(idle))


def _list(numbers: list[int]) -> str:
    return " and ".join(map(str, numbers))


def _named(flow: Flow) -> Iterator[str]:
    """The names of what the reachable part of the machine reads or writes."""
    machine = flow.machine
    nodes = tuple(machine.nodes[i] for i in flow.reached)
    scores = tuple(line.value for line in machine.scores)
    triggers = tuple(trigger.condition for trigger in machine.triggers)
    promises = tuple(promise.condition for promise in machine.invariants)
    for part in walk((nodes, scores, triggers, promises)):
        if isinstance(part, ir.Address) and (words := machine.words_at(part.base)) is not None:
            yield words.name
        place = _place(part)
        if place >= 0:
            yield machine.places[place].zone


def _place(part: Part | ir.Step) -> int:
    """The first place that a part refers to, or -1."""
    match part:
        case ir.Pieces(first=first) | ir.Spot(address=ir.Address(base=first)):
            return first
        case ir.MovePiece() | ir.MoveAll() | ir.MoveSome() | ir.Take() | ir.Drop() if isinstance(
            part.place, ir.Const
        ):
            return part.place.value
    return -1


CHECK = Check(UsedBySomeSeats, find)
