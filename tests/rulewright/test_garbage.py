"""While a ruleset is compiled, no garbage is searched for; afterwards all is as before."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from interpreter.compile import program
from interpreter.garbage import garbage_collection_paused
from interpreter.wasm.build_config import FAST
from rulewright import cache
from rulewright.library import open_game


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether garbage would have been searched for, each time that rules were compiled."""
    found: list[bool] = []
    compile_rules = program.compile_rules

    def noted(*args: Any) -> Any:
        found.append(gc.isenabled())
        return compile_rules(*args)

    monkeypatch.setattr(program, "compile_rules", noted)
    return found


def test_the_setting_from_before_comes_back() -> None:
    with garbage_collection_paused():
        assert not gc.isenabled()
        with garbage_collection_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="late"), garbage_collection_paused():
        raise ValueError("late")
    assert gc.isenabled()


def test_a_game_is_opened_without_a_search(searching: list[bool]) -> None:
    open_game("pig")
    assert (searching, gc.isenabled()) == ([False], True)


def test_a_module_is_made_without_a_search(
    searching: list[bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.PLACE, str(tmp_path))
    cache.entry("pig", None, {}, FAST, lambda *_: None)
    assert (searching, gc.isenabled()) == ([False], True)
