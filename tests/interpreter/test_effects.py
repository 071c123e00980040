"""Every node and expression has its row of effects, and the rows agree with what else is declared."""

from __future__ import annotations

from typing import get_args

import pytest

from interpreter import ir
from interpreter.ir import nodes
from interpreter.ir.effects import EFFECTS, EVALUATIONS, WRITTEN_SLOTS, Store
from interpreter.ir.visit import TARGETS, Part

NODES: tuple[type[ir.Step], ...] = get_args(ir.Step)
KINDS = {
    Store.WORDS: ir.WordNode,
    Store.PIECES: ir.PieceNode,
    Store.SIGHT: ir.SightNode,
}


def test_every_node_is_in_a_group() -> None:
    """Dispatch over the groups of `interpreter/ir/nodes.py` then ends in a type error for a new one."""
    classes = {
        kind for kind in vars(nodes).values() if isinstance(kind, type) and issubclass(kind, nodes.Node)
    }
    assert classes - {nodes.Node} == set(NODES)


def test_every_class_has_a_row() -> None:
    assert set(EFFECTS) == set(NODES)
    assert set(EVALUATIONS) == set(get_args(Part))


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_who_writes_its_frame_has_a_slot_to_write(kind: type[ir.Step]) -> None:
    assert (Store.FRAME in EFFECTS[kind].writes) == (bool(WRITTEN_SLOTS[kind]) or kind is ir.SetMe)


@pytest.mark.parametrize("store", KINDS, ids=lambda store: store.name)
def test_the_groups_of_nodes_say_what_they_write(store: Store) -> None:
    found = {kind for kind in NODES if store in EFFECTS[kind].writes}
    assert found - {ir.Reset} == set(get_args(KINDS[store])) - {ir.Reset}


def test_nothing_follows_an_end() -> None:
    ends = {kind for kind in NODES if EFFECTS[kind].ends}
    assert ends | {ir.Return} == {kind for kind in NODES if not TARGETS[kind]}
