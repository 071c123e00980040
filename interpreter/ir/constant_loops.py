"""Loops over a few known values whose bodies only write counters, marks and pointers, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.frozen import dataclass
from interpreter.ir.expressions import Values
from interpreter.ir.nodes import Iterate, SetWord, Snapshot, Transfer
from interpreter.ir.program import Machine
from interpreter.ir.visit import node_count

MOST_PARTS = 240
"""The most parts that a loop may come to when it is written out."""


@dataclass(frozen=True, slots=True)
class ConstantLoop:
    """A loop that can be written out: nothing in it waits, and no other way leads into it."""

    slot: int
    values: tuple[int, ...]
    body: tuple[int, ...]
    done: int


def constant_loop(mc: Machine, before: Sequence[list[int]], number: int) -> ConstantLoop | None:
    """The loop that begins at a node, if it can be written out; `before` has the predecessors of nodes."""
    node = mc.nodes[number]
    if not isinstance(node, Snapshot) or not isinstance(node.source, Values):
        return None
    if node.where is not None or node.keys or node.rotate is not None:
        return None
    head = mc.nodes[node.next]
    if not isinstance(head, Iterate) or head.snapshot != node.slot or len(node.source.values) > node.capacity:
        return None
    body = _line(mc, before, node.next, head.next)
    if body is None or set(before[node.next]) != {number, body[-1]}:
        return None
    cost = sum(node_count(mc.nodes[n]) for n in body) * len(node.source.values)
    return ConstantLoop(head.slot, node.source.values, body, head.done) if cost <= MOST_PARTS else None


def _line(mc: Machine, before: Sequence[list[int]], head: int, first: int) -> tuple[int, ...] | None:
    """The nodes from the first one of a loop's body back to its head, if each leads to the next one alone."""
    found: list[int] = []
    number, ways = first, [head]
    while number != head:
        node = mc.nodes[number]
        if not isinstance(node, SetWord | Transfer) or before[number] != ways:
            return None
        found.append(number)
        number, ways = node.next, [number]
    return tuple(found) or None
