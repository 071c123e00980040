"""`rulewright check`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.library import bundled
from tests.games import EACH_TIME, sample


def spoil(game: Path, old: str, new: str, file: str = "dice.rules") -> None:
    text = (game / file).read_text()
    assert old in text
    (game / file).write_text(text.replace(old, new))


ALLOWED = "dice/game.yaml:37:9: allowed: `throwing` can repeat for ever"


@pytest.mark.parametrize("games", sample([EACH_TIME, bundled()], [EACH_TIME]), ids=len)
def test_all_bundled_games_are_sound(run, games: Sequence[str]) -> None:
    result = run("check", "--strict", "--fast", "--seconds", "60", *games)
    assert result.exit_code == 0
    assert re.fullmatch(rf"checked {', '.join(games)}: no mistakes, \d+ findings allowed\n", result.output)


def test_a_new_game_has_only_what_it_allows(run, game: Path) -> None:
    result = run("check", "--strict", "dice")
    assert result.exit_code == 0
    assert result.output == "checked dice: no mistakes, 2 findings allowed\n"


def test_errors_fail(run, game: Path) -> None:
    spoil(game, "gain pot points", "gain pot pionts")
    result = run("check", "dice")
    assert result.exit_code == 1
    assert "dice/dice.rules:20:14" in result.output
    assert "did you mean `points`" in result.output
    assert result.output.endswith("\nchecked dice: 1 error\n")


def test_warnings_fail_only_if_strict(run, game: Path) -> None:
    spoil(game, "value reached", "value never_used = 3\n\nvalue reached")
    lenient, strict = run("check", "dice"), run("check", "dice", "--strict")
    assert (lenient.exit_code, strict.exit_code) == (0, 1)
    assert lenient.output == strict.output
    assert "warning[" in lenient.output
    assert lenient.output.endswith("\nchecked dice: 1 warning, 2 findings allowed\n")


def test_findings_are_shown_like_mistakes(run, game: Path) -> None:
    spoil(game, "then: {reached: final, otherwise: turn}", "then: turn", "game.yaml")
    result = run("check", "dice", "--format", "line", "--fast")
    assert result.exit_code == 1
    assert "error: from `turn` on, the game cannot end [V303]" in result.stdout
    assert "no finding V304 about `throwing` to allow [V300]" in result.stdout


def test_fast_does_not_play(run, game: Path) -> None:
    spoil(game, "range: 0..99, lasts: turn", "range: 0..9, lasts: turn", "game.yaml")
    fast, whole = run("check", "dice", "--fast"), run("check", "dice")
    assert (fast.exit_code, whole.exit_code) == (0, 1)
    assert "error[V331]: `pot` may become" in whole.output


def test_what_there_was_no_time_for_is_said(run, game: Path) -> None:
    result = run("check", "dice", "--seconds", "0")
    assert result.exit_code == 1
    assert "dice: no time left for V301, V302, " in result.output
    assert result.output.endswith(
        "; give more `--seconds`\nchecked dice: nothing found, and not all was checked\n"
    )


def test_a_fault_before_the_first_decision_is_found_however_late_it_is(run, game: Path) -> None:
    spoil(game, "    roll die\n", "    pot = 9 div pot\n    roll die\n")
    result = run("check", "dice", "--seconds", "0")
    assert result.exit_code == 1
    assert "error[V308]: a match stops with R2" in result.output
    assert "V308," not in result.output


def test_an_option_whose_end_does_not_compile_is_found_without_playing(run, game: Path) -> None:
    """The largest value of an option is tried, too, even if there is no time for anything else."""
    spoil(game, "clauses:", "types: {mark: 1..most}\nclauses:", "game.yaml")
    spoil(game, "options:\n", "options:\n  most: {range: 1..9000, default: 9}\n", "game.yaml")
    result = run("check", "dice", "--fast", "--seconds", "0")
    assert result.exit_code == 1
    assert "error[V347]: the game does not compile with `most` as `9000`" in result.output


def test_what_is_allowed_is_shown_with_its_reason(run, game: Path) -> None:
    result = run("check", "dice", "--fast", "--allowed")
    assert result.output.startswith(ALLOWED)
    assert "each throw brings points or is the last of its turn" in result.output
    assert result.output.endswith("\nchecked dice: no mistakes, 2 findings allowed\n")


def test_lines_are_for_editors(run, game: Path) -> None:
    spoil(game, "gain pot points", "gain pot pionts")
    result = run("check", "dice", "--format", "line")
    assert result.stdout.count("\n") == 1
    assert result.stdout.startswith("dice/dice.rules:20:14: error: ")
    assert result.stderr == "checked dice: 1 error\n"


def test_json_is_one_list_for_all_games(run, game: Path) -> None:
    spoil(game, "gain pot points", "gain pot pionts")
    result = run("check", "dice", bundled()[-1], "--format", "json", "--fast")
    (found,) = json.loads(result.stdout)
    assert (found["code"], found["file"], found["line"]) == ("D030", "dice/dice.rules", 20)
    assert result.stderr == ""
    assert json.loads(run("check", bundled()[0], "--format", "json", "--fast").stdout) == []


def test_json_shows_the_way(run) -> None:
    case = Path(__file__).parent.parent / "diagnostics" / "check" / "V304-turns-without-progress"
    (found,) = json.loads(run("check", str(case), "--fast", "--format", "json").stdout)
    assert (found["code"], found["label"]) == ("V304", "one round of the cycle")
    assert [step["label"] for step in found["way"]] == [
        "phase `turn` begins",
        "`wait` is chosen",
        "the condition does not hold",
    ]
    assert {(step["line"], step["column"]) for step in found["way"]} == {(7, 3), (7, 30)}


def test_mistakes_of_the_compiler_are_found_once_for_all_seats(run, game: Path) -> None:
    path = game / "dice.rules"
    text, count = re.subn(
        r"(procedure throw_die .*\n)", r"\1    if pot > 80\n        throw_die\n", path.read_text()
    )
    assert count == 1
    path.write_text(text)
    result = run("check", "dice")
    assert result.exit_code == 1
    assert result.output.count("error[") == 1


@pytest.mark.parametrize("name", [".", "game.yaml"])
def test_where_one_stands(run, game: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(game)
    assert run("check", name).exit_code == 0


def test_an_empty_folder_is_no_ruleset(run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("check", "empty")
    assert result.exit_code == 1
    assert "name a folder with a `game.yaml`" in result.output


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"", b"\0", b"- 1", b"game: dice\ngame: dice"])
def test_a_game_file_that_is_none(run, game: Path, data: bytes) -> None:
    (game / "game.yaml").write_bytes(data)
    result = run("check", "dice")
    assert result.exit_code == 1
    assert "error[D0" in result.output


SENDING = {
    "game.yaml": """\
