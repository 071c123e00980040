"""From Python the fast executor referees, unless a game is too large for a module."""

from __future__ import annotations

import pytest

import rulewright
from dsl.source import NOWHERE
from interpreter.messages import BrokenModule, Fault
from interpreter.reference.executor import ReferenceExecutor
from interpreter.wasm.executor import WasmExecutor


def test_the_fast_executor_is_the_default() -> None:
    game = rulewright.open_game("pig")
    assert isinstance(game.executor, WasmExecutor)
    fast, slow = (
        rulewright.Match(one, seed=7).start()
        for one in (game, rulewright.open_game("pig", executor="reference"))
    )
    for _ in range(20):
        for match in (fast, slow):
            match.choose(match.decisions()[0].seat, match.decisions()[0].choices[0].text)
    assert fast.hash() == slow.hash()


def test_a_game_that_no_match_is_played_of_has_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(WasmExecutor, "__init__", never)
    assert rulewright.open_game("pig").machine.seats == 2


def test_the_reference_executor_is_named_where_it_must_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise Fault(BrokenModule(NOWHERE, "too many locals"))

    monkeypatch.setattr(WasmExecutor, "__init__", refused)
    game = rulewright.open_game("pig")
    with pytest.warns(RuntimeWarning, match="`pig` is refereed by the reference executor, which is slower"):
        assert isinstance(game.executor, ReferenceExecutor)
    with pytest.raises(Fault):
        _ = rulewright.open_game("pig", executor="wasm").executor
