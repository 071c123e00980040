"""Needs that are asked before the loop that they stand behind: `needs turned > 0` behind one that turns.

Whether a loop has any effect is decided at the first one, and up to there nothing has changed. So if a local
counts the effects, `needs` that it is above 0 asks whether there is any round with an effect as things are
before the loop. Then a trial only looks, and nothing behind it can refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias, cast

from interpreter.ir.cfg import predecessors
from interpreter.ir.effects import effect_of, has_trial
from interpreter.ir.expressions import Const, Expr, Filtered, Fold, Let, Local, Op, Reg, Source
from interpreter.ir.fold import calculate, choice, operation
from interpreter.ir.nodes import (
    Branch,
    ClearLocals,
    Commit,
    Iterate,
    Precondition,
    SetLocal,
    SetWord,
    Snapshot,
    Transfer,
)
from interpreter.ir.operators import is_comparison
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, mapped

FIRST, MOST = 1 << 22, 64
"""The first register of such conditions, and the most that one has, and nodes that it is made of."""
Slots: TypeAlias = Mapping[int, Expr]
"""What words of the frame hold."""


class _NotFound(Exception):
    """What a loop does cannot be told by its first effect."""


def needs_before_loops(mc: Machine) -> Machine:
    """The same machine with needs before loops that say whether these have any effect."""
    before, nodes = predecessors(mc), list(mc.nodes)
    for number, node in enumerate(mc.nodes):
        need = _need_behind(mc, before, number)
        if need is None or not isinstance(node, Snapshot):
            continue
        demanded, counter = need
        effects = _Effects(mc, counter, count(FIRST + MOST * number))
        try:
            asked = effects.of_loop(number, {})
        except _NotFound:
            continue
        nodes[number] = replace(demanded, condition=asked, next=len(nodes))
        nodes += [Commit(span=node.span, clauses=node.clauses, next=len(nodes) + 1), node]
    return replace(mc, nodes=tuple(nodes)) if len(nodes) > len(mc.nodes) else mc


def _need_behind(mc: Machine, before: Sequence[list[int]], number: int) -> tuple[Precondition, int] | None:
    """What is needed behind a loop, and the local that is to be above 0, which it is not before the loop."""
    node = mc.nodes[number]
    head = mc.nodes[node.next] if isinstance(node, Snapshot) else None
    if not isinstance(head, Iterate):
        return None
    behind = mc.nodes[head.done]
    while isinstance(behind, ClearLocals):
        behind = mc.nodes[behind.next]
    if not isinstance(behind, Precondition) or not effect_of(mc.nodes[behind.next]).ends_trial:
        return None
    match behind.condition:
        case Op(op=op, left=Local(slot=slot), right=Const(value=least)) if is_comparison(op):
            at_first = _value_before(mc, before, number, slot)
            if at_first != 0 or calculate(op, 0, least) or not calculate(op, 1, least):
                return None
            return (behind, slot) if op in (">", ">=", "!=") else None
    return None


def _value_before(mc: Machine, before: Sequence[list[int]], number: int, slot: int) -> int | None:
    """The known number that a local is set to before a node, if nothing changes it on the way."""
    while len(before[number]) == 1:
        [number] = before[number]
        match mc.nodes[number]:
            case SetLocal(slot=written, value=value) if written == slot:
                return value.value if isinstance(value, Const) else None
            case ClearLocals(first=first, last=last) if first <= slot < last:
                return None
            case SetLocal() | ClearLocals() | Precondition() | SetWord():
                pass
            case _:
                return None
    return None


@dataclass
class _Effects:
    """Whether there is a first effect, which `counter` counts."""

    mc: Machine
    counter: int
    registers: Iterator[int]
    left: int = MOST
    around: list[tuple[int, int]] = field(default_factory=list)
    """The heads of loops, and the locals of their values: locals from there on are their own."""

    def of_loop(self, number: int, slots: Slots) -> Expr:
        """Whether any round of a loop has an effect."""
        node = self.mc.nodes[number]
        assert isinstance(node, Snapshot)
        head = self.mc.nodes[node.next]
        if node.keys or node.rotate is not None or has_trial((node.source, node.where)):
            raise _NotFound
        if not isinstance(head, Iterate) or head.snapshot != node.slot:
            raise _NotFound
        reg = next(self.registers)
        source = cast(Source, self._filled(node.source, slots))
        if node.where is not None:
            source = Filtered(node.reg, source, cast(Expr, self._filled(node.where, slots)))
        self.around.append((node.next, node.slot))
        inside = self._of_path(head.next, {**slots, head.slot: Reg(reg)})
        self.around.pop()
        return Fold("any", reg, source, None if inside == Const(1) else inside, None)

    def _of_path(self, number: int, slots: Slots) -> Expr:
        """Whether there is an effect from a node on, before the round ends."""
        self.left -= 1
        if not self.left:
            raise _NotFound
        if number == self.around[-1][0]:
            return Const(0)
        node = self.mc.nodes[number]
        match node:
            case SetLocal(slot=slot) if slot == self.counter:
                return Const(int(self._is_counted(number)))
            case SetLocal(slot=slot, value=value) if slot > self.around[-1][1] and not has_trial(value):
                reg = next(self.registers)
                rest = self._of_path(node.next, {**slots, slot: Reg(reg)})
                return Let(reg, cast(Expr, self._filled(value, slots)), rest)
            case Branch(condition=condition, then=then, otherwise=otherwise) if not has_trial(condition):
                asked = cast(Expr, self._filled(condition, slots))
                return choice(asked, self._of_path(then, slots), self._of_path(otherwise, slots))
            case ClearLocals(first=first, last=last):
                return self._of_path(node.next, {**slots, **{i: Const(0) for i in range(first, last)}})
            case Snapshot():
                head = self.mc.nodes[node.next]
                inside = self.of_loop(number, slots)
                assert isinstance(head, Iterate)
                return operation("or", inside, self._of_path(head.done, slots))
            case SetLocal() | SetWord() | Transfer():
                return Const(int(self._is_counted(number)))
        raise _NotFound

    def _is_counted(self, number: int) -> bool:
        """Whether the counter grows on all ways from a node to the end of the round; raises if not."""
        while number != self.around[-1][0]:
            node = self.mc.nodes[number]
            match node:
                case SetLocal(slot=slot, value=Op(op="+", left=Local(slot=old), right=Const(value=more))):
                    if slot == old == self.counter and more > 0:
                        return True
                case SetLocal(slot=slot, value=Const(value=value)) if slot == self.counter:
                    if value > 0:
                        return True
                    raise _NotFound
            if isinstance(node, SetWord | Transfer) and node.edge == "refuse":
                raise _NotFound
            if isinstance(node, Transfer) and node.verb == "pay":
                raise _NotFound
            if not isinstance(node, SetLocal | SetWord | Transfer | ClearLocals) or has_trial(node):
                raise _NotFound
            if isinstance(node, SetLocal) and node.slot == self.counter:
                raise _NotFound
            number = node.next
        raise _NotFound

    def _filled(self, part: Part, slots: Slots) -> Part:
        """A part with the words of the frame that are known replaced."""

        def change(inner: Part) -> Part:
            if isinstance(inner, Local):
                if inner.slot == self.counter:
                    raise _NotFound
                return slots.get(inner.slot, inner)
            return mapped(inner, change)

        return change(part)
