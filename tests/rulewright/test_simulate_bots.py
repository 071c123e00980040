"""`rulewright simulate` with bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.rulewright.test_simulate import break_it

TIMING = ("seconds", "playouts_per_second", "decisions_per_second")


def simulated(run, *words: str) -> dict:
    result = run("simulate", *words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert all(found.pop(key) >= 0 for key in TIMING)  # a short run takes no time that is shown
    return found


def test_bots_play_and_their_shares_are_shown(run) -> None:
    found = simulated(run, "tic_tac_toe", "-n", "8", "--seats", "search:100,random")
    assert found["bots"] == ["search:100", "random"]
    assert found["wins"]["A"] + found["wins"]["B"] + found["won_by_nobody"] == pytest.approx(8)
    assert found["wins"]["A"] >= 7
    assert 5 <= found["decisions"]["min"] <= found["decisions"]["max"] <= 9
    text = run("simulate", "tic_tac_toe", "-n", "2", "--seats", "search:20,random").output
    assert "at the seats in order: search:20, random" in text


def test_each_seed_has_its_match_whatever_plays_it(run) -> None:
    words = ("kuhn_poker", "-n", "4", "--seats", "search:20,random", "--seed", "5")
    whole = simulated(run, *words)
    assert whole == simulated(run, *words, "--jobs", "2")
    assert whole == simulated(run, *words, "--executor", "reference")
    assert whole != simulated(run, *words[:-1], "99")


def test_random_bots_are_random_choices(run) -> None:
    assert simulated(run, "pig", "-n", "5", "--seats", "random,random") == simulated(run, "pig", "-n", "5")


def test_the_last_match_is_kept_as_a_log(run, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    words = ("simulate", "tic_tac_toe", "-n", "2", "--seats", "search:50,search:10", "--log", str(log))
    assert run(*words).exit_code == 0
    result = run("replay", str(log), "--game", "tic_tac_toe")
    assert result.exit_code == 0, result.output
    refused = run(*words[:5], "search:1ms,random", *words[6:])
    assert refused.exit_code == 2
    assert "give bots iterations, not time" in refused.output


def test_seats_that_choose_together_are_searched(run) -> None:
    """A search knows what the others have not chosen yet, and so it can win."""
    found = simulated(run, "goofspiel", "-n", "6", "--seats", "search:200,random")
    assert found["wins"]["A"] >= 4


@pytest.mark.parametrize(
    ("seats", "code", "says"),
    [
        ("serch,random", "R250", "did you mean `search`?"),
        ("human,random", "R250", "people are not asked here"),
        ("search:0,random", "R251", "give 1 or more"),
        ("search:10", "D061", "tic_tac_toe is played by 2, not by 1"),
        ("search:10,random,random", "D061", "played by 2, not by 3"),
        ("search:10,", "R250", "there is no bot ``"),
    ],
)
def test_what_cannot_play_is_refused(run, seats: str, code: str, says: str) -> None:
    result = run("simulate", "tic_tac_toe", "--seats", seats)
    assert result.exit_code == 2
    assert f"error[{code}]" in result.output
    assert says in result.output


def test_a_fault_is_shown_with_the_command_that_repeats_it(run, game: Path) -> None:
    break_it(game)
    result = run("simulate", "dice", "-n", "5", "--option", "goal=40", "--seats", "search:10,random")
    assert result.exit_code == 1, result.output
    assert "error[R201]: `points` would become" in result.output
    assert "to see it again: rulewright simulate dice -n 1 --seats search:10,random --seed" in result.output
