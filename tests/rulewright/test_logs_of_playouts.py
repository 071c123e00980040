"""The log that `simulate` writes is the playout that it has counted, and replays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.main import main

DEEP = ("--option", "stack=1000000", "--option", "hands=3")
"""Hold'em in which numbers are chosen in parts."""


@pytest.mark.parametrize(
    ("game", "options", "seed"),
    [
        ("texas_holdem", DEEP, 2),
        ("texas_holdem", (*DEEP, "--seats", "3", "--executor", "reference"), 3),
        ("tic_tac_toe", (), 1),
        ("goofspiel", (), 1),
        ("leduc_poker", (), 1),
    ],
)
def test_it_replays_with_what_was_counted(
    game: str, options: tuple[str, ...], seed: int, tmp_path: Path
) -> None:
    log = tmp_path / "playout.log"
    words = ["simulate", game, "-n", "1", "--seed", str(seed), *options, "--log", str(log), "--json"]
    counted = CliRunner().invoke(main, words)
    assert counted.exit_code == 0, counted.output
    replayed = CliRunner().invoke(main, ["replay", str(log)])
    assert replayed.exit_code == 0, replayed.output
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert "/32" not in " ".join(line.get("choose", "") for line in lines)
    won = {seat for seat, number in json.loads(counted.stdout)["wins"].items() if number}
    assert won == set(lines[-1]["winners"])


def test_without_numbers_in_parts_every_choice_is_one_line(tmp_path: Path) -> None:
    log = tmp_path / "playout.log"
    words = ["simulate", "texas_holdem", "-n", "1", "--seed", "2", *DEEP, "--log", str(log)]
    assert CliRunner().invoke(main, words).exit_code == 0
    chosen = [
        line["choose"]
        for line in map(json.loads, log.read_text(encoding="utf-8").splitlines())
        if "choose" in line
    ]
    numbers = [int(text.split()[1]) for text in chosen if text.startswith("raise_by")]
    assert numbers
    assert all(0 < number <= 2_000_000 for number in numbers)
