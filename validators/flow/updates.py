"""What a node changes, and in which direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.effects import writes
from interpreter.ir.fold import conjuncts
from validators.flow.graph import Flow
from validators.flow.origins import UNKNOWN, origins, origins_of, zone_of

UP, DOWN, ANY, RESET = 1, -1, 0, 2


@dataclass(frozen=True, slots=True)
class Update:
    """A change of a counter `name`: up, down, anyhow, to a fixed number; or of a piece from zone `source` to
    `name`.

    `sure`: whoever comes past makes it, and by at least one, or does so if the place `unless_empty` is not.
    `either`: the piece comes from one of these zones, and there is an update for each of them.
    """

    name: str
    way: int
    sure: bool
    source: str | None = None
    unless_empty: int | None = None
    either: frozenset[str] = frozenset()

    @property
    def is_local(self) -> bool:
        """Whether it changes a word of a frame or of the head, and nothing of the position."""
        return self.name.startswith(("local ", "head "))


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
            return _moved(flow, number, piece, place)
        case ir.Take(source=source, place=place):
            zones = {zone_of(machine, source)}
            return frozenset(Update(zone_of(machine, place), UP, True, z) for z in zones)
        case ir.MoveSome(source=source, place=place):
            some = (_least(flow, number, node.number) or 0) > 0
            there = source.value if some and isinstance(source, ir.Const) else None
            sure = some and _exactly(flow, number)
            return frozenset({Update(zone_of(machine, place), UP, sure, zone_of(machine, source), there)})
        case ir.AddRecord(history=history) if not machine.histories[history].scratch:
            return frozenset({Update(machine.histories[history].name, UP, True)})
        case ir.ClearHistory(history=history):
            return frozenset({Update(machine.histories[history].name, RESET, False)})
        case ir.MoveAll(source=collection, place=place):
            to = zone_of(machine, place)
            return frozenset(Update(to, UP, False, z) for z in _homes(flow, number, to, collection))
        case ir.Drop(place=place, component=component):
            to = zone_of(machine, place)
            others = [z for z, c in machine.place_components.items() if c == component]
            return frozenset(Update(to, UP, False, z) for z in others)
        case _:
            return frozenset(Update(name, ANY, False) for name, _ in writes(machine, node))


def _exactly(flow: Flow, number: int) -> bool:
    """Whether as many pieces as are to be moved were asked for before a node that moves them."""
    span, owner = flow.span(number), flow.owner[number]
    return any(
        isinstance(node, ir.Precondition) and node.demand == "pieces" and node.span == span
        for i, node in enumerate(flow.machine.nodes)
        if flow.owner[i] == owner
    )


# ---- numbers


def _written(flow: Flow, number: int, node: ir.SetWord) -> Update:
    words = flow.machine.stores.get(node.name)
    if words is not None and words.kind != "counter":
        emptied = node.value == ir.Const(NONE if words.kind == "pointer" else 0)
        fills = not emptied and (words.kind == "pointer" or node.value == ir.Const(1))
        return Update(node.name, UP if fills else ANY, fills and _was_empty(flow, number, node))
    if node.op == "=" and isinstance(node.value, ir.Const):
        return Update(node.name, RESET, False)
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
        case ir.Load(address=address):
            words = flow.machine.words_at(address.base)
            counts = words is not None and words.kind == "counter"
            return min(low for low, _ in words.ranges) if words is not None and counts else None
        case ir.Fold(kind="sum" | "min" | "max", body=body) if body is not None:
            least = _least(flow, number, body)
            return min(least, 0) if least is not None else None
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


def _moved(flow: Flow, number: int, piece: ir.Expr, place: ir.Expr) -> frozenset[Update]:
    to = zone_of(flow.machine, place)
    found = _known(flow, to, origins(flow, number, piece))
    either = found if len(found) > 1 else frozenset[str]()
    return frozenset(Update(to, UP, True, z, either=either) for z in found)


def _homes(flow: Flow, number: int, to: str, source: ir.Source) -> frozenset[str]:
    """The zones from which the pieces of a collection may come."""
    return _known(flow, to, origins_of(flow, number, source))


def _known(flow: Flow, to: str, zones: frozenset[str]) -> frozenset[str]:
    """All zones whose pieces may lie in the one that they go to, if some are not known."""
    if UNKNOWN not in zones:
        return zones
    component = flow.machine.place_components.get(to)
    return frozenset(z for z, c in flow.machine.place_components.items() if c == component)
