"""Trials that write are conditions on the state as it is before, and searches in searches ask less."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.trials import TrialConditions
from interpreter.wasm.build_config import FAST, FLAT, PLAYOUT
from interpreter.wasm.program import Program
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
boards: {cell: {grid: [4, 4], neighbours: all, directions: way}}
pointers: {man: {at: cell, to: seat}}
marks: {burnt: {at: cell}, late: {}}
counters: {points: {of: seat, range: 0..99, at_edge: clamp}, turns: {range: 0..16}}
"""
FLOW = """
flow:
  set_up: {do: [first_men], then: turn}
  turn: {seat: rotates, do: [{do one of: [go, pass_on]}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
procedure first_men
    man at a1 = A
    man at d1 = A
    man at d4 = B
    man at b3 = B

{0}

action pass_on
    gain 0 points

procedure tick
    turns += 1

value free(cell) = man at cell is none and not burnt at cell
value over = turns is 16
score s = points of me + count(cell where man at cell is me and any(x in neighbours(cell) where free(x)))
"""
GO = (
    "action go(start: cell where man at start is me,\n"
    "        goal: cell where free(goal) and goal in neighbours(start))\n"
)
PUT = "    man at start = none\n    man at goal = me\n"
EXACT = {
    "it goes, then shoots": (
        f"{GO}{PUT}    choose shot from cell\n"
        "        where any(way where shot in those(x in ray(goal, way) while free(x)))\n"
        "    set burnt at shot\n"
    ),
    "what is left is free": (
        f"{GO}{PUT}    needs any(x in neighbours(goal) where free(x) and x.row < 4)\n    gain 1 points\n"
    ),
    "of whom a man is": (
        f"{GO}{PUT}    needs count(x in neighbours(start) where man at x is me) > 0\n    gain 1 points\n"
    ),
    "a mark of its own": (
        f"{GO}{PUT}    set burnt at start\n    needs any(x in neighbours(goal) where not burnt at x)\n"
    ),
    "joined rays": (
        f"{GO}{PUT}    choose shot from those(x in ray(goal, north) while free(x))"
        " + those(x in ray(goal, south) while free(x))\n    set burnt at shot\n"
    ),
}
TRIED = {
    "a counter grows": f"{GO}{PUT}    gain 3 points\n    needs points of me < 60\n",
    "a set that spreads": (
        f"{GO}{PUT}    needs size(spread([goal], those(x in cell where free(x) or x is goal))) > 2\n"
    ),
}


def second_choice(machine: ir.Machine) -> ir.Decide:
    return next(x for x in machine.nodes if isinstance(x, ir.Decide) and x.name == "go.goal")


@pytest.mark.parametrize("what", EXACT)
def test_a_trial_that_writes_is_a_condition(what: str) -> None:
    rules = small_rules(YAML, RULES.replace("{0}", EXACT[what]), FLOW)
    machine = compile_rules(rules)
    assert not TrialConditions(machine).of_choice(second_choice(machine)).exact
    assert TrialConditions(machine, through_writes=True).of_choice(second_choice(machine)).exact
    comes_to_the_same(rules, machine)


def comes_to_the_same(rules: object, machine: ir.Machine) -> None:
    for seed in range(6):
        row = reference_row(rules, machine, seed, 100)  # type: ignore[arg-type]
        assert row is not None
        for config in (PLAYOUT, FAST):
            same(Rollouts(machine, config), seed, [row])
    assert Program(machine, FLAT).playouts(20).decisions > 0


@pytest.mark.parametrize("what", TRIED)
def test_other_trials_stay(what: str) -> None:
    rules = small_rules(YAML, RULES.replace("{0}", TRIED[what]), FLOW)
    machine = compile_rules(rules)
    assert not TrialConditions(machine, through_writes=True).of_choice(second_choice(machine)).exact
    comes_to_the_same(rules, machine)
