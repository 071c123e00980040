"""The code that runs inside `together`, while all seats choose at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from dsl.diagnostics import Label
from interpreter import ir
from interpreter.ir.effects import Access, place_access, writes
from interpreter.ir.visit import targets
from validators.flow.graph import Edge, Flow
from validators.flow.origins import pieces_in
from validators.flow.path_text import routine_name
from validators.flow.updates import updates_of


class Simultaneous:
    """The routines that run inside `together`.

    `calls` has for each of them one call, and the routine that makes it; `forks` are those that begin there:
    the branches of the seats.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.calls = _calls(flow)
        self.forks = {routine for routine, (edge, _) in self.calls.items() if _is_fork(flow, edge)}

    @cached_property
    def other_turns(self) -> set[int]:
        """The nodes at which `me` is each of several seats in turn; also in what they call."""
        found: set[int] = set()
        for number in self.flow.nodes_in(self.calls):
            if isinstance(self.flow.machine.nodes[number], ir.SetMe):
                found |= _turn(self.flow, number)
        edges = (edge for number in found & self.flow.reached for edge in self.flow.edges[number])
        called = self.flow.called(edge.runs[0] for edge in edges if edge.runs is not None)
        return found.union(self.flow.nodes_in(called))

    def is_own(self, number: int, name: str, indices: tuple[ir.Expr, ...]) -> bool:
        """Whether what a node reads or writes at some indices belongs to the acting seat."""
        if number in self.other_turns or not self.per_seat(name):
            return False
        routine = self.flow.owner[number]
        return any(
            isinstance(i, ir.Local) and (i.slot == ir.ME or (routine, i.slot) in self._own_locals)
            for i in indices
        )

    @cached_property
    def _own_locals(self) -> set[tuple[int, int]]:
        return own_locals(self.flow, self.calls.keys() - self.forks)

    def per_seat(self, name: str) -> bool:
        """Whether each seat has a zone, counter, mark or pointer of its own."""
        machine = self.flow.machine
        if name in machine.stores:
            return machine.stores[name].of == "seat"
        first, _ = machine.zone_places[name]
        return machine.places[first].of is not None

    def path_to(self, routine: int) -> tuple[Label, ...]:
        """The calls from the block of `together` to a routine."""
        labels: list[Label] = []
        while routine in self.calls:
            edge, caller = self.calls[routine]
            forks = routine in self.forks
            text = "all choose at once from here" if forks else f"`{self.name(routine)}` is run here"
            labels.append(Label(self.flow.span(edge.source), text))
            if forks:
                break
            routine = caller
        return tuple(labels[::-1])

    def name(self, routine: int) -> str:
        return routine_name(self.flow, routine)


def _calls(flow: Flow) -> dict[int, tuple[Edge, int]]:
    found: dict[int, tuple[Edge, int]] = {}
    queue: list[int] = []
    for number in flow.reached:
        for edge in flow.edges[number]:
            if edge.runs is not None and _is_fork(flow, edge):
                found.setdefault(edge.runs[0], (edge, flow.owner[number]))
                queue.append(edge.runs[0])
    for routine in queue:
        for number in flow.nodes_in([routine]):
            for edge in flow.edges[number]:
                if edge.runs is not None and edge.runs[0] not in found and _may_fire(flow, edge):
                    found[edge.runs[0]] = (edge, routine)
                    queue.append(edge.runs[0])
    return found


def _is_fork(flow: Flow, edge: Edge) -> bool:
    return isinstance(flow.machine.nodes[edge.source], ir.Fork)


def _may_fire(flow: Flow, edge: Edge) -> bool:
    """Whether a call is made, or a trigger fires: by a piece that enters or leaves what it watches."""
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


def _turn(flow: Flow, first: int) -> set[int]:
    """The nodes after one that sets `me`, up to the next seat's turn; none outside a loop over seats."""
    nodes = flow.machine.nodes
    loops = {i for i, node in enumerate(nodes) if isinstance(node, ir.Iterate) and node.next == first}
    found: set[int] = set()
    todo = targets(nodes[first]) if loops else []
    while todo:
        number = todo.pop()
        if number not in found and number not in loops:
            found.add(number)
            todo += targets(nodes[number])
    return found


def own_locals(flow: Flow, routines: Iterable[int]) -> set[tuple[int, int]]:
    """The parameters (routine, slot) that are the acting seat in every call of a routine."""
    given = [
        (node.routine, ir.FRAME + i, argument, flow.owner[number])
        for number, node in enumerate(flow.machine.nodes)
        if isinstance(node, ir.Call) and number in flow.reached
        for i, argument in enumerate(node.arguments)
    ]
    candidates = set(routines)
    own = {(routine, slot) for routine, slot, _, _ in given if routine in candidates}
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


# ---- changes


def changes(flow: Flow, number: int) -> Iterator[Access]:
    """What a node writes, and the zones that pieces leave by it, with indices."""
    yield from writes(flow.machine, flow.machine.nodes[number])
    yield from _left(flow, number)


def _left(flow: Flow, number: int) -> Iterator[Access]:
    """The zones that pieces leave, as far as the routine says where they are."""
    sources: Iterable[ir.Source] = ()
    match flow.machine.nodes[number]:
        case (
            ir.MoveAll(source=source)
            | ir.Exchange(source=source)
            | ir.MovePiece(piece=ir.Best(source=source))
        ):
            sources = (source,)
        case ir.MovePiece(piece=ir.PieceAt(place=place)):
            yield from place_access(flow.machine, place)
        case ir.MovePiece(piece=ir.Local(slot=slot)):
            sources = _sources_of_local(flow, flow.owner[number], slot)
    for pieces in (p for source in sources for p in pieces_in(source)):
        zone = flow.machine.places[pieces.first].zone
        yield zone, tuple(axis.one for axis in (pieces.of, pieces.at) if axis.one is not None)


def _sources_of_local(flow: Flow, routine: int, slot: int) -> Iterator[ir.Source]:
    """The collections from which a routine's local has its values."""
    nodes = [node for i, node in enumerate(flow.machine.nodes) if flow.owner[i] == routine]
    snapshots = {node.slot: node.source for node in nodes if isinstance(node, ir.Snapshot)}
    for node in nodes:
        match node:
            case ir.Decide(slot=s, source=source) if s == slot:
                yield source
            case ir.Iterate(slot=s, snapshot=snapshot) if s == slot:
                yield snapshots[snapshot]
