"""Loops that only look for something: `for way in ways` with `if … me wins` in it.

Such a loop is a condition, whether there `is any` value of that kind, and is written as one where no run
stops in it: what its frame would hold then, nobody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import assert_never, cast

from interpreter.ir.cfg import predecessors
from interpreter.ir.effects import has_trial
from interpreter.ir.expressions import Expr, Fold, Let, Not, Reg, Values
from interpreter.ir.flood_rules import is_settled
from interpreter.ir.fold import both
from interpreter.ir.live_slots import is_read_behind
from interpreter.ir.nodes import Branch, ClearLocals, Iterate, SetLocal, Snapshot, Step
from interpreter.ir.program import Machine
from interpreter.ir.visit import of_registers, reads_slot, substitute

FIRST, MOST = 1 << 18, 16
"""The first register of such conditions, as rules and trials have fewer; and how many one has at most."""


def loops_as_conditions(mc: Machine) -> Machine:
    """The same machine with a branch where a loop only looks for something."""
    before = predecessors(mc)
    found = {
        number: branch
        for number, node in enumerate(mc.nodes)
        if isinstance(node, Snapshot) and (branch := _branch(mc, before, number, node)) is not None
    }
    return replace(mc, nodes=tuple(found.get(i, node) for i, node in enumerate(mc.nodes))) if found else mc


def _branch(mc: Machine, before: Sequence[list[int]], number: int, node: Snapshot) -> Step | None:
    """What a loop asks, if it does nothing until it is left, and nothing that it has found is read then."""
    head = mc.nodes[node.next]
    if node.keys or node.rotate is not None or not isinstance(head, Iterate) or not _never_faults(mc, node):
        return None
    steps, end, ways_back = _steps(mc, before, node.next, head.next)
    if not steps or set(before[node.next]) != {number, *ways_back}:
        return None
    slots = [head.slot, *(step.slot for _, step in steps if isinstance(step, SetLocal))]
    if any(reads_slot(mc.nodes[end], slot) or is_read_behind(mc, end, slot) for slot in slots):
        return None
    registers = count(FIRST + MOST * number)
    bound = {head.slot: (reg := next(registers))}
    chosen = None if node.where is None else substitute(node.where, node.reg, Reg(reg))
    there = Fold("any", reg, node.source, both(chosen, _asked(steps, bound, registers)), None)
    return Branch(span=node.span, clauses=node.clauses, condition=there, then=end, otherwise=head.done)


def _never_faults(mc: Machine, node: Snapshot) -> bool:
    """Whether what is asked of each value before the first round faults for none of them."""
    if node.where is None:
        return True
    return isinstance(node.source, Values) and is_settled(mc, node.where, "", {node.reg: node.source.values})


Steps = list[tuple[int, SetLocal | Branch]]


def _steps(mc: Machine, before: Sequence[list[int]], head: int, number: int) -> tuple[Steps, int, set[int]]:
    """What a body does up to the first node that does more, that node, and where it leads back."""
    found, ways_back = Steps(), set[int]()
    came_from = head
    while before[number] == [came_from] and len(found) < MOST - 1:
        node = mc.nodes[number]
        match node:
            case SetLocal() if not has_trial(node.value):
                found.append((number, node))
                came_from, number = number, node.next
            case Branch(condition=condition, then=then, otherwise=otherwise) if not has_trial(condition):
                back = [_way_back(mc, before, number, way, head) for way in (then, otherwise)]
                if (back[0] is None) == (back[1] is None):
                    break
                leaves = back[0] is None
                found.append((number, node if leaves else replace(node, condition=Not(condition))))
                ways_back.add(cast(int, back[leaves]))
                came_from, number = number, then if leaves else otherwise
            case _:
                break
    while found and isinstance(found[-1][1], SetLocal):
        number, _ = found.pop()
    return found, number, ways_back


def _way_back(mc: Machine, before: Sequence[list[int]], branch: int, number: int, head: int) -> int | None:
    """The last node before the head of a loop, if a way from a branch only clears locals and leads there."""
    last = branch
    while number != head:
        node = mc.nodes[number]
        if not isinstance(node, ClearLocals) or before[number] != [last]:
            return None
        last, number = number, node.next
    return last


def _asked(steps: Steps, bound: dict[int, int], registers: Iterator[int]) -> Expr:
    """The condition that some steps come to: values are bound to registers, tests are joined."""
    (_, step), rest = steps[0], steps[1:]
    match step:
        case SetLocal(slot=slot, value=value):
            reg = next(registers)
            return Let(reg, of_registers(value, bound), _asked(rest, {**bound, slot: reg}, registers))
        case Branch(condition=condition):
            tested = of_registers(condition, bound)
            return both(tested, _asked(rest, bound, registers)) if rest else tested
    assert_never(step)
