"""What the branches of `together` may change, of any seat."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.ir import expressions as e, nodes as n
from interpreter.ir.cfg import call_graph, owners, runs
from interpreter.ir.effects import place_access, writes
from interpreter.ir.program import Machine
from interpreter.ir.state import FRAME
from interpreter.ir.visit import leaves

UNKNOWN = None
"""Instead of a zone: one that the routine does not show."""


def changed_together(mc: Machine) -> frozenset[str]:
    """The counters, marks, pointers, zones and histories that some branch may change.

    Where pieces come from that a routine is given is not looked for: any zone of their component.
    """
    inside = _branches(mc)
    if not inside:
        return frozenset()
    owner = owners(mc)
    found: set[str] = set()
    for number, node in enumerate(mc.nodes):
        if owner[number] in inside:
            found.update(name for name, _ in writes(mc, node))
            for zone in _left(mc, owner, owner[number], node):
                found.update((zone,) if zone is not None else _candidates(mc, node))
    return frozenset(found)


def _branches(mc: Machine) -> set[int]:
    """The routines that run while all choose at once."""
    graph = call_graph(mc)
    found: set[int] = set()
    todo = [node.routine for node in mc.nodes if isinstance(node, n.Fork)]
    while todo:
        routine = todo.pop()
        if routine not in found:
            found.add(routine)
            todo.extend(graph.get(routine, ()))
    return found


def _candidates(mc: Machine, node: n.Step) -> Iterator[str]:
    """The zones that a piece may come from whose zone does not show."""
    place = getattr(node, "place", None)
    to = next((zone for zone, _ in place_access(mc, place)), None) if place is not None else None
    component = mc.place_components[to] if to is not None else None
    return (zone for zone, held in mc.place_components.items() if component in (None, held))


# ---- where pieces come from


def _left(mc: Machine, owner: list[int], routine: int, node: n.Step) -> Iterator[str | None]:
    """The zones whose pieces a node takes away, turns or puts in another order."""
    match node:
        case n.MovePiece(piece=piece):
            yield from _zones_of(mc, owner, routine, piece, set())
        case n.TurnDie(slot=slot):
            yield from _zones_of(mc, owner, routine, e.Local(slot), set())
        case n.MoveAll(source=source) | n.Exchange(source=source):
            yield from _zones_in(mc, source)
        case n.MoveSome(source=place) | n.Take(source=place) | n.Lift(source=place) | n.Swap(place=place):
            yield from _zone_at(mc, place)


def _zone_at(mc: Machine, place: e.Expr) -> Iterator[str | None]:
    known = [zone for zone, _ in place_access(mc, place)]
    yield from known or (UNKNOWN,)


def _zones_in(mc: Machine, source: e.Source) -> Iterator[str | None]:
    for leaf in leaves(source):
        match leaf:
            case e.Pieces(first=first):
                yield mc.places[first].zone
            case e.Listed():
                yield UNKNOWN


def _zones_of(
    mc: Machine, owner: list[int], routine: int, piece: e.Expr, seen: set[int]
) -> Iterator[str | None]:
    """The zones in which a piece may lie that an expression of a routine yields."""
    match piece:
        case e.PieceAt(place=place):
            yield from _zone_at(mc, place)
        case e.Best(source=source):
            yield from _zones_in(mc, source)
        case e.Local(slot=slot) if slot not in seen:
            seen.add(slot)
            yield from _zones_of_local(mc, owner, routine, slot, seen)
        case e.If(then=then, otherwise=otherwise):
            yield from _zones_of(mc, owner, routine, then, seen)
            yield from _zones_of(mc, owner, routine, otherwise, seen)
        case e.Let(body=body):
            yield from _zones_of(mc, owner, routine, body, seen)
        case e.Reg():
            yield UNKNOWN


def _zones_of_local(
    mc: Machine, owner: list[int], routine: int, slot: int, seen: set[int]
) -> Iterator[str | None]:
    """The same for a local, by whatever writes it; unknown if a call gives it."""
    if any(routine == called and slot < FRAME + given for x in mc.nodes for called, given in runs(mc, x)):
        yield UNKNOWN
    nodes = [node for node, at in zip(mc.nodes, owner, strict=True) if at == routine]
    for node in nodes:
        match node:
            case n.Decide(slot=written, source=source) if written == slot:
                yield from _zones_in(mc, source)
            case n.Iterate(slot=written, snapshot=snapshot) if written == slot:
                for other in nodes:
                    if isinstance(other, n.Snapshot) and other.slot == snapshot:
                        yield from _zones_in(mc, other.source)
            case n.SetLocal(slot=written, value=value) if written == slot:
                yield from _zones_of(mc, owner, routine, value, seen)
            case n.NextTrigger(first_slot=first) if first <= slot:
                yield UNKNOWN
            case (
                n.MovePiece(follow=written, place=place)
                | n.MoveSome(follow=written, place=place)
                | n.Take(follow=written, place=place)
                | n.Drop(follow=written, place=place)
            ) if written == slot:
                yield from _zone_at(mc, place)
            case n.Lift(slot=written, source=place) if written == slot:
                yield from _zone_at(mc, place)
