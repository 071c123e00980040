"""Answers that cannot be printed, and what is said of targets that are not reached."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.main import main

ROOT = Path(__file__).parents[2]
DUEL = str(Path(__file__).parent / "duel")
COMMANDS = {
    "simulate": ("simulate", DUEL, "-n", "5"),
    "compare": ("compare", DUEL, "--new", "lead=3", "-n", "64"),
    "explore": ("explore", DUEL, "--depth", "2"),
    "list": ("list", DUEL),
}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize("name", COMMANDS)
def test_an_answer_that_cannot_be_printed_is_kept(name: str, tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rulewright", *COMMANDS[name]],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
            check=False,
        )
    assert done.returncode == 1
    assert "error[R275]: `the output` can no longer be written: no space left on device" in done.stderr
    assert "Exception ignored" not in done.stderr
    (kept,) = tmp_path.glob(f"rulewright-*/{name}.txt")
    assert len(kept.read_text("utf-8")) > 20
    assert f"the folder `{kept.parent}`" in done.stderr


def test_a_reader_that_has_gone_is_no_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("rulewright.commands.simulate_text.click.echo", gone)
    assert CliRunner().invoke(main, ("simulate", DUEL, "-n", "5")).exit_code == 141
    assert not list(tmp_path.iterdir())


def tuned(*words: str) -> str:
    return CliRunner().invoke(main, ("tune", DUEL, "-n", "100", *words)).output


def test_a_target_that_is_jumped_over() -> None:
    """A match with a round more has two decisions more."""
    said = tuned("--target", "length in 8.5..9.5", "--numbers", "rounds")
    assert "it is jumped over, from 8.0 with nothing changed to 10.0 with rounds 5 for 4" in said


def test_a_target_beyond_all_that_was_tried() -> None:
    said = tuned("--target", "length in 90..95", "--numbers", "rounds=1..6")
    assert "all that was tried is below it, within rounds 1 to 6" in said
    said = tuned("--target", "length in 0..1", "--numbers", "rounds=3..6")
    assert "all that was tried is above it, within rounds 3 to 6" in said


def test_a_target_that_is_not_reached_again() -> None:
    said = tuned("--target", "total of A in 32..33", "--numbers", "sword.worth=3..9")
    assert "reached with the first seeds, but not with fresh ones" in said
    assert "all that was tried" not in said
