"""What is asked before anything changes is offered, and comes to the same faults, on both executors."""

from __future__ import annotations

from itertools import takewhile

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import Pair, small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same
from tests.wasm.tried import FLOW, ruleset


def agree(seed: int) -> None:
    yaml, text = ruleset(seed)
    rules = small_rules(yaml, text, FLOW)
    machine = compile_rules(rules)
    pair = Pair(rules, machine)
    for i in range(3):
        pair.play(i, 12)
    found = (reference_row(rules, machine, i, 40) for i in range(3))
    rows = [row for row in takewhile(lambda row: row is not None, found) if row is not None]
    for config in (PLAYOUT, FAST):
        same(Rollouts(machine, config), 0, rows)


@pytest.mark.parametrize("seed", range(16))
def test_random_trials(seed: int) -> None:
    agree(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(600))
def test_many_random_trials(seed: int) -> None:
    agree(seed)
