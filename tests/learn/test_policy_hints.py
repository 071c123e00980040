"""Hints of a trained policy at the prompt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.match import Match
from rulewright.learn.policy_bot import policy_bot
from rulewright.library import open_game
from tests.learn.test_policies import written
from tests.rulewright.test_play import Table, after

pytest.importorskip("onnx", reason="the extra `policy` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")


def test_a_policy_says_how_likely_it_takes_each_choice(tmp_path: Path) -> None:
    path = written(tmp_path / "Own policy.onnx", "leduc_poker")
    table = Table("leduc_poker", "human,human")
    said = after(table.says_all("", f"hint policy:{path}"), f"hint policy:{path}")
    parts = [int(part) for part in re.findall(r"chosen with (\d+)%", said)]
    assert parts == sorted(parts, reverse=True)
    assert sum(parts) == pytest.approx(100, abs=len(parts))
    assert "by the policy Own policy.onnx, from what you know" in said


def test_the_chances_are_those_by_which_it_chooses(tmp_path: Path) -> None:
    bot = policy_bot(written(tmp_path / "p.onnx", "leduc_poker"))
    match = Match(open_game("leduc_poker"), 3).start()
    waiting = match.waiting()[0]
    found = bot.chances(match, waiting)
    assert sorted(option for option, _ in found) == sorted(waiting.options)
    assert sum(part for _, part in found) == pytest.approx(1.0)
    taken = [bot.choose(match, waiting, seed) for seed in range(400)]
    for option, part in found:
        assert abs(taken.count(option) / 400 - part) < 4 * (part * (1 - part) / 400) ** 0.5 + 1e-9


def test_a_policy_that_cannot_be_asked_is_no_end_of_the_match(tmp_path: Path) -> None:
    foreign = written(tmp_path / "kuhn.onnx", "kuhn_poker")
    table = Table("leduc_poker", "human,human")
    screens = table.says_all("", f"hint policy:{foreign}", "hint policy:", "hint policy:nowhere.onnx")
    assert "was trained for" in after(screens, f"hint policy:{foreign}")
    assert "a trained policy is named by its file" in after(screens, "hint policy:")
    assert "nowhere.onnx" in after(screens, "hint policy:nowhere.onnx")
