"""Commands as a user gives them, each in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright import cache
from rulewright.main import main

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder; `result.output` is both streams, as on a terminal."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(main, words, input=stdin, prog_name="rulewright")

    return run


@pytest.fixture
def game(run: Run, tmp_path: Path) -> Path:
    """A small ruleset of its own, which works: `dice` in the current folder."""
    assert run("new", "dice").exit_code == 0
    return tmp_path / "dice"


@pytest.fixture
def log(game: Path, run: Run, tmp_path: Path) -> Path:
    """The log of a match of `dice`."""
    assert run("simulate", "dice", "-n", "1", "--seed", "5", "--log", "match.log").exit_code == 0
    return tmp_path / "match.log"


@pytest.fixture
def nothing_is_kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules lie in the folder of the test, but those of bundled games, which other tests have made."""
    if "name" in request.fixturenames:
        return
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "modules"))
    monkeypatch.setattr(cache, "key_file", lambda: tmp_path / "state" / "module.key")
