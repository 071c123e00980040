"""`rulewright play`: the language of the labels, and seats that nobody plays."""

from __future__ import annotations

from click.testing import CliRunner, Result

from rulewright.main import main


def run(*words: str) -> Result:
    """The command without a terminal."""
    return CliRunner().invoke(main, ["play", *words])


# ---- languages


def test_labels_of_another_language_are_shown() -> None:
    english = run("roma", "--seats", "random,random", "--seed", "1")
    romanian = run("roma", "--seats", "random,random", "--seed", "1", "--language", "ro-RO")
    assert "sesterți" in romanian.output
    assert "sesterți" not in english.output
    assert romanian.exit_code == english.exit_code == 0


def test_a_language_without_labels_is_refused() -> None:
    result = run("roma", "--language", "hu")
    assert result.exit_code == 2
    assert "error[C430]: no labels in `hu`" in result.stderr
    assert "the languages are `en` and `ro`" in result.stderr


# ---- seats that nobody plays


def test_for_an_absent_seat_the_defaults_are_chosen() -> None:
    result = run("augustus", "--seats", "absent,absent", "--seed", "3")
    assert result.exit_code == 0
    assert "send a legion to" in result.output
    again = run("augustus", "--seats", "absent,absent", "--seed", "3")
    assert again.output == result.output
