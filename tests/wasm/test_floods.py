"""What spreads in rounds or by calling itself comes to the same as one flood, and to the same faults."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.floods import floods_as_writes
from interpreter.ir.visit import holds, walk
from tests.wasm.lockstep import TURNS_AND_TICKS, small_rules
from tests.wasm.rollouts import plays_the_same

YAML = """
boards: {cell: {grid: [5, 5], directions: way}}
pointers: {disc: {at: cell, to: seat}, owner: {at: cell, to: seat}}
marks: {wet: {at: cell}, dam: {at: cell}, own: {of: seat, at: cell}}
counters:
  turns: {range: 0..60}
  group: {at: cell, range: 0..60}
  points: {of: seat, range: 0..999, at_edge: clamp}
"""
RULES = """
action act(cell)
    needs disc at cell is none
    disc at cell = me
{0}
procedure tick
    turns += 1
    for seat
        points of seat += count(x in cell where wet at x or own of seat at x or owner at x is seat)
        points of seat += count(x in cell where group at x > 47)
    if turns mod 3 is 0
        clear all wet
        for x in cell where x.column is turns mod 5 + 1
            clear disc at x
    if turns mod 5 is 0
        for x in cell
            clear owner at x
            clear own of me at x

value over = turns is 50
{1}
score s = points of me
"""
ROUNDS = {
    "where a target has what its source has": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where disc at x is me and not wet at x
            if any(y in neighbours(x) where disc at y is me and wet at y)
                set wet at x
""",
    "a condition of the loop": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where disc at x is not me and any(y in neighbours(x) where wet at y)
            set wet at x
""",
    "from what is marked": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where wet at x
            for y in neighbours(x) where disc at y is me
                if not wet at y
                    set wet at y
""",
    "sources that are no targets": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where disc at x is opponent
            if any(y in neighbours(x) where y.row > 1 and wet at y)
                set wet at x
""",
    "targets that are no sources": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where x.column > 1 and not wet at x
            if any(y in neighbours(x) where disc at y is me and wet at y)
                set wet at x
""",
    "a pointer": """
    owner at cell = me
    repeat until nothing changes, at most {0} times
        for x in cell where owner at x is none and disc at x exists
            if any(y in neighbours(x) where owner at y is me)
                owner at x = me
""",
    "a mark of a seat": """
    set own of me at cell
    repeat until nothing changes, at most {0} times
        for x in cell where disc at x is me and not own of me at x
            if any(y in neighbours(x) where own of me at y)
                set own of me at x
""",
    "links in one direction": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where wet at x
            for y in ray(x, north) where disc at y is not opponent
                set wet at y
""",
}
OTHER_ROUNDS = {
    "what is counted": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where disc at x is me and not wet at x
            if any(y in neighbours(x) where wet at y)
                set wet at x
                points of me += 1
""",
    "targets with two sources": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where disc at x is me and not wet at x
            if count(y in neighbours(x) where wet at y) > 0
                set wet at x
""",
    "what is marked elsewhere": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where not wet at x and any(y in neighbours(x) where wet at y)
            if count(y in cell where wet at y) < 5
                set wet at x
""",
    "a condition that may fault": """
    set wet at cell
    repeat until nothing changes, at most {0} times
        for x in cell where not wet at x
            if any(y in neighbours(x) where wet at y and disc at y is me) and 6 div (x.row - 1) > 1
                set wet at x
""",
}
CALLS = {
    "a mark": (
        "    walk(cell)\n",
        """
procedure walk(cell) nests up to {0}
    if not wet at cell
        set wet at cell
        for x in neighbours(cell) where disc at x is me and not wet at x
            walk(x)
""",
    ),
    "a mark that is asked at first": (
        "    for x in neighbours(cell)\n        walk(x, opponent)\n",
        """
procedure walk(cell, seat) nests up to {0}
    if not own of me at cell and disc at cell is seat
        set own of me at cell
        for x in neighbours(cell)
            walk(x, seat)
""",
    ),
    "a pointer": (
        "    for x in neighbours(cell) where disc at x is opponent and x.row > 2\n        take(x)\n",
        """
procedure take(cell) nests up to {0}
    clear disc at cell
    for x in neighbours(cell) where disc at x is opponent
        take(x)
""",
    ),
    "a counter with the value of another": (
        "    number(cell)\n",
        """
procedure number(cell) nests up to {0}
    group at cell = turns
    for x in neighbours(cell) where disc at x is me and group at x is not turns
        number(x)
""",
    ),
    "a pointer that is passed on": (
        "    fill(cell)\n",
        """
procedure fill(cell) nests up to {0}
    owner at cell = me
    for x in neighbours(cell)
        if disc at x is none and owner at x is none
            fill(x)
""",
    ),
}
FOR_ALL = {
    "from those of one side": (
        "    for x in cell where x.row is 1 and disc at x is me\n        walk(x)\n",
        CALLS["a mark"][1],
    ),
    "a pointer at some": (
        "    for x in cell where x.row is 2 and owner at x is none and disc at x is none\n        fill(x)\n",
        CALLS["a pointer that is passed on"][1],
    ),
}
OTHER_CALLS = {
    "what never ends": (
        "    if turns > 30\n        walk(cell)\n",
        """
procedure walk(cell) nests up to {0}
    set wet at cell
    for x in neighbours(cell) where disc at x is me
        walk(x)
""",
    ),
    "a counter that may have the value before": (
        "    if turns > 0\n        number(cell)\n",
        """
procedure number(cell) nests up to {0}
    group at cell = turns
    for x in neighbours(cell) where disc at x is me and group at x is 0
        number(x)
""",
    ),
    "what is counted": (
        "    walk(cell)\n",
        """
procedure walk(cell) nests up to {0}
    set wet at cell
    points of me += 1
    for x in neighbours(cell) where disc at x is me and not wet at x
        walk(x)
""",
    ),
}