game: sending
seats: 2
rules: [sending.rules]
components: {figure: {of: seat, count: 5}}
zones:
  home: {holds: figure, of: seat, seen_by: all, start: all}
  field: {holds: figure, seen_by: all}
flow:
  turn:
    seat: {where: home of seat is not empty}
    do: [{do one of: [send]}]
    then: {home is not empty: turn, otherwise: final}
  final: {score: highest}
""",
    "sending.rules": "action send\n    move 1 from home of me to field\n\nscore left = size(home of me)\n",
}


@pytest.mark.parametrize("number", ["1", "up to 1"])
@pytest.mark.parametrize(("does", "found"), [("send", []), ("send, wait", ["V304"])])
def test_a_zone_from_which_pieces_are_moved_runs_out(
    run, tmp_path: Path, number: str, does: str, found: list[str]
) -> None:
    for name, text in SENDING.items():
        (tmp_path / name).write_text(text.replace("move 1", f"move {number}").replace("[send]", f"[{does}]"))
    with (tmp_path / "sending.rules").open("a") as file:
        file.write("\naction wait\n    needs home of me is not empty\n" if "wait" in does else "")
    findings = json.loads(run("check", str(tmp_path), "--format", "json", "--fast").stdout)
    assert [finding["code"] for finding in findings] == found
