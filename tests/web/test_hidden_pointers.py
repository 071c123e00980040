"""Players of a page search where a pointer to a value is hidden, also by what an exported file carries."""

from __future__ import annotations

import base64
from pathlib import Path

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from rulewright.bundling.descriptions import carried_description, carried_tables
from rulewright.presentation.description import describe
from rulewright.presentation.host_tables import host_tables
from tests.wasm.lockstep import small_rules
from tests.web.in_node import run_in_node

YAML = """
types:
  role: [thief, guard, baker]
  level: 2..5
pointers:
  role_of: {of: seat, to: role, seen_by: owner}
  level_of: {of: seat, to: level, seen_by: owner}
  friend: {of: seat, to: seat, seen_by: owner}
counters: {points: {of: seat, range: 0..9}}
"""
FLOW = """
flow:
  deal: {do: [hide], then: turn}
  turn: {seat: rotates, do: [{do one of: [guess]}], then: {points of A > 3: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
procedure hide
    for seat
        chance chooses role
        role_of of seat = role
        chance chooses level
        level_of of seat = level
        chance chooses other from seats
        friend of seat = other
action guess(role)
    gain 1 points
    if role_of of opponent is role
        gain 1 points
score points = points of me
"""
SCRIPT = """
import { problemOf } from "./rulewright/web/match/belief.js";
import { openGame } from "./rulewright/web/match/game.js";
import { Match } from "./rulewright/web/match/match.js";
const bytes = Uint8Array.from(atob(given.module), (one) => one.charCodeAt(0));
const match = new Match(await openGame(given.description, given.tables, bytes), 3n).start();
console.log(JSON.stringify(problemOf(match, 0).problem.guesses.map(([, values]) => values)));
"""


def test_what_may_be_hidden_is_every_value(tmp_path: Path) -> None:
    rules = small_rules(YAML, RULES, FLOW)
    game = Game(rules, compile_rules(rules), "wasm")
    data, tables = host_tables(game)
    described = describe(game)
    whole = {"description": described, "tables": tables}
    carried = {
        "description": carried_description(described, frozenset({"en"})),
        "tables": carried_tables(tables, described),
    }
    for given in (whole, carried):
        module = {"module": base64.b64encode(data).decode()}
        found = run_in_node(SCRIPT, tmp_path, given | module)
        assert sorted(found) == sorted([[0, 1, 2], [2, 3, 4, 5], [0, 1]])
