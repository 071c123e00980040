"""The sets that are kept beside a state hold what its words say."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.ir.state import COUNTS
from interpreter.wasm.build_config import FAST, FLAT
from interpreter.wasm.emit.bit_boards import (
    board_bytes,
    boards,
    first_byte,
    piece_bytes,
    piece_sets,
    single_components,
)
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts
from tests.wasm.test_lowering import LOWERING, Case

PIECES = [case for case in LOWERING if "holds: " in case.text]


@pytest.mark.parametrize("case", PIECES, ids=lambda c: c.name)
def test_sets_follow_the_words(case: Case) -> None:
    """Wherever a playout ends, also by a fault."""
    _, machine = case.ruleset()
    kept = boards(machine)
    first = first_byte(machine)
    sets = piece_sets(machine, first + sum(board.bytes for board in kept.values()))
    if not kept and not sets:
        pytest.skip("nothing is kept beside the state")
    config = (FAST, FLAT)[PIECES.index(case) % 2]
    rollouts = Rollouts(machine, config)
    for seed in range(6):
        rollouts.run(seed, 1)
        state = rollouts.state()
        wanted = board_bytes(kept, state) + piece_bytes(machine, sets, state)
        assert rollouts.instance.read_bytes(rollouts.map["state"] + first, len(wanted)) == wanted


CARDS = """
types: {{suit: [clubs, diamonds], rank: [one, two, three, four, five], face: {{product: [suit, rank]}}}}
components: {{card: {{kinds: face, count: {count}}}, die: {{die: 1..6, count: 1}}}}
zones:
  deck: {{holds: card, seen_by: all, start: all}}
  cup: {{holds: die, seen_by: all, start: all}}
  hand: {{holds: card, of: seat, seen_by: all}}
counters: {{points: {{of: seat, range: 0..9}}}}
"""
ROLL = """
action act
    roll cup
    gain size(cup) points
    move all from deck to hand of me
"""


@pytest.mark.parametrize("count", [1, 2])
def test_components_without_equal_pieces(count: int) -> None:
    machine = compile_rules(small_rules(CARDS.format(count=count), ROLL))
    assert single_components(machine) == ({"card"} if count == 1 else set())
    assert {machine.places[i].kind for i in piece_sets(machine, 0)} == {COUNTS}
