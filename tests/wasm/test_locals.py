"""Locals that are used again: whatever one holds from before, a module plays the same."""

from __future__ import annotations

import pytest

from interpreter.wasm.build_config import CHECKED, FLAT
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import Variable
from tests.games import Table, compiled, fewest, named, sample
from tests.wasm.rollouts import Rollouts

LEFT = 1234567
"""Neither a truth nor the number of a value, a piece, a place or a word."""

KEPT = ("augustus", "kalah", "leduc_poker", "roma")
"""Those whose options are found by trials, one of hidden cards, and one that is played in locals alone."""


@pytest.mark.parametrize("table", sample(fewest(), [x for x in fewest() if x[0] in KEPT]), ids=named)
def test_what_a_local_held_before_does_not_matter(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    machine, allocated = compiled(table), Body.local

    def used_before(self: Body, kind: int = I32) -> Variable:
        variable = allocated(self, kind)
        if kind in (I32, I64):
            self.assign(variable, LEFT)
        return variable

    for config in (CHECKED, FLAT):
        expected = Rollouts(machine, config).rows(5, 50)
        with monkeypatch.context() as patched:
            patched.setattr(Body, "local", used_before)
            found = Rollouts(machine, config)
        assert found.rows(5, 50) == expected
