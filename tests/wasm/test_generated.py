"""Rulesets made at random play the same on both executors, by choices and by themselves."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.generated import FLOW, Maker
from tests.wasm.lockstep import Pair, small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same


def agree(seed: int, most: int = 8) -> None:
    yaml, text = Maker(seed).ruleset()
    rules = small_rules(yaml, text, FLOW)
    machine = compile_rules(rules)
    played = Pair(rules, machine).play(seed, most)
    if played.faulted:
        return
    row = reference_row(rules, machine, seed, 40)
    if row is not None and row.diagnostic is None:
        for config in (PLAYOUT, FAST):
            same(Rollouts(machine, config), seed, [row])


@pytest.mark.parametrize("seed", [2, 3, 5, 6, 10, 19, 27, 30])
def test_random_rulesets(seed: int) -> None:
    agree(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(400))
def test_many_random_rulesets(seed: int) -> None:
    agree(seed, 40)
