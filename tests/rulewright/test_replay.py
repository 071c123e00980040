"""`rulewright replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.library import bundled


def lines_of(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines(keepends=True)


def test_the_whole_course(run, log: Path) -> None:
    result = run("replay", "match.log", "--game", "dice")
    assert result.exit_code == 0
    assert result.output.startswith("Dice (2 seats, seed 5)\n\n    1  Turn of A — die: ")
    assert "A: throw the die" in result.output
    assert "won by " in result.output
    assert "points: " in result.output


@pytest.mark.parametrize("name", bundled())
def test_bundled_games_are_found_by_their_name(run, name: str) -> None:
    words = ("simulate", name, "-n", "1", "--seed", "2", "--executor", "reference")
    assert run(*words, "--log", "x.log").exit_code == 0
    assert "won by " in run("replay", "x.log").output


def test_a_step_in_the_middle(run, log: Path) -> None:
    result = run("replay", "match.log", "--game", "dice", "--step", "1")
    assert result.exit_code == 0
    assert "position after step 1:\n  phase turn, turn of A\n" in result.output
    assert result.output.endswith("\nthe match is not over\n  A has to choose: throw, pass\n")


def test_the_start(run, log: Path) -> None:
    found = json.loads(run("replay", "match.log", "--game", "dice", "--step", "0", "--json").output)
    assert found["position"]["zones"]
    assert len(found["steps"]) == 1  # the throw that comes before the first decision


def test_json(run, log: Path) -> None:
    found = json.loads(run("replay", "match.log", "--game", "dice", "--json").output)
    assert (found["game"], found["seats"], found["seed"], found["over"]) == ("dice", 2, 5, True)
    assert found["verified"]
    assert [step["step"] for step in found["steps"]] == list(range(1, len(found["steps"]) + 1))
    assert all(step["hash"] for step in found["steps"])
    assert set(found["winners"]) <= {account["seat"] for account in found["accounts"]}


@pytest.mark.parametrize("name", bundled())
def test_a_seat_is_told_no_more_than_it_may_know(run, tmp_path: Path, name: str) -> None:
    """Without the referee's words and hashes: neither a hash nor a choice of others stands there."""
    words = ("simulate", name, "-n", "1", "--seats", "2", "--executor", "reference")
    assert run(*words, "--log", "x.log").exit_code == 0
    found = json.loads(run("replay", "x.log", "--seat", "b", "--step", "1", "--json").output)
    assert all({"text", "hash"}.isdisjoint(step) for step in found["steps"])
    assert all("choices" not in waiting for waiting in found["waiting"] if waiting["seat"] != "B")
    assert found["position"]["seat"] == "B"


def test_standard_input(run, log: Path) -> None:
    assert "won by" in run("replay", "-", "--game", "dice", stdin=log.read_bytes()).output


def test_windows_line_ends(run, log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b"\n", b"\r\n"))
    assert run("replay", "match.log", "--game", "dice").exit_code == 0


def test_a_cut_log_is_a_match_that_is_not_over(run, log: Path) -> None:
    log.write_text("".join(lines_of(log)[:4]), encoding="utf-8")
    assert "the match is not over" in run("replay", "match.log", "--game", "dice").output


def test_a_changed_log_is_refused_where_it_was_changed(run, log: Path) -> None:
    lines = lines_of(log)
    assert '"hash": "' in lines[3]
    lines[3] = lines[3].replace('"hash": "', '"hash": "0')
    log.write_text("".join(lines), encoding="utf-8")
    result = run("replay", "match.log", "--game", "dice")
    assert result.exit_code == 1
    assert result.output.count("error[") == 1
    assert "match.log:4:1" in result.output


def test_other_rules_are_refused_unless_unverified(run, log: Path, game: Path) -> None:
    rules = game / "dice.rules"
    rules.write_text("# another comment\n" + rules.read_text())
    refused = run("replay", "match.log", "--game", "dice")
    assert refused.exit_code == 1
    assert "error[R222]" in refused.output
    assert run("replay", "match.log", "--game", "dice", "--no-verify").exit_code == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"\xff\xfe",
        b"\0\1\2",
        b"hello",
        b"[1]",
        b"{}",
        b'{"rulewright": 1}',
        b"[" * 5000,
        b"null",
    ],
)
@pytest.mark.parametrize("verify", ["--verify", "--no-verify"])
def test_what_is_no_log(run, tmp_path: Path, data: bytes, verify: str) -> None:
    (tmp_path / "x.log").write_bytes(data)
    result = run("replay", "x.log", verify)
    assert result.exit_code == 1
    assert result.output.count("error[R221]") == 1


@pytest.mark.parametrize(
    ("old", "new"), [('"seats": 2', '"seats": 9'), ('"options": {}', '"options": {"gaol": "1"}')]
)
def test_a_set_up_that_does_not_exist(run, log: Path, old: str, new: str) -> None:
    log.write_text(log.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = run("replay", "match.log", "--game", "dice", "--no-verify")
    assert result.exit_code == 1
    assert "match.log:1:1" in result.output


# ---- beliefs


@pytest.fixture
def poker(run) -> str:
    words = ("simulate", "leduc_poker", "-n", "1", "--seed", "5", "--executor", "reference")
    assert run(*words, "--log", "poker.log").exit_code == 0
    return "poker.log"


def test_what_a_seat_may_believe(run, poker: str) -> None:
    found = run("replay", poker, "--beliefs", "a", "--step", "5").output
    told = run("replay", poker, "--seat", "A", "--step", "5").output
    assert found.startswith(told)
    assert found.removeprefix(told).splitlines()[1:] == [
        "what A may believe (exact: all 2 worlds that fit; "
        "others choose uniformly among what they are offered):",
        "  deck:",
        "    jack   100.0%",
        "    queen  100.0%",
        "  hand of B:",
        "    jack   50.0%",
        "    queen  50.0%",
    ]


def test_beliefs_as_json(run, poker: str) -> None:
    found = json.loads(run("replay", poker, "--beliefs", "spectator", "--step", "4", "--json").output)
    assert found["beliefs"]["seat"] == "a spectator"
    assert found["beliefs"]["exactness"]["kind"] == "exact"
    assert found["beliefs"]["hidden"]["hand of A"]["king"]["chance"] == pytest.approx(0.2)


def test_beliefs_are_told_to_their_own_seat(run, poker: str) -> None:
    result = run("replay", poker, "--beliefs", "B", "--seat", "A")
    assert result.exit_code == 2
    assert "leave out --seat" in result.output
    assert "unknown seat `Z`" in run("replay", poker, "--beliefs", "Z").output


def test_beliefs_by_a_model_of_the_others(run, poker: str) -> None:
    """Whoever has the better card bets oftener: what B did says something of its hand."""
    words = ("replay", poker, "--beliefs", "A", "--step", "5", "--model")
    assert "others choose uniformly" in run(*words, "uniform").output
    found = run(*words, "search:30").output
    assert "others are taken to choose by a search of 30 iterations, and 25% of the time uniformly" in found
    unknown = run(*words, "serch:30")
    assert unknown.exit_code == 2
    assert "there is no model `serch:30`" in unknown.output
    assert "did you mean `search`?" in unknown.output
    alone = run("replay", poker, "--model", "search:30")
    assert alone.exit_code == 2
    assert "add --beliefs SEAT" in alone.output


def test_where_nothing_is_hidden(run, log: Path) -> None:
    result = run("replay", "match.log", "--game", "dice", "--beliefs", "A", "--step", "1")
    assert result.output.endswith("  nothing is hidden\n")
