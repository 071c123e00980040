"""What a node changes, and in which direction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.effects import writes
from interpreter.ir.fold import conjuncts
from interpreter.ir.visit import leaves
from validators.flow.graph import Flow

UP, DOWN, ANY = 1, -1, 0


@dataclass(frozen=True, slots=True)
class Update:
    """A change: of a counter `name`, up, down or anyhow; or of a piece from zone `source` to zone `name`.

    `sure`: whoever comes past makes it, and by at least one.
    """

    name: str
    way: int
    sure: bool
    source: str | None = None


_kept: WeakKeyDictionary[Flow, dict[int, frozenset[Update]]] = WeakKeyDictionary()


def updates_of(flow: Flow, number: int) -> frozenset[Update]:
    """What one node may change."""
    kept = _kept.setdefault(flow, {})
    if number not in kept:
        kept[number] = _updates_of(flow, number)
    return kept[number]


def _updates_of(flow: Flow, number: int) -> frozenset[Update]:
    machine, node = flow.machine, flow.machine.nodes[number]
    match node:
        case ir.SetWord():
            return frozenset({_written(flow, number, node)})
        case ir.Transfer():
            return frozenset(_transferred(flow, number, node))
        case ir.SetLocal(slot=slot, value=value):
            return frozenset({Update(f"local {flow.owner[number]} {slot}", *_way(value, ir.Local(slot)))})
        case ir.SetHead(word=word, value=value):
            update = Update(f"head {word}", *_way(value, ir.Head(word)))
            return frozenset({update} if word not in (ir.PC, ir.PHASE) else ())
        case ir.Reset(ranges=ranges):
            names = {_name(machine, a) for a, _ in ranges}
            return frozenset(Update(name, ANY, False) for name in names)
        case ir.MovePiece(piece=piece, place=place):
            return _moved(flow, piece, place, sure=True)
        case ir.Take(source=source, place=place):
            zones = {zone_of(machine, source)}
            return frozenset(Update(zone_of(machine, place), UP, True, z) for z in zones)
        case ir.MoveSome(source=source, place=place):
            return frozenset({Update(zone_of(machine, place), UP, False, zone_of(machine, source))})
        case ir.MoveAll(source=collection, place=place):
            to = zone_of(machine, place)
            return frozenset(Update(to, UP, False, z) for z in _zones_in(machine, collection))
        case ir.Drop(place=place, component=component):
            to = zone_of(machine, place)
            others = [z for z, c in machine.place_components.items() if c == component]
            return frozenset(Update(to, UP, False, z) for z in others)
        case _:
            return frozenset(Update(name, ANY, False) for name, _ in writes(machine, node))


# ---- numbers


def _written(flow: Flow, number: int, node: ir.SetWord) -> Update:
    words = flow.machine.variables.get(node.name)
    if words is not None and words.kind != "counter":
        emptied = node.value == ir.Const(NONE if words.kind == "pointer" else 0)
        fills = not emptied and (words.kind == "pointer" or node.value == ir.Const(1))
        return Update(node.name, UP if fills else ANY, fills and _was_empty(flow, number, node))
    if node.op == "=":
        return Update(node.name, *_way(node.value, ir.Load(node.address)))
    least = _least(flow, number, node.value)
    way = (UP if node.op == "+=" else DOWN) if least is not None and least >= 0 else ANY
    return Update(node.name, way, way != ANY and least is not None and least > 0 and node.edge != "clamp")


def _way(value: ir.Expr, itself: ir.Expr) -> tuple[int, bool]:
    """The direction of `x = x + 1` and its like."""
    match value:
        case ir.Op(op="+" | "-" as op, left=left, right=ir.Const(value=by)) if left == itself and by:
            return (UP if (op == "+") == (by > 0) else DOWN), True
    return ANY, False


def _transferred(flow: Flow, number: int, node: ir.Transfer) -> list[Update]:
    least = _least(flow, number, node.amount)
    known = least is not None and least >= 0
    sure = least is not None and least > 0 and node.edge != "clamp" and node.verb != "lose"
    sure = sure and not (node.bank is not None and node.bank_clamps)
    there = (UP if node.verb == "gain" else DOWN) if known else ANY
    found = [Update(node.name, there, sure)]
    if node.bank_name:
        found.append(Update(node.bank_name, -there, sure and not node.paid_anyway))
    if node.to is not None:
        found.append(Update(node.name, ANY, False))
    return found


def _least(flow: Flow, number: int, e: ir.Expr) -> int | None:
    """The least that an amount can be, as far as it shows."""
    match e:
        case ir.Const(value=value):
            return value
        case ir.Pick(table=table):
            return min(table) if table and NONE not in table else None
        case ir.Size() | ir.Fold(kind="count" | "any" | "distinct"):
            return 0
        case ir.Local(slot=slot):
            return _least_chosen(flow, flow.owner[number], slot)
        case ir.If(then=then, otherwise=otherwise):
            both = (_least(flow, number, then), _least(flow, number, otherwise))
            return None if None in both else min(x for x in both if x is not None)
        case ir.Op(op="max", left=left, right=right):
            known = (_least(flow, number, left), _least(flow, number, right))
            return max((x for x in known if x is not None), default=None)
        case ir.Op(op="+" | "*" | "min" as op, left=left, right=right):
            a, b = _least(flow, number, left), _least(flow, number, right)
            if a is None or b is None or a < 0 or b < 0:
                return None
            return {"+": a + b, "*": a * b, "min": min(a, b)}[op]
    return None


def _least_chosen(flow: Flow, owner: int, slot: int) -> int | None:
    """The least value of a local, if a choice among numbers is all that writes it."""
    least: int | None = None
    for number, node in enumerate(flow.machine.nodes):
        if flow.owner[number] != owner or getattr(node, "slot", None) != slot:
            continue
        match node:
            case ir.Decide(source=ir.Between(low=ir.Const(value=low))):
                least = low
            case ir.Decide(source=ir.Values(values=values)) if values:
                least = min(values)
            case ir.Decide() | ir.SetLocal():
                return None
    return least


def _name(machine: ir.Machine, address: ir.Address) -> str:
    words = machine.words_at(address.base)
    return words.name if words is not None else f"word {address.base}"


# ---- pointers and marks that are empty


def _was_empty(flow: Flow, number: int, node: ir.SetWord) -> bool:
    """Whether the routine has asked that the pointer or mark that is written be empty."""
    wanted = ir.Load(node.address)
    owner = flow.owner[number]
    for other, at in enumerate(flow.owner):
        if at == owner and _asks_empty(flow.machine.nodes[other], wanted):
            return True
    return False


def _asks_empty(node: ir.Step, wanted: ir.Load) -> bool:
    match node:
        case ir.Decide(reg=reg, slot=slot, where=where) if where is not None:
            return any(_same(part, wanted, reg, slot) for part in conjuncts(where))
        case ir.SetLocal(slot=slot, value=ir.Best(reg=reg, where=where)) if where is not None:
            return any(_same(part, wanted, reg, slot) for part in conjuncts(where))
        case ir.Precondition(condition=condition):
            return any(_same(part, wanted, -1, -1) for part in conjuncts(condition))
    return False


def _same(part: ir.Expr, wanted: ir.Load, reg: int, slot: int) -> bool:
    """Whether a condition says that what is loaded at a chosen value is none, or not set."""
    match part:
        case ir.Op(op="==", left=ir.Load() as asked, right=ir.Const(value=value)) if value == NONE:
            return _bare(asked, reg) == _bare(wanted, slot)
        case ir.Not(operand=ir.Load() as asked):
            return _bare(asked, reg) == _bare(wanted, slot)
    return False


def _bare(e: ir.Load, chosen: int) -> tuple[Any, ...]:
    """An address without what was proved of it, the chosen value marked."""
    terms = tuple(
        ("chosen" if t.index in (ir.Reg(chosen), ir.Local(chosen)) else t.index, t.lo, t.hi, t.stride)
        for t in e.address.terms
    )
    return e.address.base, terms


# ---- pieces


def _moved(flow: Flow, piece: ir.Expr, place: ir.Expr, sure: bool) -> frozenset[Update]:
    to = zone_of(flow.machine, place)
    component = flow.machine.place_components.get(to)
    found = _zones_of(flow, piece) or {z for z, c in flow.machine.place_components.items() if c == component}
    return frozenset(Update(to, UP, sure, z) for z in found)


def zone_of(machine: ir.Machine, place: ir.Expr) -> str:
    """The zone of a place that is given as an address."""
    match place:
        case ir.Const(value=number) | ir.Spot(address=ir.Address(base=number)) if number >= 0:
            return machine.places[number].zone
    return "?"


def _zones_of(flow: Flow, piece: ir.Expr) -> set[str]:
    """The zones from which a piece may come, if its variable was chosen or gone through in this routine."""
    match piece:
        case ir.PieceAt(place=place):
            return {zone_of(flow.machine, place)}
        case ir.Best(source=source):
            return _zones_in(flow.machine, source)
        case ir.Local(slot=slot):
            found: set[str] = set()
            for node in flow.machine.nodes:
                match node:
                    case ir.Decide(slot=s, source=source) | ir.Snapshot(slot=s, source=source) if s == slot:
                        found |= _zones_in(flow.machine, source)
            return found
    return set()


def _zones_in(machine: ir.Machine, source: ir.Source) -> set[str]:
    """The zones whose pieces a collection holds."""
    return {machine.places[pieces.first].zone for pieces in pieces_in(source)}


def pieces_in(source: ir.Source) -> Iterator[ir.Pieces]:
    """The places whose pieces a collection holds."""
    return (leaf for leaf in leaves(source) if isinstance(leaf, ir.Pieces))
