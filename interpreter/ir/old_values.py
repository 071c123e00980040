"""What stands at a word before it is set, where the conditions of a choice say so.

`place(cell where stone at cell is none)` sets the stone of a cell that has none: whoever keeps sets of values
beside the words need not look which of them the cell leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.ir.cfg import predecessors
from interpreter.ir.expressions import Address, Best, Const, Expr, Filtered, Load, Local, Op, Source
from interpreter.ir.fold import conjuncts
from interpreter.ir.nodes import Branch, ClearLocals, Commit, Decide, Precondition, SetLocal, SetWord
from interpreter.ir.program import Machine
from interpreter.ir.state import ME
from interpreter.ir.visit import reads_slot, substitute

LOOKS = Precondition | Commit | Branch | SetLocal | ClearLocals
"""Nodes that change nothing but the frame, and not whose it is."""


def old_values(mc: Machine) -> dict[int, Expr]:
    """For nodes that set a word what it was: a constant, or the seat that the frame belongs to.

    It holds where whoever chooses chooses what is offered.
    """
    entered = {mc.start, *(entry.node for entry in mc.entries.values())}
    entered.update(node for routine in mc.routines for node in routine.entries)
    facts = _Facts(mc, predecessors(mc), frozenset(entered))
    found: dict[int, Expr] = {}
    for number, node in enumerate(mc.nodes):
        if isinstance(node, SetWord) and node.op == "=" and (slot := _slot_of(node.address)) is not None:
            value = facts.before(number, node.address, slot, frozenset())
            if value is not None:
                found[number] = value
    return found


def _slot_of(address: Address) -> int | None:
    """The word of the frame by which an address moves, if it moves by nothing else."""
    moving = [term.index for term in address.terms if not isinstance(term.index, Const)]
    return moving[0].slot if len(moving) == 1 and isinstance(moving[0], Local) else None


class _Facts:
    """What is known of words, looked for backwards from where they are set."""

    def __init__(self, mc: Machine, ways: Sequence[list[int]], entered: frozenset[int]) -> None:
        self.mc, self.ways, self.entered = mc, ways, entered

    def before(self, number: int, address: Address, slot: int, seen: frozenset[int]) -> Expr | None:
        """What stands at an address when a node is reached: the same by all ways."""
        ways = self.ways[number]
        if number in self.entered or number in seen or not ways or len(set(ways)) < len(ways):
            return None
        found = {self._behind(way, number, address, slot, seen | {number}) for way in ways}
        return found.pop() if len(found) == 1 else None

    def _behind(
        self, way: int, number: int, address: Address, slot: int, seen: frozenset[int]
    ) -> Expr | None:
        """The same when a node has led to another."""
        node = self.mc.nodes[way]
        match node:
            case Decide(slot=chosen, next=following):
                if following != number or node.of_set is not None:
                    return None
                if chosen == slot:
                    return _told(node.source, node.where, node.reg, address, slot)
                if self.mc.branches or not node.trial:
                    return None
            case SetLocal(slot=written, value=Best() as best) if written == slot:
                return _told(best.source, best.where, best.reg, address, slot)
            case SetLocal(slot=written) if written == slot:
                return None
            case ClearLocals(first=first, last=last) if first <= slot < last:
                return None
            case Precondition(condition=condition):
                known = _value_in(condition, address)
                if known is not None:
                    return known
        if not isinstance(node, LOOKS | Decide):
            return None
        return self.before(way, address, slot, seen)


def _told(source: Source, where: Expr | None, reg: int, address: Address, slot: int) -> Expr | None:
    """What the conditions of a value, which comes to a word of the frame, say of the word at an address."""
    for condition, bound in _conditions(source, where, reg):
        if reads_slot(condition, slot):
            return None
        known = _value_in(substitute(condition, bound, Local(slot)), address)
        if known is not None:
            return known
    return None


def _conditions(source: Source, where: Expr | None, reg: int) -> Iterator[tuple[Expr, int]]:
    """The conditions that a value of a collection meets, each with the register that stands for it."""
    if where is not None:
        yield where, reg
    if isinstance(source, Filtered):
        yield from _conditions(source.source, source.where, source.reg)


def _value_in(condition: Expr, address: Address) -> Expr | None:
    """What a condition says that the word at an address is."""
    for part in conjuncts(condition):
        match part:
            case Op(op="==", left=Load(address=read), right=Const() | Local() as value):
                is_me = isinstance(value, Local) and value.slot == ME
                if (is_me or isinstance(value, Const)) and _place(read) == _place(address):
                    return value
    return None


def _place(address: Address) -> tuple[object, ...]:
    return (address.base, *((term.index, term.lo, term.stride) for term in address.terms))
