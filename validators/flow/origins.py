"""The zones from which the pieces of an expression or a collection may come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.cfg import done
from interpreter.ir.effects import written_slots
from interpreter.ir.visit import leaves
from validators.flow.graph import Edge, Flow

UNKNOWN = "?"
"""The name of a zone that does not show."""


def zone_of(machine: ir.Machine, place: ir.Expr) -> str:
    """The zone of a place that is given as an address."""
    match place:
        case ir.Const(value=number) | ir.Spot(address=ir.Address(base=number)) if number >= 0:
            return machine.places[number].zone
    return UNKNOWN


def pieces_in(source: ir.Source) -> Iterator[ir.Pieces]:
    """The places whose pieces a collection holds."""
    return (leaf for leaf in leaves(source) if isinstance(leaf, ir.Pieces))


def origins(flow: Flow, number: int, piece: ir.Expr) -> frozenset[str]:
    """The zones from which a piece may come that a node names, among them perhaps `UNKNOWN`."""
    return frozenset(_Origins(flow).of(number, piece))


def origins_of(flow: Flow, number: int, source: ir.Source) -> frozenset[str]:
    """The same for the pieces of a collection."""
    return frozenset(_Origins(flow).of_source(number, source))


@dataclass(frozen=True, slots=True)
class _Written:
    """The zones of what a node writes to a local, and whether nothing else is in it afterwards."""

    zones: tuple[str, ...] = ()
    surely: bool = False


class _Origins:
    """One search: locals that were looked at from a node are not looked at from there again."""

    def __init__(self, flow: Flow) -> None:
        self.flow, self.machine = flow, flow.machine
        self.seen: set[tuple[int, int]] = set()

    def of(self, at: int, piece: ir.Expr) -> Iterator[str]:
        match piece:
            case ir.PieceAt(place=place):
                yield zone_of(self.machine, place)
            case ir.Best(source=source):
                yield from self.of_source(at, source)
            case ir.Local(slot=slot):
                if (at, slot) not in self.seen:
                    self.seen.add((at, slot))
                    yield from self._of_local(at, slot)
            case ir.Const() | ir.Op() | ir.Not() | ir.Load() | ir.Head() | ir.Size() | ir.Pick():
                return
            case _:
                yield UNKNOWN

    def of_source(self, at: int, source: ir.Source) -> Iterator[str]:
        for leaf in leaves(source):
            match leaf:
                case ir.Pieces(first=first):
                    yield self.machine.places[first].zone
                case ir.Listed(items=items):
                    for item in items:
                        yield from self.of(at, item)
                case ir.Joined() | ir.Either() | ir.Filtered() | ir.Prefix() | ir.Ranked():
                    yield UNKNOWN

    def _of_local(self, at: int, slot: int) -> Iterator[str]:
        """The zones of what a local may hold where it is read: of what was written to it last."""
        owner = self.flow.owner[at]
        graph, entries = self.flow.within(owner), self.machine.routines[owner].entries
        todo, seen = [at], set[int]()
        begins = False
        while todo:
            number = todo.pop()
            begins = begins or number in entries
            for before, _, data in graph.in_edges(number, data=True):
                written = self._written(before, slot, data["edge"])
                yield from written.zones
                if not written.surely and before not in seen:
                    seen.add(before)
                    todo.append(before)
        if begins:
            for number in sorted(self.flow.reached):
                yield from self._given(number, owner, slot)

    def _written(self, number: int, slot: int, edge: Edge) -> _Written:
        """What a node writes to a local before an edge that leads on from it."""
        node = self.machine.nodes[number]
        match node:
            case ir.Decide(slot=written, source=source) if written == slot:
                chosen = edge.kind == "chosen"
                return _Written(tuple(self.of_source(number, source)) if chosen else (), chosen)
            case ir.SetLocal(slot=written, value=value) if written == slot:
                return _Written(tuple(self.of(number, value)), True)
            case ir.Iterate(slot=written, snapshot=snapshot) if written == slot:
                again = edge.kind != "done"
                return _Written(tuple(self._of_snapshot(number, snapshot)) if again else (), again)
            case ir.Iterate(position=written) | ir.Snapshot(slot=written) if written == slot:
                return _Written((), True)
            case (
                ir.MovePiece(follow=written, place=place)
                | ir.MoveSome(follow=written, place=place)
                | ir.Take(follow=written, place=place)
            ) if written == slot:
                return _Written((zone_of(self.machine, place),), True)
            case ir.Snapshot(slot=first, capacity=capacity, source=source) if (
                first < slot <= first + capacity
            ):
                return _Written(tuple(self.of_source(number, source)))
            case ir.ClearLocals():
                return _Written((), any(slot in slots for slots in written_slots(self.machine, node)))
            case ir.TurnDie():
                return _Written()
            case _:
                writes = any(slot in slots for slots in written_slots(self.machine, node))
                return _Written((UNKNOWN,) if writes else ())

    def _of_snapshot(self, at: int, snapshot: int) -> Iterator[str]:
        owner = self.flow.owner[at]
        for number in sorted(self.flow.reached):
            node = self.machine.nodes[number]
            if isinstance(node, ir.Snapshot) and (self.flow.owner[number], node.slot) == (owner, snapshot):
                yield from self.of_source(number, node.source)

    def _given(self, number: int, called: int, slot: int) -> Iterator[str]:
        """The zones of what a node gives to a routine as a parameter."""
        node = self.machine.nodes[number]
        doings: tuple[ir.Doing, ...] = ()
        match node:
            case (
                ir.Call(routine=routine, arguments=arguments) | ir.Fork(routine=routine, arguments=arguments)
            ):
                if routine == called and slot < ir.FRAME + len(arguments):
                    yield from self.of(number, arguments[slot - ir.FRAME])
            case ir.Offer(what=what):
                doings = what
            case ir.CallCell(what=what):
                doings = (what,)
        for doing in doings:
            if isinstance(doing, ir.DoRoutine):
                if doing.routine == called and slot < ir.FRAME + len(doing.arguments):
                    yield from self.of(number, doing.arguments[slot - ir.FRAME])
            elif slot == ir.SELF and any(called == routine for routine, _ in done(self.machine, doing)):
                yield UNKNOWN
