"""Each trial of an offer has fuel of its own: a late one is as good as the first on both executors."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from tests.wasm import generated
from tests.wasm.lockstep import Pair, small_rules
from tests.wasm.test_generated import agree

SIDE = 24
"""Of a board on which trying all places takes more fuel than one trial has."""

BOARD = f"""\
longest: 60
boards: {{cell: {{hex: [{SIDE}, {SIDE}]}}}}
pointers: {{owner: {{to: seat, at: cell}}}}
counters: {{rounds: {{range: 0..99}}}}
"""

RULES = """\
action join(cell)
    needs any(other in spread([cell], those(x in cell where owner at x is me)) where owner at other exists)
    owner at cell = me

action settle(cell where owner at cell is none)
    owner at cell = me

procedure tick
    rounds += 1

value done = rounds > 6
score rounds = rounds
"""


def flow(actions: str) -> str:
    turn = f"{{seat: rotates, do: [tick, {{may do: [{actions}]}}], then: {{done: fin, otherwise: turn}}}}"
    return f"flow: {{turn: {turn}, fin: {{score: highest}}}}\n"


@pytest.mark.parametrize(("actions", "choices"), [("join", 0), ("join, settle", 4)])
def test_late_trials(actions: str, choices: int) -> None:
    rules = small_rules(BOARD, RULES, flow(actions))
    played = Pair(rules, compile_rules(rules)).play(1, 4)
    assert not played.faulted
    assert played.choices == choices


@pytest.mark.parametrize("seed", [42, 130])
def test_random_rulesets_on_large_boards(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    large = (f"{{hex: [{SIDE}, {SIDE}], directions: way}}", SIDE, SIDE)
    monkeypatch.setattr(generated, "SHAPES", [large])
    agree(seed)
