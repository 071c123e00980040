"""Liveness of the words of frames: whether a word is read behind a node, and whether as it is at first."""

from __future__ import annotations

from interpreter.ir.cfg import Region, reached
from interpreter.ir.expressions import Local
from interpreter.ir.nodes import Chance, ClearLocals, Decide, Iterate, SetLocal, Step
from interpreter.ir.program import Machine
from interpreter.ir.roles import FieldsWith, Role
from interpreter.ir.state import FRAME
from interpreter.ir.visit import reads_slot, targets, walk

READ_SLOTS = FieldsWith(Role.SLOT_READ)


def is_read_behind(mc: Machine, number: int, slot: int) -> bool:
    """Whether any node that a frame may come to behind a node reads a word of it."""
    for each in reached(mc, tuple(targets(mc.nodes[number]))):
        node = mc.nodes[each]
        if any(getattr(node, name) == slot for name in READ_SLOTS[type(node)]):
            return True
        if reads_slot(node, slot):
            return True
    return False


def slots_read(node: Step) -> frozenset[int]:
    """The words of its frame that a node reads, those of trials in it besides."""
    fields = (getattr(node, name) for name in READ_SLOTS[type(node)])
    return frozenset(x for x in fields if x is not None) | {
        part.slot for part in walk(node) if isinstance(part, Local)
    }


def read_before_written(mc: Machine, region: Region) -> frozenset[int]:
    """The words of a frame that may be read while they are still, or again, 0 because nothing was written."""
    read = {number: slots_read(mc.nodes[number]) for number in region.nodes}
    before: dict[int, list[int]] = {number: [] for number in region.nodes}
    for number in region.nodes:
        for following in set(targets(mc.nodes[number])):
            before[following].append(number)
    live = dict(read)
    todo = list(region.nodes)
    while todo:
        following = todo.pop()
        for number in before[following]:
            more = live[following] - _written(mc.nodes[number], following)
            if not more <= live[number]:
                live[number] |= more
                todo.append(number)
    found = set[int]()
    for number in region.nodes:
        node = mc.nodes[number]
        if isinstance(node, ClearLocals):
            found |= {i for i in live[node.next] if node.first <= i <= node.last}
    for entry in region.entries:
        given = _fewest_given(mc, region, entry)
        found |= {i for i in live[entry] if not FRAME <= i < FRAME + given}
    return frozenset(found)


def _fewest_given(mc: Machine, region: Region, entry: int) -> int:
    """The fewest arguments with which a routine begins at a node."""
    return mc.routines[region.routine].entries.index(entry) if region.routine >= 0 else 0


def _written(node: Step, following: int) -> frozenset[int]:
    """The words that a node has written when it leads to another one."""
    match node:
        case SetLocal(slot=slot) | Chance(slot=slot):
            return frozenset((slot,))
        case Decide(slot=slot, passing=passing, nothing=nothing) if following not in (passing, nothing):
            return frozenset((slot,))
        case Iterate(slot=slot, done=done) if following != done:
            return frozenset((slot,))
    return frozenset()
