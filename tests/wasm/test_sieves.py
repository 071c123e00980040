"""Many places are tried against a history: its records are sieved, and nothing that was there is offered."""

from __future__ import annotations

import pytest

from dsl.folder import Folder
from dsl.load import load
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from tests.wasm.lockstep import small

GAME = """
game: hop
seats: 1
rules: [game.rules]
boards: {spot: {grid: [5, 5]}}
pointers: {here: {to: spot}, last: {to: spot}}
histories: {track: {of: [here], most: 40}, pairs: {of: [here, last], most: 40}}
flow: {turn: {do: [{may do: [hop]}], then: {stuck: end, otherwise: turn}}, end: {score: none}}
"""
RULES = """
action hop(spot)
    last = here
    here = spot
    needs times(track) is 0
    needs times(pairs) is 0
    record track
    record pairs
value stuck = not can hop
"""


def hop(executor: ExecutorKind) -> Match:
    files = {"game.yaml": GAME, "game.rules": RULES}
    rules, _ = load(Folder("hop", lambda path: files[path].encode()))
    return Match(Game(rules, compile_rules(rules), executor), seed=1).start()


def test_no_place_is_entered_twice() -> None:
    fast, reference = hop("wasm"), hop("reference")
    entered: list[str] = []
    while not fast.over:
        offered = [choice.text for choice in fast.decisions()[0].choices]
        assert offered == [choice.text for choice in reference.decisions()[0].choices]
        hops = [text for text in offered if text != "pass"]
        assert len(hops) == 25 - len(entered)
        assert not set(hops) & set(entered)
        entered.append(hops[7 * len(entered) % len(hops)])
        for match in (fast, reference):
            match.choose(match.decisions()[0].seat, entered[-1])
        assert fast.state.tobytes() == reference.state.tobytes()
    assert len(entered) == 25


OTHERS = """
longest: 60
boards: {spot: {grid: [5, 5]}}
pointers: {here: {to: spot}, last: {to: spot}}
counters: {rounds: {range: 0..20}, beat: {range: 0..3}}
histories: {track: {of: [here], most: 40}, beats: {of: [beat], most: 20}}
"""
OTHERS_FLOW = """
flow:
  turn: {seat: rotates, do: [{may do: [hop, mark_last]}, tick], then: {rounds is 20: end, otherwise: turn}}
  end: {score: none}
"""
OTHERS_RULES = """
action mark_last
    needs times(beats) > 1
    last = here
    needs times(beats) < 4
action hop(spot where spot.row > 1 or CONDITION)
    here = spot
    needs times(track) is 0
    record track
procedure tick
    rounds += 1
    beat = rounds mod 4
    record beats
"""


@pytest.mark.parametrize("condition", ["times(beats) > 1", "can mark_last"])
def test_a_history_that_only_a_condition_asks_is_not_sieved(condition: str) -> None:
    pair = small(OTHERS, OTHERS_RULES.replace("CONDITION", condition), OTHERS_FLOW)
    for seed in range(3):
        assert pair.play(seed).over
