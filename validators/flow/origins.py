"""The zones from which the pieces of an expression or a collection may come."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import ir
from interpreter.ir.effects import written_slots
from interpreter.ir.visit import leaves
from validators.flow.graph import Flow

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


def origins(flow: Flow, owner: int, piece: ir.Expr) -> frozenset[str]:
    """The zones from which a piece may come that a routine names, among them perhaps `UNKNOWN`."""
    return frozenset(_Origins(flow).of(owner, piece))


def origins_of(flow: Flow, owner: int, source: ir.Source) -> frozenset[str]:
    """The same for the pieces of a collection."""
    return frozenset(_Origins(flow).of_source(owner, source))


class _Origins:
    """One search: locals that were looked at are not looked at again."""

    def __init__(self, flow: Flow) -> None:
        self.flow, self.machine = flow, flow.machine
        self.seen: set[tuple[int, int]] = set()

    def of(self, owner: int, piece: ir.Expr) -> Iterator[str]:
        match piece:
            case ir.PieceAt(place=place):
                yield zone_of(self.machine, place)
            case ir.Best(source=source):
                yield from self.of_source(owner, source)
            case ir.Local(slot=slot):
                if (owner, slot) not in self.seen:
                    self.seen.add((owner, slot))
                    yield from self._of_local(owner, slot)
            case ir.Const() | ir.Op() | ir.Not() | ir.Load() | ir.Head() | ir.Size() | ir.Pick():
                return
            case _:
                yield UNKNOWN

    def of_source(self, owner: int, source: ir.Source) -> Iterator[str]:
        for leaf in leaves(source):
            match leaf:
                case ir.Pieces(first=first):
                    yield self.machine.places[first].zone
                case ir.Listed(items=items):
                    for item in items:
                        yield from self.of(owner, item)
                case ir.Joined() | ir.Either() | ir.Filtered() | ir.Prefix() | ir.Ranked():
                    yield UNKNOWN

    def _of_local(self, owner: int, slot: int) -> Iterator[str]:
        for number in sorted(self.flow.reached):
            node = self.machine.nodes[number]
            if self.flow.owner[number] == owner:
                yield from self._written(owner, node, slot)
            yield from self._given(number, node, owner, slot)

    def _written(self, owner: int, node: ir.Step, slot: int) -> Iterator[str]:
        """The zones of what a node writes to a local."""
        match node:
            case ir.Decide(slot=written, source=source) if written == slot:
                yield from self.of_source(owner, source)
            case ir.SetLocal(slot=written, value=value) if written == slot:
                yield from self.of(owner, value)
            case ir.Iterate(slot=written, snapshot=snapshot) if written == slot:
                yield from self._of_snapshot(owner, snapshot)
            case ir.Iterate(position=written) | ir.Snapshot(slot=written) if written == slot:
                return
            case (
                ir.MovePiece(follow=written, place=place)
                | ir.MoveSome(follow=written, place=place)
                | ir.Take(follow=written, place=place)
            ) if written == slot:
                yield zone_of(self.machine, place)
            case ir.Snapshot(slot=first, capacity=capacity, source=source) if (
                first < slot <= first + capacity
            ):
                yield from self.of_source(owner, source)
            case ir.ClearLocals() | ir.TurnDie():
                return
            case _:
                if any(slot in slots for slots in written_slots(self.machine, node)):
                    yield UNKNOWN

    def _of_snapshot(self, owner: int, snapshot: int) -> Iterator[str]:
        for number in sorted(self.flow.reached):
            node = self.machine.nodes[number]
            if isinstance(node, ir.Snapshot) and (self.flow.owner[number], node.slot) == (owner, snapshot):
                yield from self.of_source(owner, node.source)

    def _given(self, number: int, node: ir.Step, called: int, slot: int) -> Iterator[str]:
        """The zones of what a node gives to a routine as a parameter."""
        caller = self.flow.owner[number]
        doings: tuple[ir.Doing, ...] = ()
        match node:
            case (
                ir.Call(routine=routine, arguments=arguments) | ir.Fork(routine=routine, arguments=arguments)
            ):
                if routine == called and slot < ir.FRAME + len(arguments):
                    yield from self.of(caller, arguments[slot - ir.FRAME])
            case ir.Offer(what=what):
                doings = what
            case ir.CallCell(what=what):
                doings = (what,)
        for doing in doings:
            if isinstance(doing, ir.DoRoutine):
                if doing.routine == called and slot < ir.FRAME + len(doing.arguments):
                    yield from self.of(caller, doing.arguments[slot - ir.FRAME])
            elif slot == ir.SELF and any(called == routine for routine, _ in self.machine.cells):
                yield UNKNOWN
