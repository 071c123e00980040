"""A sample of what `python -m tests.durability` tries: kills and failing disks, chosen by a seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="this system has no such terminals")

from rulewright.matches.log_file import LogFile
from tests.durability import faults, kills
from tests.durability.playing import choices_in
from tests.processes import Process

ROOT = Path(__file__).resolve().parents[2]


def test_nothing_is_lost_when_a_match_is_killed(tmp_path: Path) -> None:
    tally = kills.run(12, 5, tmp_path)
    assert tally.kills == 12
    assert tally.acknowledged > 0
    assert (tally.lost, tally.refused) == (0, 0)


def test_a_log_that_is_not_written_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness itself: where choices are acknowledged and not written, it counts them as lost."""
    monkeypatch.setattr(LogFile, "update", lambda self, match: None)
    assert kills.run(4, 5, tmp_path).lost > 0


def test_nothing_is_lost_when_disks_fail(tmp_path: Path) -> None:
    tally = faults.run(2 * len(faults.kinds()), 3, tmp_path)
    assert tally.acknowledged > 0
    assert (tally.lost, tally.wrong) == (0, 0)


def test_what_bots_have_told_is_in_their_log(tmp_path: Path) -> None:
    """A process of its own, killed in the middle of what it prints."""
    log = tmp_path / "x.log"
    words = [sys.executable, "-u", "-m", "rulewright", "play", "roma", "--log", str(log)]
    with Process(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(40)]
        process.kill()
        told += process.stdout.readlines()
    choices = [line for line in told if line[:2] in ("A:", "B:", "A ", "B ")]
    assert 5 < len(choices) <= len(choices_in(log))


@pytest.mark.long
def test_nothing_is_lost_in_many_kills_and_faults(tmp_path: Path) -> None:
    killed = kills.run(300, 8, tmp_path)
    failed = faults.run(60, 8, tmp_path)
    assert (killed.lost, killed.refused, failed.lost, failed.wrong) == (0, 0, 0, 0)
