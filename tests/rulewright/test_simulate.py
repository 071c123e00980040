"""`rulewright simulate`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from interpreter.match import Match
from rulewright.commands.playout_tally import Tally
from rulewright.commands.simulate import play_out, run_playouts
from rulewright.library import bundled, open_game

pytestmark = pytest.mark.usefixtures("nothing_is_kept")


@pytest.mark.parametrize("name", bundled())
def test_bundled_games_play_to_the_end_with_all_checks(run, name: str) -> None:
    result = run("simulate", name, "-n", "3", "--checked")
    assert result.exit_code == 0, result.output
    assert "3 playouts" in result.output


def test_the_same_seed_gives_the_same_numbers(run, game: Path) -> None:
    one, two = (json.loads(run("simulate", "dice", "-n", "20", "--json").output) for _ in range(2))
    other = json.loads(run("simulate", "dice", "-n", "20", "--seed", "1000", "--json").output)
    timing = ("seconds", "playouts_per_second", "decisions_per_second")
    for found in (one, two, other):
        assert all(found.pop(key) >= 0 for key in timing)
    assert one == two
    assert one["scores"] != other["scores"]


def test_playouts_have_seeds_of_their_own(run, game: Path) -> None:
    """Playout i of seed s is the first playout of seed s + i."""
    whole, _ = run_playouts(open_game("dice"), 5, 7, checked=False)
    parts = [run_playouts(open_game("dice"), 1, 7 + i, checked=False)[0] for i in range(5)]
    assert whole.decisions == [n for part in parts for n in part.decisions]
    assert whole.scores["A"] == [n for part in parts for n in part.scores["A"]]


def test_json(run, game: Path) -> None:
    found = json.loads(run("simulate", "dice", "-n", "10", "--seats", "3", "--json").output)
    assert (found["game"], found["seats"], found["playouts"], found["fault"]) == ("dice", 3, 10, None)
    assert sum(found["wins"].values()) == pytest.approx(10)
    assert set(found["scores"]) == {"A", "B", "C"}
    assert found["decisions"]["min"] <= found["decisions"]["median"] <= found["decisions"]["max"]
    assert 1 <= found["choices"]["mean"] <= found["choices"]["max"]


def test_options_change_the_game(run, game: Path) -> None:
    short, long = (
        json.loads(run("simulate", "dice", "-n", "30", "--option", f"goal={goal}", "--json").output)
        for goal in (10, 60)
    )
    assert short["decisions"]["mean"] < long["decisions"]["mean"]


def test_shared_wins_are_split(run, game: Path) -> None:
    match = Match(open_game("dice", 2), 0)
    play_out(match)
    tally = Tally()
    match.winners = lambda: ["A", "B"]  # type: ignore[method-assign]
    tally.add(match)
    assert tally.wins == {"A": 0.5, "B": 0.5}
    match.winners = list  # type: ignore[method-assign, assignment]
    tally.add(match)
    assert tally.won_by_nobody == 1
    assert sum(tally.wins.values()) == 1


def break_it(game: Path) -> None:
    """The points of a seat no longer have room for what is banked."""
    file = game / "game.yaml"
    file.write_text(
        file.read_text().replace("points: {of: seat, range: 0..99", "points: {of: seat, range: 0..20")
    )


def test_a_fault_is_told_with_what_shows_it_again(run, game: Path) -> None:
    break_it(game)
    result = run("simulate", "dice", "-n", "50", "--seed", "3", "--option", "goal=40")
    assert result.exit_code == 1
    assert "error[R201]: `points` would become" in result.stderr
    assert "in playout 1 (seed 3), after " in result.stderr
    again = result.stderr.splitlines()[-1].removeprefix("  to see it again: ")
    words = shlex.split(again)
    assert words[0] == "rulewright"
    assert run(*words[1:]).exit_code == 1


@pytest.mark.parametrize("executor", ["wasm", "reference"])
def test_other_playouts_keep_their_results(run, game: Path, executor: str) -> None:
    """Those in which `points` leaves its range are left out, and named by their seeds."""
    break_it(game)
    words = ("simulate", "dice", "-n", "40", "--option", "goal=20", "--executor", executor)
    found = json.loads(run(*words, "--json").stdout)
    assert 1 < len(found["failed"]) < 40
    assert found["playouts"] == 40 - len(found["failed"])
    assert found["fault"]["seed"] == found["failed"][0]
    told = run(*words).stderr
    assert f"{len(found['failed'])} playouts ended in a fault and are not counted, seeds " in told
    for seed in found["failed"][:3]:
        assert run("simulate", "dice", "-n", "1", "--seed", str(seed), "--option", "goal=20").exit_code == 1


def test_a_fault_for_programs(run, game: Path) -> None:
    break_it(game)
    result = run("simulate", "dice", "-n", "50", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert found["fault"]["code"] == "R201"
    assert found["fault"]["seed"] == found["playouts"] == found["fault"]["playout"] - 1


def test_a_broken_promise_is_found_only_when_checked(run, game: Path) -> None:
    file = game / "dice.rules"
    file.write_text(file.read_text() + "\nalways pot < 6\n")
    assert run("simulate", "dice", "-n", "20").exit_code == 0
    result = run("simulate", "dice", "-n", "20", "--checked")
    assert result.exit_code == 1
    assert "error[R211]" in result.output
    assert "--checked" in result.output


def test_a_log_that_cannot_be_written_is_refused_before_play(run, game: Path) -> None:
    for path in ("missing/x.log", "."):
        result = run("simulate", "dice", "-n", "5", "--log", path)
        assert result.exit_code == 2
        assert "error[C401]" in result.output
        assert "playouts" not in result.output


def test_the_log_of_a_fault_ends_before_it(run, game: Path) -> None:
    break_it(game)
    assert run("simulate", "dice", "-n", "50", "--log", "bad.log").exit_code == 1
    result = run("replay", "bad.log", "--game", "dice")
    assert result.exit_code == 0
    assert "the match is not over" in result.output
