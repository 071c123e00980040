"""Every node and expression has its row of effects, and the rows agree with what else is declared."""

from __future__ import annotations

from typing import get_args

import pytest

from interpreter import machine as m
from interpreter.machine.effects import EFFECTS, EVALUATIONS, WRITTEN_SLOTS, Store
from interpreter.machine.visit import TARGETS, Part

NODES: tuple[type[m.Step], ...] = get_args(m.Step)
KINDS = {
    Store.WORDS: m.WordNode,
    Store.PIECES: m.PieceNode,
    Store.SIGHT: m.SightNode,
}


def test_every_class_has_a_row() -> None:
    assert set(EFFECTS) == set(NODES)
    assert set(EVALUATIONS) == set(get_args(Part))


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_who_writes_its_frame_has_a_slot_to_write(kind: type[m.Step]) -> None:
    assert (Store.FRAME in EFFECTS[kind].writes) == (bool(WRITTEN_SLOTS[kind]) or kind is m.SetMe)


@pytest.mark.parametrize("store", KINDS, ids=lambda store: store.name)
def test_the_groups_of_nodes_say_what_they_write(store: Store) -> None:
    found = {kind for kind in NODES if store in EFFECTS[kind].writes}
    assert found - {m.Reset} == set(get_args(KINDS[store])) - {m.Reset}


def test_nothing_follows_an_end() -> None:
    ends = {kind for kind in NODES if EFFECTS[kind].ends}
    assert ends | {m.Return} == {kind for kind in NODES if not TARGETS[kind]}
