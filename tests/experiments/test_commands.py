"""The commands of experiments: what they say, and what they say when something is wrong."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright.commands import experiment_arguments as arguments
from rulewright.main import main

DUEL = str(Path(__file__).parent / "duel")
FRAGILE = {
    "game.yaml": """\
game: fragile
title: Fragile
seats: 2
rules: [fragile.rules]
longest: 100
components: {die: {die: 1..52}}
counters: {points: {of: seat, range: 0..49}, turns: {range: 0..9}}
flow:
  turn: {seat: rotates, do: [go], then: {over: final, otherwise: turn}}
  final: {score: highest}
""",
    "fragile.rules": """\
procedure go
    choose number from 1..3
    roll die
    gain die.face points
    turns += 1

value over = turns >= 2

score points_made = points of me
""",
}
"""A game whose rules fault when a die shows fifty."""
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


@pytest.fixture
def fragile(tmp_path: Path) -> str:
    folder = tmp_path / "fragile"
    folder.mkdir()
    for name, text in FRAGILE.items():
        (folder / name).write_text(text, encoding="utf-8")
    return "fragile"


# ---- compare


def test_compare(run: Run) -> None:
    result = run("compare", DUEL, "--new", "lead=2", "--margin", "5", "-n", "2000")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[:3] == ["old  Duel", "new  Duel lead=2", "bots random"]
    (share,) = (line for line in lines if line.startswith("share of A"))
    assert share.endswith("higher")
    assert "length" in result.output
    assert lines[-1].endswith("--new lead=2 --bots random --margin 5 -n 2000 --seed 0")


def reworded(folder: Path, into: Path) -> str:
    """A copy of a ruleset that says the same with another comment."""
    shutil.copytree(folder, into)
    with (into / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("# the same game\n")
    return into.name


def test_compare_the_same(run: Run, tmp_path: Path) -> None:
    result = run("compare", DUEL, reworded(Path(DUEL), tmp_path / "copy"), "-n", "300", "--json")
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert found["pairs"] == found["same"] == 256
    assert {m["verdict"] for m in found["measures"]} == {"same", None}


def test_two_versions_with_one_title_are_told_apart(run: Run, tmp_path: Path) -> None:
    result = run("compare", DUEL, reworded(Path(DUEL), tmp_path / "copy"), "-n", "10")
    assert result.output.splitlines()[:2] == [f"old  Duel ({DUEL})", "new  Duel (copy)"]


def test_no_share_changes_by_more_than_all(run: Run) -> None:
    found = json.loads(run("compare", "pig", "--new", "goal=99", "-n", "4", "--json").output)
    shares = [m["difference"] for m in found["measures"] if m["unit"] == "share"]
    assert all(-1 <= s["low"] <= s["estimate"] <= s["high"] <= 1 for s in shares)


def test_equal_sides_are_not_played(run: Run) -> None:
    result = run("compare", DUEL)
    assert result.exit_code == 0
    assert result.output.startswith("both sides have the same rules and the same options")
    assert json.loads(run("compare", DUEL, DUEL, "--json").output)["equal"] is True


def test_a_comparison_with_faults_keeps_the_rest(run: Run, fragile: str, tmp_path: Path) -> None:
    copy = reworded(tmp_path / fragile, tmp_path / "copy")
    result = run("compare", fragile, copy, "--bots", "random", "-n", "1000")
    assert result.exit_code == 1
    assert "warning" not in result.output
    assert result.output.count("error[C495]") == 2  # one on each side, whatever the die has shown
    assert "matches ended in a fault: R201" in result.output or "ended in a fault: R" in result.output
    assert "share of A" in result.output
    assert "to see the first again: `rulewright compare fragile" in result.output


# ---- arena


def test_arena(run: Run) -> None:
    result = run("arena", "--game", "tic_tac_toe", "--bots", "search:40,random", "-n", "70")
    assert result.exit_code == 0
    assert "search:40 against random: search:40 is better" in result.output
    assert result.output.splitlines()[3].startswith("search:40")


def test_arena_for_programs(run: Run) -> None:
    result = run("arena", "--game", DUEL, "--bots", "search:2,random", "-n", "10", "--seats", "3", "--json")
    found = json.loads(result.output)
    assert found["seats"] == 3
    assert found["meetings"][0]["pairs"] == 10
    assert [r["bot"] for r in found["ratings"]] == ["search:2", "random"]


def test_the_leaderboard_of_an_arena(run: Run, tmp_path: Path) -> None:
    words = ("--bots", "random,search:2,search:20", "-n", "10", "--seats", "3")
    result = run("arena", "--game", DUEL, *words, "--html", "page.html")
    assert result.exit_code == 0, result.output
    html = (tmp_path / "page.html").read_text("utf-8")
    printed = [line.split()[0] for line in result.output.splitlines()[3:6]]
    assert re.findall(r'role="rowheader">([^<]+)', html) == printed, "the best first, as it is printed"
    for line in result.output.splitlines()[3:6]:
        _, elo, low, _, high = line.split()
        assert f"{elo} ({low} to {high})" in html
    assert "<td>search:2</td><td>search:20</td><td>10</td>" in html
    assert result.output.splitlines()[-1].removeprefix("again: ") in html


def test_a_leaderboard_that_cannot_be_written_is_said_before_play(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    words = ("--bots", "random,search:2", "-n", "1000000", "--margin", "1", "--html", "page.html")
    result = run("arena", "--game", DUEL, *words)
    assert result.exit_code == 2
    assert "`page.html`" in result.output


def test_a_leaderboard_names_the_faults_that_are_not_counted(run: Run, fragile: str, tmp_path: Path) -> None:
    result = run("arena", "--game", fragile, "--bots", "random,search:1", "-n", "600", "--html", "page.html")
    assert result.exit_code == 1
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "Not counted" in html
    assert re.search(r"<p>R\d+ .*</p><p>seeds \d", html)


# ---- analyse


def test_analyse(run: Run, tmp_path: Path) -> None:
    words = ("-n", "60", "--option", "lead=3", "--double", "2", "--choices", "2")
    result = run("analyse", DUEL, *words, "--into", "page.html")
    assert result.exit_code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(page) < 1_000_000
    for heading in (
        "Who wins",
        "What chance decides alone",
        "Length",
        "When it is decided",
        "What forbidding it changes",
    ):
        assert f"<h3>{heading}</h3>" in page
    assert "What a doubling of the budget brings" in page
    assert "Options and rulings: length" in page
    assert "seeds from 0 on, random; 95 % intervals" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "--option lead=3 --bots random -n 60 --double 2" in page


def test_an_analysis_for_programs(run: Run) -> None:
    words = ("-n", "60", "--double", "2", "--choices", "2", "--into", "page.html", "--json")
    found = json.loads(run("analyse", DUEL, *words).output)
    assert found["matches"] == 60
    shares = found["shares"]
    assert sum(shares[seat]["estimate"] for seat in ("A", "B")) == pytest.approx(1)
    assert all(s["low"] <= s["estimate"] <= s["high"] for s in shares.values())
    assert found["skill"][0]["budgets"] == [2, 4]
    assert {effect["kind"] for effect in found["effects"]} == {"seat", "choice", "reading", "number"}
    assert all(choice["taken"] <= choice["offered"] for choice in found["choices"].values())
    assert found["page"] == "page.html"


def test_an_analysis_of_a_game_for_one(run: Run, tmp_path: Path) -> None:
    result = run("analyse", "twenty_forty_eight", "-n", "10", "--into", "page.html")
    assert result.exit_code == 0, result.output
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Length" in page
    assert "<p>1 seat, random" in page
    for senseless in ("share of A", "decided after", "comebacks", "When it is decided", "Lead changes"):
        assert senseless not in page


def test_an_analysis_that_is_interrupted_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.experiments.analysis.choices_to_try", interrupt)
    result = run("analyse", DUEL, "-n", "20", "--into", "page.html")
    assert result.exit_code == 130
    assert "interrupted during “forbidden choices”: this is what was finished" in result.output


def test_an_analysis_with_faults(run: Run, fragile: str, tmp_path: Path) -> None:
    result = run("analyse", fragile, "-n", "600", "--into", "page.html")
    assert result.exit_code == 1
    assert "error[C495]" in result.output
    assert "ended in a fault and are not counted" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "--into page-faults.html`" in result.output


def test_values_that_come_to_faults_are_told(run: Run, fragile: str, tmp_path: Path) -> None:
    file = tmp_path / fragile / "game.yaml"
    text = file.read_text(encoding="utf-8").replace(
        "turns: {range: 0..9}}", "turns: {range: 0..9}}\nconstants: {most: 2}"
    )
    file.write_text(text.replace("1..52", "1..49"), encoding="utf-8")
    rules = tmp_path / fragile / "fragile.rules"
    changed = rules.read_text(encoding="utf-8").replace(
        "turns += 1", "turns += 1\n    gain 2 * most - 4 points"
    )
    rules.write_text(changed, encoding="utf-8")
    run("analyse", fragile, "-n", "200", "--into", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "ended in a fault, so that this is no finding; p = " in page


# ---- tune


def test_tune(run: Run) -> None:
    result = run("tune", DUEL, "--target", "length in 11..13", "--numbers", "rounds", "-n", "100")
    assert result.exit_code == 0
    assert "`length in 11..13` is reached with rounds 6 for 4" in result.output
    assert "confirmed: 12.0 (" in result.output


def test_the_smallest_of_several_changes(run: Run) -> None:
    words = ("--numbers", "lead=0..3,drum.worth", "-n", "600", "--json")
    result = run("tune", DUEL, "--target", "share of A in 58..72", *words)
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert found["reached"]
    assert found["answer"]["numbers"]["drum.worth"] == 3
    assert 1 <= found["answer"]["numbers"]["lead"] <= 2


def test_what_needs_no_change(run: Run) -> None:
    result = run("tune", DUEL, "--target", "length in 7..9", "--numbers", "rounds", "-n", "100")
    assert "already, nothing needs to change" in result.output


def test_a_target_out_of_reach(run: Run) -> None:
    result = run("tune", DUEL, "--target", "share of A in 90..95", "--numbers", "rounds", "-n", "100")
    assert result.exit_code == 1
    assert "is not reached by any change that was tried; the nearest is" in result.output


def test_long_names_of_changes_keep_the_columns(run: Run) -> None:
    words = ("--numbers", "drum.worth,rounds,lead", "-n", "100")
    lines = run("tune", DUEL, "--target", "share of A in 99..99.5", *words).output.splitlines()
    head = next(number for number, line in enumerate(lines) if "measure   95 %" in line)
    end = lines[head].index("measure") + len("measure")
    rows = lines[head + 1 : lines.index("", head)]
    assert max(map(len, rows)) > 80
    assert all(row[end - 1].isalnum() and row[end : end + 1] in ("", " ") for row in rows)


# ---- what is wrong


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("compare", DUEL, "--bots", "serch:5"), "R250"),
        (("compare", DUEL, "--bots", "random,random,random"), "C491"),
        (("arena", "--game", DUEL, "--bots", "random"), "C491"),
        (("tune", DUEL, "--target", "beauty in 1..2", "--numbers", "lead"), "C492"),
        (("tune", DUEL, "--target", "share of C in 1..2", "--numbers", "lead"), "C492"),
        (("tune", DUEL, "--target", "share of A in 90..80", "--numbers", "lead"), "C492"),
        (("tune", DUEL, "--target", "share of A in 90..800", "--numbers", "lead"), "C492"),
        (("tune", DUEL, "--target", "length in 7..9", "--numbers", "round"), "C493"),
        (("tune", DUEL, "--target", "length in 7..9", "--numbers", "rounds=9..10"), "C493"),
        (("tune", DUEL, "--target", "length in 7..9", "--numbers", "tie"), "C493"),
        (("compare", DUEL, "bridge"), "C496"),
        (("compare", DUEL, "--new", "led=2"), "D061"),
        (("analyse", "no_such_game"), "D062"),
    ],
)
def test_a_mistake_has_a_code(run: Run, words: tuple[str, ...], code: str) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.output.count("error[") == 1
    assert f"error[{code}]" in result.output


@pytest.mark.parametrize(
    ("library", "extra", "words"),
    [
        ("numpy", "arrays", ("compare", DUEL)),
        ("ray", "cluster", ("compare", DUEL, "--cluster", "10.0.0.1:6379")),
    ],
)
def test_a_library_that_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch, library: str, extra: str, words: tuple[str, ...]
) -> None:
    """C490 comes before anything is played."""
    monkeypatch.setattr(arguments, "find_spec", lambda name: None if name == library else object())
    result = run(*words)
    assert result.exit_code == 2
    assert f"error[C490]: the library `{library}` is not installed" in result.output
    assert f'pip install "rulewright[{extra}]"' in result.output


@pytest.mark.long
def test_no_cluster(run: Run) -> None:
    pytest.importorskip("ray")
    result = run("compare", DUEL, "--new", "lead=2", "--cluster", "127.0.0.1:1")
    assert result.exit_code == 2
    assert "error[C494]" in result.output
