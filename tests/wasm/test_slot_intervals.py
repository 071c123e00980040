"""Rounds of the interval analysis of frames look only at what may have changed."""

from __future__ import annotations

from interpreter.wasm.lower.slot_intervals import Growth


def test_a_node_is_looked_at_again_when_its_frame_has_grown() -> None:
    growth = Growth()
    assert [growth.is_stale(0, 7), growth.is_stale(0, 8), growth.is_stale(1, 9)] == [True] * 3
    assert [growth.is_stale(0, 7), growth.is_stale(0, 8), growth.is_stale(1, 9)] == [False] * 3
    growth.times[0] += 1
    assert [growth.is_stale(0, 7), growth.is_stale(0, 8), growth.is_stale(1, 9)] == [True, True, False]
    assert not growth.is_stale(0, 7)
