"""`rulewright diff`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from dsl.diagnostics import REGISTER
from tests.rulewright.conftest import Run


@pytest.fixture
def old(game: Path) -> Path:
    """The small ruleset as it was: `old`, beside `dice`."""
    copy = game.parent / "old"
    shutil.copytree(game, copy)
    return copy


@pytest.fixture
def logs(run: Run, game: Path) -> Path:
    """Matches of `dice` as it was."""
    folder = game.parent / "logs"
    (folder / "more").mkdir(parents=True)
    for seed, name in enumerate(("a.log", "b.log", "more/c.json")):
        words = ("simulate", "dice", "-n", "1", "--seed", f"{seed}", "--log", f"logs/{name}")
        assert run(*words).exit_code == 0
    (folder / "notes.txt").write_text("no log\n")
    return folder


def edit(folder: Path, file: str, before: str, after: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(("git", "-C", str(folder), *identity, *words), check=True, capture_output=True)


# ---- two versions


def test_nothing_has_changed(run: Run, old: Path) -> None:
    edit(old, "dice.rules", "\n", "\n# a comment\n\n")
    result = run("diff", "old", "dice")
    assert result.output == "Dice: old -> dice\nno change in meaning\n"
    assert result.exit_code == 0


def test_something_has_changed(run: Run, game: Path, old: Path) -> None:
    edit(game, "game.yaml", "title: Dice", "title: More Dice")
    result = run("diff", "old", "dice")
    assert result.output == dedent(
        """\
        More Dice: old -> dice

        the game
          ~ game dice: title: Dice -> More Dice

        1 thing changed
        """
    )
    assert result.exit_code == 1


def test_bundled_games_by_name(run: Run) -> None:
    result = run("diff", "pig", "kalah")
    assert result.exit_code == 1
    assert "name pig -> kalah" in result.output


def test_json(run: Run, game: Path, old: Path, logs: Path) -> None:
    edit(game, "game.yaml", "title: Dice", "title: More Dice")
    result = run("diff", "old", "dice", "--json", "--logs", "logs")
    found = json.loads(result.output)
    assert result.exit_code == 1
    assert not found["same"]
    (change,) = found["changes"]
    assert change["facts"] == [{"what": "title", "old": "Dice", "new": "More Dice", "parts": False}]
    assert found["logs"]["counts"] == {"unaffected": 3, "differs": 0, "diverges": 0, "incomparable": 0}
    assert [one["log"] for one in found["logs"]["verdicts"]] == ["a.log", "b.log", "more/c.json"]


def test_a_page(run: Run, game: Path, old: Path, logs: Path) -> None:
    edit(game, "game.yaml", "title: Dice", "title: <More>")
    assert run("diff", "old", "dice", "--html", "x.html", "--logs", "logs").exit_code == 1
    page = Path("x.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<del>Dice</del> → <ins>&lt;More&gt;</ins>" in page
    assert "3 logs: 3 are unaffected" in page
    assert "<More>" not in page


def test_the_mistakes_of_a_version_are_all_that_is_shown(run: Run, game: Path, old: Path, logs: Path) -> None:
    edit(game, "game.yaml", "seats: ", "seats: many #")
    for words in (("old", "dice"), ("dice", "old", "--json"), ("old", "dice", "--logs", "logs")):
        result = run("diff", *words)
        assert result.exit_code == 2
        assert result.output.startswith("error[D")
        assert "Dice" not in result.output


def test_no_such_game(run: Run, old: Path) -> None:
    result = run("diff", "old", "nowhere")
    assert (result.exit_code, result.output.count("error[")) == (2, 1)


# ---- matches


def test_what_becomes_of_matches(run: Run, game: Path, old: Path, logs: Path) -> None:
    result = run("diff", "old", "dice", "--logs", "logs")
    assert result.exit_code == 0
    assert result.output.endswith("no change in meaning\n\n3 saved matches\n  3 are unaffected\n")


def test_processes_come_to_the_same(run: Run, game: Path, old: Path, logs: Path) -> None:
    for n in range(20):
        shutil.copy(logs / "a.log", logs / f"copy{n}.log")
    edit(game, "dice.rules", "\n", "\n")
    edit(game, "game.yaml", "range: 0..", "range: 0..1")
    one, two = (run("diff", "old", "dice", "--logs", "logs", "--json", "--jobs", jobs) for jobs in ("1", "2"))
    assert one.output == two.output
    assert len(json.loads(one.output)["logs"]["verdicts"]) == 23


def test_one_log_alone(run: Run, old: Path, logs: Path) -> None:
    assert "1 saved match\n  1 is unaffected" in run("diff", "old", "dice", "--logs", "logs/a.log").output


def test_logs_that_cannot_be_compared(run: Run, old: Path, logs: Path) -> None:
    """Each is told with its code, and the others are compared all the same."""
    (logs / "broken.log").write_text("{}", encoding="utf-8")
    (logs / "empty.log").write_text("", encoding="utf-8")
    (logs / "bytes.log").write_bytes(b"\xff\xfe")
    text = (logs / "a.log").read_text(encoding="utf-8")
    (logs / "changed.log").write_text(text.replace('"seed": 0', '"seed": 1'), encoding="utf-8")
    assert run("simulate", "pig", "-n", "1", "--log", "logs/pig.log").exit_code == 0
    found = json.loads(run("diff", "old", "dice", "--logs", "logs", "--json").output)
    codes = {one["log"]: one["mistake"] and one["mistake"]["code"] for one in found["logs"]["verdicts"]}
    assert codes == {
        "a.log": None,
        "b.log": None,
        "broken.log": "R221",
        "bytes.log": "R221",
        "changed.log": "R221",
        "empty.log": "R221",
        "more/c.json": None,
        "pig.log": "T355",
    }
    shown = run("diff", "old", "dice", "--logs", "logs").output
    assert "  5 cannot be compared\n    4: with R221\n" in shown
    assert "pig.log, line 1: this log is of `pig`, not of `dice`" in shown


# ---- revisions


@pytest.fixture
def repository(game: Path) -> Path:
    """A repository with two revisions of `dice`: the first is tagged `first`."""
    git(game.parent, "init", "-q")
    git(game.parent, "add", "dice")
    git(game.parent, "commit", "-qm", "first")
    git(game.parent, "tag", "first")
    edit(game, "game.yaml", "title: Dice", "title: More Dice")
    git(game.parent, "commit", "-qam", "second")
    return game.parent


@pytest.mark.parametrize("revision", ["first", "HEAD~1", "HEAD^"])
def test_a_revision(run: Run, repository: Path, revision: str) -> None:
    result = run("diff", f"dice@{revision}", "dice")
    assert result.output.startswith(f"More Dice: dice@{revision} -> dice\n")
    assert result.exit_code == 1
    assert run("diff", "dice@HEAD", "dice").exit_code == 0


def test_a_folder_that_is_gone(run: Run, repository: Path) -> None:
    shutil.rmtree(repository / "dice")
    assert run("diff", "dice@first", "dice@HEAD").exit_code == 1


def test_a_folder_within_the_repository(run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "dice")
    assert run("diff", ".@first", ".").exit_code == 1


def test_a_folder_with_an_at_sign(run: Run, game: Path, old: Path) -> None:
    old.rename(game.parent / "dice@home")
    assert run("diff", "dice@home", "dice").exit_code == 0


CASES: dict[str, tuple[str, str]] = {
    "T351": (
        "diff elsewhere/dice@HEAD dice",
        """\
        error[T351]: `elsewhere/dice` is not in a git repository
          --> command line:1:17
           |
         1 | rulewright diff elsewhere/dice@HEAD dice
           |                 ^^^^^^^^^^^^^^^^^^^
          help: name a folder within a repository, or one that holds the version
        """,
    ),
    "T352": (
        "diff dice@third dice",
        """\
        error[T352]: unknown revision `third`
          --> command line:1:17
           |
         1 | rulewright diff dice@third dice
           |                 ^^^^^^^^^^
          help: `git log --oneline -- dice` lists the revisions of the folder
        """,
    ),
    "T353": (
        "diff mice@first dice",
        """\
        error[T353]: no ruleset at `mice` in revision `first`
          --> command line:1:17
           |
         1 | rulewright diff mice@first dice
           |                 ^^^^^^^^^^
          help: name the path that it had then
        """,
    ),
    "T354": (
        "diff dice dice --logs dice/labels",
        """\
        error[T354]: no log in `dice/labels`
          --> command line:1:34
           |
         1 | rulewright diff dice dice --logs dice/labels
           |                                  ^^^^^^^^^^^
          help: name a folder with files that `play --log` or `save` has written
        """,
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_golden(code: str, run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repository.parent))
    if code == "T351":
        shutil.move(repository / ".git", repository / "dice" / ".git")
        (repository / "elsewhere").mkdir()
    command, expected = CASES[code]
    result = run(*command.split())
    assert result.output == dedent(expected)
    assert result.exit_code == 2


def test_without_git(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run("diff", "dice@HEAD", "dice")
    assert result.exit_code == 2
    assert result.output.startswith("error[T350]: git cannot read `dice@HEAD`: no such file")


@pytest.mark.parametrize("revision", ["", "-x", "--help", "HEAD:dice", "HEAD^{tree}", "a b", "\u0301"])
def test_what_is_no_revision(run: Run, repository: Path, revision: str) -> None:
    result = run("diff", f"dice@{revision}", "dice")
    assert result.exit_code == 2
    assert result.output.startswith("error[T352]")


def test_a_folder_of_logs_that_is_not_there(run: Run, game: Path) -> None:
    result = run("diff", "dice", "dice", "--logs", "nowhere")
    assert result.exit_code == 2
    assert "nowhere" in result.output


ELSEWHERE = {
    "T350": "test_without_git",
    "T355": "test_logs_that_cannot_be_compared",
    "T356": "tests/diff/test_courses.py",
    "T357": "test_hostile_repositories.py",
}


def test_every_code_is_shown() -> None:
    own = {code for code in REGISTER if "T350" <= code <= "T369"}
    assert own == {*CASES, *ELSEWHERE}


@pytest.mark.parametrize("code", sorted({*CASES, *ELSEWHERE}))
def test_every_code_is_explained(run: Run, code: str) -> None:
    assert len(REGISTER[code].__doc__ or "") > 60
    assert code in run("explain", code).output