MAZE = """
boards: {cell: {grid: [3, 4], edges: gap, corners: post}, tile: {hex: {side: 2}, edges: side}}
counters: {points: {of: seat, range: 0..999}, turns: {range: 0..40}}
marks: {wall: {at: gap}, river: {at: side}, pole: {at: post}}
"""
MAZE_FLOW = """
flow:
  turn:
    seat: rotates
    do: [{do one of: [build, stake, flood], otherwise: []}]
    then: {over: fin, otherwise: turn}
  fin: {score: highest}
"""
MAZE_RULES = """
action build(gap where not wall at gap)
    needs any(x in places(gap) where size(spread([x], those(y in gap where not wall at y))) > 1)
    set wall at gap
    count_all

action stake(post where not pole at post)
    set pole at post
    count_all

action flood(tile)
    for x in edges(tile)
        set river at x
    count_all

procedure count_all
    turns += 1
    points of me += size(spread([a1_northeast], those(x in gap where wall at x)))
        + 2 * size(spread(those(x in cell where x.column is 1), those(x in post where pole at x)))
        + size(spread(those(x in tile where x.row is 2), those(x in side where not river at x)))
    if turns mod 5 is 0
        clear all river

value over = turns is 40
score s = points of me
"""


def tried(act: str, values: str) -> ir.Machine:
    machine = compile_rules(rules := small_rules(YAML, RULES.format(act, values), TURNS_AND_TICKS))
    plays_the_same(rules, machine)
    return machine


def spreads(machine: ir.Machine) -> bool:
    found = floods_as_writes(machine, set(machine.variables))
    return any(isinstance(node, ir.SetWords) and holds(node, (ir.Spread,)) for node in found.nodes)


@pytest.mark.parametrize("most", [30, 9, 3])
@pytest.mark.parametrize("what", [*ROUNDS, *OTHER_ROUNDS])
def test_rounds(what: str, most: int) -> None:
    machine = tried((ROUNDS | OTHER_ROUNDS)[what].format(most), "")
    assert spreads(machine) == (what in ROUNDS)


@pytest.mark.parametrize("nests", [30, 9, 3])
@pytest.mark.parametrize("what", [*CALLS, *OTHER_CALLS])
def test_calls(what: str, nests: int) -> None:
    act, procedure = (CALLS | OTHER_CALLS)[what]
    machine = tried(act, procedure.format(nests))
    assert spreads(machine) == (what in CALLS)


@pytest.mark.parametrize("nests", [30, 9, 3])
@pytest.mark.parametrize("what", FOR_ALL)
def test_calls_for_all(what: str, nests: int) -> None:
    """They are one flood that begins at several places."""
    act, procedure = FOR_ALL[what]
    machine = tried(act, procedure.format(nests))
    nodes = floods_as_writes(machine, set(machine.variables)).nodes
    begun = [part.start for node in nodes for part in walk(node) if isinstance(part, ir.Spread)]
    assert begun
    assert all(isinstance(start, ir.Filtered) for start in begun)


def test_across_edges() -> None:
    """From cell to cell over edges and over corners, from corner to corner, on a grid and on hexagons."""
    rules = small_rules(MAZE, MAZE_RULES, MAZE_FLOW)
    plays_the_same(rules, compile_rules(rules))
