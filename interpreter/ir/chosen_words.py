"""Words of frames that only choices set, and between which values they lie."""

from __future__ import annotations

from collections.abc import Mapping

from dsl.domains import EnumType
from interpreter.ir.cfg import owners
from interpreter.ir.effects import written_slots
from interpreter.ir.nodes import ClearLocals, Decide
from interpreter.ir.program import Machine

Bounds = Mapping[tuple[int, int], tuple[int, int]]
"""By the number of a routine and the slot of its frame."""


def chosen_words(mc: Machine) -> Bounds:
    """The least and the greatest value of words that hold a chosen value of a type, or one that is given."""
    found, others = dict[tuple[int, int], tuple[int, int]](), set[tuple[int, int]]()
    for node, owner in zip(mc.nodes, owners(mc), strict=True):
        if isinstance(node, Decide) and node.bounds is not None and isinstance(node.type, EnumType):
            if node.type.optional or found.setdefault((owner, node.slot), node.bounds) != node.bounds:
                others.add((owner, node.slot))
        elif not isinstance(node, ClearLocals):
            others.update((owner, slot) for slots in written_slots(mc, node) for slot in slots)
    return {word: bounds for word, bounds in found.items() if word not in others}
