"""Lines of places: found by moving sets, or as sets that are known, they are those that rays count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

import pytest

from dsl.rules import Rules
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT
from interpreter.wasm.lower import bitset_lines
from interpreter.wasm.lower.bitset_lines import Lines
from interpreter.wasm.lower.context import FunctionContext
from tests.wasm.lockstep import UNTIL_FULL, small_rules
from tests.wasm.rollouts import Rollouts, lower, reference_row, same

GRID = "boards: {{cell: {{grid: [{0}, {1}], directions: way, neighbours: all}}}}\n"
HEXES = "boards: {cell: {hex: {side: 4}, directions: way}}\n"
YAML = """
pointers: {stone: {at: cell, to: seat}, last: {to: cell, start: a1}}
marks: {burnt: {at: cell}}
counters: {points: {of: seat, range: 0..1000}}
"""
RULES = """
action place(cell where stone at cell is none)
    stone at cell = me
    if me is A or cell.row mod 3 is 0
        set burnt at cell
    if {condition}
        gain 1 points
    last = cell
value full = all(stone at cell exists for cell)
value line(cell, way, seat) = count(x in ray(cell, way) while stone at x is seat)
value longest(cell, way)
    let ahead = line(cell, way, me) + 2
    let both = line(cell, way, me) + line(cell, opposite(way), me) + 1
    max(ahead, both)
