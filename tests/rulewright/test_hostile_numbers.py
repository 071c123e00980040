"""Numbers as nobody writes them: other digits, signs in a row, five thousand digits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from dsl.numbers import whole
from validators.trace.constants import NUMERAL as IN_RULES
from validators.trace.examples import NUMERAL as IN_SCENARIOS

Run = Callable[..., Result]
HUGE = "9" * 5000
STRANGE = ("--5", "²", "٣", "５", "1_0", HUGE, f"-{HUGE}", "0x10", "1e400", "nan", "inf", "½", "5 5")
NUMERIC = {
    "goal": ("simulate", "dice", "-n", "1", "--option", "goal={}"),
    "number": ("simulate", "dice", "-n={}"),
    "seats": ("simulate", "dice", "-n", "1", "--seats={}"),
    "seed": ("simulate", "dice", "-n", "1", "--seed={}"),
    "jobs": ("simulate", "dice", "-n", "1", "--jobs={}"),
    "players": ("play", "dice", "--players={}"),
    "kinds": ("play", "dice", "--seats={}"),
    "seed of a match": ("play", "dice", "--seed={}"),
    "step": ("replay", "match.log", "--game", "dice", "--step={}"),
    "depth": ("explore", "dice", "--depth={}"),
    "states": ("explore", "dice", "--states={}"),
    "playouts": ("explore", "dice", "--playouts={}"),
    "seconds": ("explore", "dice", "--seconds={}"),
    "seconds of checks": ("check", "dice", "--seconds={}"),
    "profiled": ("profile", "dice", "-n={}"),
    "sample": ("mutate", "dice", "--sample={}"),
    "score": ("mutate", "dice", "--sample", "1", "--score={}"),
    "traced playouts": ("trace", "dice", "--playouts={}"),
    "judges": ("diff", "dice", "dice", "--jobs={}"),
    "readers": ("rules", "dice", "--seats={}"),
    "drawn": ("graph", "dice", "--seats={}"),
    "drawn with": ("graph", "dice", "--option", "goal={}"),
}


@pytest.mark.parametrize("what", NUMERIC)
def test_strange_numbers_are_wrong_usage(run: Run, log: Path, what: str) -> None:
    for number in STRANGE:
        result = run(*(word.replace("{}", number) for word in NUMERIC[what]))
        assert isinstance(result.exception, SystemExit), (number, result.exception)
        assert result.exit_code == 2, (number, result.output)
        assert "rror" in result.output


def test_the_message_of_a_strange_option(run: Run, game: Path) -> None:
    result = run("simulate", "dice", "--option", "goal=--5")
    assert result.output.startswith("error[D061]: option `goal` cannot be `--5`\n  --> command line:1:35\n")
    assert "help: choose a number of" in result.output


def test_the_message_of_a_strange_number(run: Run, game: Path) -> None:
    result = run("simulate", "dice", "-n", HUGE)
    assert f"'{'9' * 57}...' is not a whole number of at most 80 digits." in result.output
    assert len(result.output) < 500


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("-5", -5), ("12", 12), ("07", None), ("²", None), ("٣", None), ("--5", None)],
)
def test_whole(text: str, number: int | None) -> None:
    assert whole(text) == number


@pytest.mark.parametrize("text", [HUGE, f"-{HUGE}"])
def test_a_number_of_many_digits_is_only_large(text: str) -> None:
    number = whole(text)
    assert number is not None
    assert abs(number) > 1 << 31


def test_numbers_in_texts_are_bounded() -> None:
    """Which numbers a rulebook's sentences name is compared with those of rules and scenarios."""
    for pattern in (IN_RULES, IN_SCENARIOS):
        assert pattern.search("pay 12 money")
        assert not pattern.search(f"pay {HUGE} money")


def test_names_of_five_thousand_digits(run: Run, game: Path) -> None:
    """Values of a type may be numbers by their names; nobody counts with them."""
    path = game / "game.yaml"
    path.write_text(
        path.read_text().replace("title: Dice", f"title: Dice\ntypes: {{code: ['{HUGE}', a{HUGE}]}}")
    )
    for words in (
        ("check", "dice", "--fast"),
        ("mutate", "dice", "--sample", "1"),
        ("trace", "dice", "--playouts", "1"),
    ):
        result = run(*words)
        assert result.exception is None or isinstance(result.exception, SystemExit), words
