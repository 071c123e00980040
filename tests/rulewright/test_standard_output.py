"""`-` as the name of a file to write: standard output, or refused; never a file of that name."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result

from rulewright.main import main


def asked(*words: str) -> Result:
    """The result of a command in an empty folder, which must be empty afterwards."""
    with TemporaryDirectory() as folder, chdir(folder):
        result = CliRunner().invoke(main, words)
        assert not list(Path().iterdir())
    return result


def test_a_page_goes_to_standard_output() -> None:
    result = asked("export", "nim", "--into", "-")
    assert result.exit_code == 0
    assert "<!doctype html>" in result.stdout_bytes.decode("utf-16")
    assert result.stderr.startswith("standard output holds the game: ")


def test_a_printed_game_goes_to_standard_output() -> None:
    pytest.importorskip("fpdf")
    result = asked("print", "nim", "--into", "-", "--only", "rulebook")
    assert result.exit_code == 0
    assert result.stdout_bytes.startswith(b"%PDF-")
    assert result.stderr.startswith("standard output holds ")


@pytest.mark.parametrize("words", [("rules", "nim"), ("grammar",)])
def test_texts_go_to_standard_output(words: tuple[str, ...]) -> None:
    result = asked(*words, "--into", "-")
    assert (result.exit_code, result.stdout) == (0, asked(*words).stdout)


@pytest.mark.parametrize(
    "words",
    [
        *(("analyse", "nim", "--into"), ("dataset", "nim", "--into"), ("schema", "game", "--into")),
        *(("new", "my_game", "--into"), ("check", "nim", "--html"), ("trace", "nim", "--html")),
        *(("diff", "nim", "nim", "--html"), ("simulate", "nim", "--log"), ("explore", "nim", "--log")),
        *(("play", "nim", "--log"), ("play", "nim", "--resume")),
    ],
)
def test_what_cannot_go_there_is_refused(words: tuple[str, ...]) -> None:
    result = asked(*words, "-")
    assert result.exit_code == 2
    assert "`-` is standard output, and this cannot go there: name it" in result.stderr
