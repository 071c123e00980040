"""The trained policies that come along still fit the rules, play by them, and win against random play."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.library import open_game
from rulewright.main import main

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "baselines"
FILES = sorted(FOLDER.glob("*.onnx"))
LARGEST = 500_000
"""The most bytes of all of them together."""
LEAST = {
    "breakthrough": 0.95,
    "connect_four": 0.9,
    "leduc_poker": 0.7,
    "liars_dice": 0.95,
    "nim": 0.78,
    "othello": 0.8,
}
"""A share of the points of each, some less than it has."""

pytest.importorskip("gymnasium", reason="the extra `gymnasium` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")


def test_there_are_six_and_they_are_small() -> None:
    assert {file.stem for file in FILES} == LEAST.keys()
    assert sum(file.stat().st_size for file in FILES) < LARGEST


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_baseline_fits_the_rules_as_they_are(file: Path) -> None:
    from rulewright.learn.onnx_files import load_policy
    from rulewright.learn.tables import spaces_of

    policy = load_policy(str(file))
    assert policy.catalogue.game == file.stem
    policy.check(spaces_of(open_game(file.stem)).catalogue)  # R260: docs/learning.md says what to do then


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_baseline_wins_against_random_play(file: Path) -> None:
    """Sixty-four matches at each seat, with seeds; a choice that is not offered would raise."""
    from examples.meeting import share_between
    from rulewright.learn.onnx_files import load_policy
    from rulewright.learn.opponents import UniformPolicy

    assert share_between(file.stem, load_policy(str(file)), UniformPolicy(), 1) > LEAST[file.stem]


def test_a_baseline_takes_a_seat() -> None:
    words = ["simulate", "nim", "--seats", f"policy:{FOLDER / 'nim.onnx'},random", "-n", "2"]
    run = CliRunner().invoke(main, words)
    assert run.exit_code == 0, run.output