value burning(cell, way) = count(x in ray(cell, way) while burnt at x)
score gained = points of me
"""
BOTH = "any(way where 1 + line(cell, way, me) + line(cell, opposite(way), me)"
CONDITIONS = {
    "three in a line": BOTH + " >= 3)",
    "more than four": BOTH + " > 4)",
    "two, on either side": BOTH + " >= 2)",
    "others at one side": "any(way where line(cell, way, opponent) >= 2)",
    "one way": "line(cell, {way}, me) + line(cell, opposite({way}), me) >= 3",
    "not that many": "not (line(cell, {way}, opponent) > 1)",
    "two, and no more": BOTH + " is 3)",
    "one in one way, and no more": "line(cell, {way}, me) is 1",
    "not two in one way": "line(cell, {way}, me) + line(cell, opposite({way}), me) is not 2",
    "less than two": "line(cell, {way}, me) + line(cell, opposite({way}), me) < 2",
    "the longest of two": "max(2 + line(cell, {way}, me), line(cell, opposite({way}), me) + 1) >= 3",
    "the longest of all": "max(line(cell, way, me) for way) > 1",
    "the longest by name": "longest(cell, {way}) >= 3",
    "none is that long": "max(line(cell, {way}, me), line(cell, opposite({way}), me)) < 2",
    "one or another": "line(cell, {way}, me) > 1 or any(way where line(cell, way, me) is 1)",
    "or something else": "points of me > 1 or line(cell, {way}, me) >= 2",
    "of a mark": "any(way where burning(cell, way) + burning(cell, opposite(way)) + 2 >= 4)",
}


@contextmanager
def found() -> Iterator[list[Lines]]:
    """The lines that are looked for in what is lowered meanwhile."""
    lines: list[Lines] = []
    push = bitset_lines.push_lines

    def note(fx: FunctionContext, one: Lines) -> None:
        lines.append(one)
        push(fx, one)

    with patch.object(bitset_lines, "push_lines", note):
        yield lines


BOARDS = {
    "of one word": (GRID.format(6, 7), "northeast"),
    "of one full word": (GRID.format(8, 8), "east"),
    "of two words": (GRID.format(9, 9), "northwest"),
    "of three words": (GRID.format(12, 12), "south"),
    "narrow": (GRID.format(3, 30), "east"),
}


def made(board: str, condition: str) -> tuple[Rules, ir.Machine]:
    yaml = YAML.replace("a1", "d4") if board == HEXES else YAML
    rules = small_rules(board + yaml, RULES.format(condition=condition), UNTIL_FULL)
    return rules, compile_rules(rules)


def playouts(rules: Rules, machine: ir.Machine) -> list[Lines]:
    """Compares a playout with that of the reference executor; the lines that were looked for in it."""
    row = reference_row(rules, machine, 3)
    assert row is not None
    assert row.diagnostic is None
    for config in (PLAYOUT, FAST):
        with found() as lines:
            code = lower(machine, config)
        same(Rollouts(machine, config, code), 3, [row])
    return lines


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", CONDITIONS)
def test_lines_are_those_that_rays_count(board: str, name: str) -> None:
    grid, way = BOARDS[board]
    lines = playouts(*made(grid, CONDITIONS[name].replace("{way}", way)))
    assert lines
    assert all(one.steps for one in lines)


@pytest.mark.parametrize("other", ["north", "west", "south"])
def test_rays_that_are_not_opposite(other: str) -> None:
    """Twice the same ray, or two that meet at a corner, are no row, but their places are known too."""
    lines = playouts(*made(GRID.format(5, 5), f"line(cell, north, me) + line(cell, {other}, me) >= 3"))
    assert lines
    assert all(bool(one.rows) == (other != "south") for one in lines)


def random_condition(chance: Random, ways: list[str]) -> str:
    """A comparison of the places that follow each other in one way, in two, or in any of several."""
    counted = chance.choice(["line({0}, {1}, me)", "line({0}, {1}, opponent)", "burning({0}, {1})"])
    place, way = chance.choice(["cell", "last"]), chance.choice([*ways, "way", "way"])
    others = [way, f"opposite({way})", chance.choice(ways)]
    parts = [counted.format(place, other) for other in (way, *chance.sample(others, chance.randint(0, 1)))]
    parts = [str(chance.randint(1, 2)), *parts] if chance.random() < 0.4 else parts
    compared = chance.choice([">=", ">", "is", "is not", "<", "<="])
    condition = f"{' + '.join(parts)} {compared} {chance.randint(2, 4)}"
    some = f"way in [{', '.join(chance.sample(ways, 3))}]"
    if way != "way":
        return condition
    values = chance.choice(["way", some])
    if chance.random() < 0.3:
        return f"max({' + '.join(parts)} for {values}) {compared} 3"
    return f"any({values} where {condition})"


@pytest.mark.parametrize("seed", range(12))
def test_random_conditions(seed: int) -> None:
    chance = Random(seed)
    size = chance.choice([(5, 9), (5, 5), (6, 7), (8, 8), (9, 9)])
    ways = ["north", "northeast", "southeast", "south", "west"]
    conditions = [random_condition(chance, ways) for _ in range(4)]
    body = "\n        gain 1 points\n    if ".join(conditions)
    playouts(*made(GRID.format(*size), body))


def test_rays_of_one_place() -> None:
    """They do not show how far apart places are."""
    lines = playouts(*made(GRID.format(2, 5), "line(cell, north, me) + line(cell, south, me) >= 1"))
    assert lines
    assert all(one.rows for one in lines)


def test_no_more_than_there_can_be() -> None:
    """Where no line has more places than that, nothing asks whether it has."""
    for rows, exactly in ((3, False), (4, True)):
        condition = "line(cell, north, me) + line(cell, south, me) is 2"
        lines = playouts(*made(GRID.format(rows, 5), condition))
        assert [(way.longer is not None) for one in lines for way in one.steps] == [exactly] * len(lines)


@pytest.mark.parametrize("condition", [BOTH + " >= 3)", "any(way where line(cell, way, me) > 2)"])
def test_where_rows_are_not_equally_long_lines_are_known(condition: str) -> None:
    lines = playouts(*made(HEXES, condition))
    assert lines
    assert all(one.rows for one in lines)


@pytest.mark.parametrize(
    "condition",
    [
        BOTH + " >= 20)",
        "any(way where line(cell, way, me) >= line(cell, opposite(way), me))",
        "any(way where line(cell, way, me) + line(cell, opposite(way), opponent) >= 2)",
        "any(way where 2 * line(cell, way, me) >= 4)",
        "any(way where line(cell, way, me) >= 0)",
        "any(way where line(cell, way, me) is 0)",
        "max(line(cell, north, me), points of me) >= 2",
        "any(way where line(cell, way, me) + cell.row >= 4)",
    ],
)
def test_what_is_no_line_is_counted(condition: str) -> None:
    assert not playouts(*made(GRID.format(5, 5), condition))
