"""A choice behind a test that there is something to choose refuses nothing, so nothing is tried for it."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.compile.refusing import failing
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import plays_the_same

YAML = """
boards: {cell: {grid: [4, 4], directions: way}}
pointers: {disc: {at: cell, to: seat}}
counters: {points: {of: seat, range: 0..99, at_edge: clamp}, turns: {range: 0..30}}
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [act, pass_by]}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
action act(start: cell, goal: cell)
    needs disc at goal is none
    needs disc at start is none and points of me is 0 or disc at start is me and goal in neighbours(start)
    clear disc at start
    disc at goal = me
    follow(goal)

action pass_by
    points of me += 1

procedure follow(last: cell)
{0}
procedure tick
    turns += 1

value held(cell, seat) = any(y in neighbours(cell) where disc at y is seat)
value over = turns is 20
score s = points of me
"""
SURE = {
    "the same condition": """
    if any(x in cell where disc at x is opponent and held(x, me))
        choose taken from cell where disc at taken is opponent and held(taken, me)
        clear disc at taken
""",
    "a part of the condition": """
    if points of me < 3 and any(x in cell where disc at x is opponent and held(x, me))
        choose taken from cell where disc at taken is opponent
        clear disc at taken
        points of me += 1
""",
    "otherwise": """
    if not any(x in neighbours(last) where disc at x is opponent)
        points of me += 1
    else
        let seat = opponent
        choose taken from neighbours(last) where disc at taken is opponent
        disc at taken = seat
""",
    "what is not empty": """
    if those(x in cell where disc at x is opponent) is not empty
        choose taken from cell where disc at taken is opponent
        clear disc at taken
""",
    "a test within another one": """
    if any(x in cell where disc at x is opponent)
        if points of me is 1
            choose taken from cell where disc at taken is opponent
            clear disc at taken
""",
}
UNSURE = {
    "another condition": """
    if any(x in cell where disc at x is opponent)
        choose taken from cell where disc at taken is opponent and held(taken, me)
        clear disc at taken
""",
    "another seat": """
    if any(x in cell where disc at x is me)
        choose taken from cell where disc at taken is opponent
        clear disc at taken
""",
    "what was before": """
    if any(x in cell where disc at x is opponent)
        for x in neighbours(last)
            clear disc at x
        choose taken from cell where disc at taken is opponent
        clear disc at taken
""",
    "a test that fails": """
    if any(x in cell where disc at x is opponent)
        points of me += 1
    else
        choose taken from cell where disc at taken is opponent
        clear disc at taken
""",
}


@pytest.mark.parametrize("what", [*SURE, *UNSURE])
def test_what_is_there_is_chosen(what: str) -> None:
    rules = small_rules(YAML, RULES.format((SURE | UNSURE)[what]), FLOW)
    assert ("follow" in failing(rules)) == (what in UNSURE)
    plays_the_same(rules, compile_rules(rules))
