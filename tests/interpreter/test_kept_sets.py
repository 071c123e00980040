"""A set that is read once, before all else, is not kept; any other is."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.visit import walk
from tests.wasm.lockstep import Pair, small_rules

BOARD = """
boards:
  point: {grid: [3, 3]}
pointers:
  stone: {at: point, to: seat}
"""
GROUP = """  let group = spread([point], those(x in point
    where stone at x exists and stone at x is stone at point))
"""
READ_ONCE = {
    "searched": "  not any(x in group where any(y in neighbours(x) where stone at y is none))\n",
    "counted": "  size(group) < 3\n",
}
READ_MORE = {
    "twice": "  size(group) < 3 or any(x in group where any(y in neighbours(x) where stone at y is none))\n",
    "in a loop": "  any(x in point where stone at x is none and any(y in neighbours(x) where y in group))\n",
    "behind something": "  stone at point is none or size(group) < 3\n",
}


def rules_of(last: str) -> str:
    return (
        "action act(point where small(point))\n  stone at point = me\n\nvalue small(point)\n" + GROUP + last
    )


def is_kept(machine: ir.Machine) -> bool:
    return any(isinstance(part, ir.Mask) for node in machine.nodes for part in walk(node))


@pytest.mark.parametrize("name", [*READ_ONCE, *READ_MORE])
def test_a_set_that_is_read_once_is_not_kept(name: str) -> None:
    rules = small_rules(BOARD, rules_of((READ_ONCE | READ_MORE)[name]))
    machine = compile_rules(rules)
    assert is_kept(machine) == (name in READ_MORE)
    Pair(rules, machine).play(1, most=6)
