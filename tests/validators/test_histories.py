"""What checks and explorations know of histories."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.folder import Folder
from dsl.load import load
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from rulewright.library import folder
from validators.explore.explore import explore
from validators.explore.search import Bounds
from validators.usages import usages_of

HERE = Path(__file__).parent.parent / "generality"
GAME = """
game: walk
seats: 1
rules: [game.rules]
boards: {spot: {ring: [north, east, south, west]}}
types: {way: [left, right]}
pointers: {here: {to: spot, start: north}}
histories: {track: {of: [here], most: MOST}}
flow: {turn: {do: [{may do: [walk]}], then: {stuck: end, otherwise: turn}}, end: {score: none}}
"""
RULES = """
action walk(way)
    needs here exists
    here = next(here) if way is right else previous(here)
    needs times(track) is 0
    record track
value stuck = not can walk
"""


def walk(most: int) -> Game:
    files = {"game.yaml": GAME.replace("MOST", str(most)), "game.rules": RULES}
    rules, _ = load(Folder("walk", lambda path: files[path].encode()))
    return Game(rules, compile_rules(rules))


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_positions_differ_by_what_was_recorded(executor: ExecutorKind) -> None:
    """Four places, each entered once: what was entered is an arc of the ring."""
    found = explore(walk(9), Bounds(None, 10_000, None), executor)
    assert found.found.exhaustive
    assert len(found.found.graph) > 4
    assert not found.findings
    assert not found.proved


def test_a_full_history_is_found() -> None:
    found = explore(walk(2), Bounds(None, 10_000, None))
    assert [finding.diagnostic.code for finding in found.findings][:1] == ["R235"]


def test_a_history_that_is_recorded_is_used() -> None:
    rules, _ = load(folder(HERE / "go"))
    assert usages_of(rules).histories == {"position"}
    assert "stone" in usages_of(rules).read
