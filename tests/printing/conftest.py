"""Printed games, and what can be read in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from rulewright.main import main

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


@pytest.fixture
def game(run: Run, tmp_path: Path) -> Path:
    """A small ruleset of its own, which works: `dice` in the current folder."""
    assert run("new", "dice").exit_code == 0
    return tmp_path / "dice"


def texts(path: Path) -> list[str]:
    """The text of each page of a PDF file."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_bounded() for page in document]
