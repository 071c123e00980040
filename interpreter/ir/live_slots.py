"""Liveness of the words of frames: whether a word is read behind a node."""

from __future__ import annotations

from interpreter.ir.cfg import reached
from interpreter.ir.program import Machine
from interpreter.ir.roles import FieldsWith, Role
from interpreter.ir.visit import reads_slot, targets

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
