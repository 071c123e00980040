"""Conditions on boards are found as sets of places: what they cost does not grow with the places asked."""

from __future__ import annotations

import pytest

from interpreter.wasm.profiled import ProfiledProgram
from tests.wasm.lockstep import small_rules

TURNS = 20
YAML = """
boards: {cell: {grid: [8, 8], directions: way, neighbours: all}}
types: {kind: {values: [man, rook]}, unit: {product: [seat, kind]}}
components: {piece: {kinds: unit, count: 9}}
zones:
  stand: {holds: piece, at: cell, size: 1, seen_by: all}
  box: {holds: piece, at: unit, start: all, seen_by: all}
pointers: {stone: {at: cell, to: seat}, last: {to: cell}}
marks: {burnt: {at: cell}}
counters: {points: {of: seat, range: 0..1000000}, turns: {range: 0..20}, num: {at: cell, range: 0..9}}
"""
FLOW = """
flow:
  first: {do: [begin], then: turn}
  turn: {seat: rotates, do: [{do one of: [act]}, count_], then: {ended: fin, otherwise: turn}}
  fin: {score: highest}
"""
BEGIN = """
procedure begin
    last = c3
    for x in [b2, d4, a4]
        stone at x = A
        set burnt at x
        move 1 from box at ((A, rook)) to stand at x
procedure count_
    turns += 1
value ended = turns is 20
value free(cell) = stone at cell is none and not burnt at cell
value reaches(here: cell, there: cell, left: cell)
    any(way where there in those(x in ray(here, way) while x is left or free(x)))
"""
CASES = {
    "places that rays reach": ("there: cell where reaches(c3, there, a1)", 600),
    "places that rays reach, in two steps": (
        "here: cell where reaches(c3, here, a1), there: cell where reaches(here, there, c3)",
        5_000,
    ),
    "how many stand on joined rays": (
        "here: cell where any(way where count(x in ray(here, way) + ray(here, opposite(way)) + [here]"
        " where stone at x exists) > 1)",
        20_000,
    ),
    "a relation of two places": (
        "here: cell where any(x in cell where (x.row - here.row) * (x.column - here.column) in [-2, 2]"
        " and stone at x exists)",
        2_500,
    ),
    "what is behind a place that is there": (
        "here: cell, there: cell where any(way where jumps(here, way) and step(here, way, 2) is there)",
        20_000,
    ),
    "what pieces see from where they stand": (
        "there: cell where any(x in stand where there in run(x.cell, east) + run(x.cell, south))",
        25_000,
    ),
}
"""What is chosen, and the most operations of a decision; one by one it would be twice that."""
MORE = """
value jumps(here: cell, way)
    let over = step(here, way)
    let there = step(here, way, 2)
    over exists and there exists and stone at over is A and stone at there is none
value run(here: cell, way) = those(x in ray(here, way) until stand at x exists)
"""


def work(given: str) -> float:
    """Operations for each decision."""
    rules = f"{BEGIN}{MORE}\naction act({given})\n    gain 1 points\n"
    program = ProfiledProgram(small_rules(YAML, rules, FLOW))
    program.playout(1)
    found = program.measured()
    return (sum(x.carried_out + x.tried for x in found.work.values()) + found.elsewhere) / TURNS


@pytest.mark.parametrize("name", CASES)
def test_work(name: str) -> None:
    given, most = CASES[name]
    assert work(given) < most
