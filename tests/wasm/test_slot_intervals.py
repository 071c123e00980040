"""Rounds of the interval analysis of frames look only at what may have changed."""

from __future__ import annotations

from dsl.source import NOWHERE
from interpreter import ir
from interpreter.wasm.lower.slot_intervals import Growth


def test_a_node_is_looked_at_again_when_a_word_that_it_reads_has_grown() -> None:
    growth = Growth()
    reads = ir.SetLocal(span=NOWHERE, slot=5, value=ir.Op("+", ir.Local(4), ir.Const(1)), next=8)
    any_word = ir.Return(span=NOWHERE)
    nodes: list[tuple[int, int, ir.Step]] = [(0, 7, reads), (0, 8, any_word), (1, 9, reads)]

    def stale() -> list[bool]:
        return [growth.is_stale(*node) for node in nodes]

    assert stale() == [True, True, True]
    assert stale() == [False, False, False]
    growth.note(0, 4)
    assert stale() == [True, True, False]
    growth.note(0, 5)
    assert stale() == [False, True, False]
    growth.note(1, 4)
    assert stale() == [False, False, True]
