"""Rounds of the interval analysis of frames look only at what may have changed."""

from __future__ import annotations

from dsl.source import NOWHERE
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.cfg import regions
from interpreter.ir.live_slots import read_before_written
from interpreter.wasm.lower.slot_intervals import Growth
from tests.wasm.lockstep import small_rules

YAML = """
boards: {cell: {grid: [3, 3]}}
pointers: {disc: {at: cell, to: seat}}
counters: {turns: {range: 0..9}}
"""
FLOW = """
flow:
  turn:
    seat: rotates
    do: [{do one of: [act], otherwise: []}, tick]
    then: {turns is 9: fin, otherwise: turn}
  fin: {score: none}
"""
RULES = """
action act(cell where disc at cell is none)
    for x in neighbours(cell) where disc at x is opponent
        disc at x = me
        turns = 8 if turns > 8
    disc at cell = me
procedure tick
    turns += 1
"""


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


def test_only_words_that_may_be_read_as_they_begin_hold_0() -> None:
    rules = small_rules(YAML, RULES, FLOW)
    machine = compile_rules(rules)
    found, _, _ = regions(machine)
    act = next(x for x in found if x.routine >= 0 and machine.routines[x.routine].name == "act")
    zero = read_before_written(machine, act)
    iterate = next(x for x in machine.nodes if isinstance(x, ir.Iterate))
    assert iterate.position in zero
    assert zero.isdisjoint({ir.FRAME, iterate.slot})
