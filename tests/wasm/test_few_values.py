"""What is asked of a few values is asked of each, by sets of what it goes through, where that takes less."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT
from interpreter.wasm.lower import bitset_select
from tests.wasm.lockstep import UNTIL_FULL, small_rules
from tests.wasm.rollouts import Rollouts, lower, reference_rows, same

YAML = """
boards: {cell: {grid: [6, 6], directions: way, neighbours: all}}
pointers: {stone: {at: cell, to: seat}}
counters: {points: {of: seat, range: 0..1000}}
"""
RULES = """
action place(cell where stone at cell is none)
    stone at cell = me
    let winners = those(seat where has_enough(seat))
    if me in winners
        gain 1 points
    if opponent in winners
        gain 2 points
value full = count(cell where stone at cell exists) > 30
value has_enough(seat) = {condition}
value line(cell, way, seat) = count(x in {beginning} while stone at x is seat)
score gained = points of me
"""
LINED = "any(cell where line(cell, north, seat) >= 3 or line(cell, east, seat) >= 3)"
BEGINNINGS = {
    "after one": "[cell] + ray(cell, way)",
    "after two": "[d4, cell] + ray(cell, way)",
    "after a list": "[a1, b1] + ([cell] + ray(cell, way))",
    "before one": "ray(cell, way) + [cell]",
    "there and back": "ray(cell, way) + ray(cell, opposite(way))",
    "of some": "those(x in ray(cell, way) where x is not d4) + [e5]",
}


def answers(condition: str, beginning: str) -> list[bool]:
    """What is found to be sooner asked one by one, where playouts are those of the reference executor."""
    rules = small_rules(YAML, RULES.format(condition=condition, beginning=beginning), UNTIL_FULL)
    machine = compile_rules(rules)
    rows = reference_rows(rules, machine, range(4))
    found: list[bool] = []
    asked = bitset_select.is_sooner_asked

    def note(*given) -> bool:  # type: ignore[no-untyped-def]
        found.append(asked(*given))
        return found[-1]

    for config in (PLAYOUT, FAST):
        with patch.object(bitset_select, "is_sooner_asked", note):
            code = lower(machine, config)
        same(Rollouts(machine, config, code), 0, rows)
    return found


@pytest.mark.parametrize("name", BEGINNINGS)
def test_beginnings_of_joined_collections(name: str) -> None:
    answers(LINED, BEGINNINGS[name])


def test_what_goes_through_a_board_is_asked_of_each_seat() -> None:
    assert any(answers(LINED, BEGINNINGS["after one"]))


@pytest.mark.parametrize("condition", ["seat is A", "stone at a1 is seat", "points of seat > 2"])
def test_what_goes_through_nothing_is_asked_together(condition: str) -> None:
    assert not any(answers(condition, BEGINNINGS["after one"]))
