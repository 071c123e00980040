"""Followers of records of bundled games, made once for each notation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dsl.source import Source
from rulewright.main import main
from rulewright.records import RecordGame
from validators.records.replaying import Followed

Follow = Callable[[str, str, str], list[Followed]]
Run = Callable[..., Result]


@cache
def game(name: str) -> RecordGame:
    return RecordGame(name, "reference")


@pytest.fixture
def follow() -> Follow:
    """What becomes of the records in a text: of a game, in a notation."""

    def followed(name: str, notation: str, text: str) -> list[Followed]:
        opened = game(name)
        return list(opened.follow(opened.notation(notation), Source(f"a.{notation}", text)))

    return followed


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder; `result.output` is both streams, as on a terminal."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Result:
        return CliRunner().invoke(main, words, prog_name="rulewright")

    return run
