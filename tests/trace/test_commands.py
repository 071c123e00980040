"""`rulewright trace` and `rulewright locate`, as a user gives them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright.main import main

HERE = Path(__file__).parent
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder that holds the game `apples` and its texts."""
    shutil.copytree(HERE / "clean", tmp_path / "apples")
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


TEXTS = ("--text", "en=apples/en.txt", "--text", "hu=apples/hu.txt", "--playouts", "20")


def test_trace(run: Run) -> None:
    result = run("trace", "apples", *TEXTS)
    assert result.exit_code == 0, result.output
    assert (
        "§2.2  rule        Picking: apples.rules:1 apples.rules:2 apples.rules:3, 20 of 20 playouts"
        in result.output
    )
    assert "4 rules: 4 rendered, 4 executed, 4 asserted" in result.output
    assert "text hu: 7 of 7 sentences claimed" in result.output


def test_trace_says_what_is_missing(run: Run) -> None:
    scenarios = Path("apples/scenarios/picking.yaml")
    scenarios.write_text(scenarios.read_text().replace("[§3.1]", "[]"))
    result = run("trace", "apples", "--playouts", "20")
    assert result.exit_code == 1
    assert "warning[T309]: no scenario asserts clause `§3.1`" in result.output


def test_trace_without_a_rulebook(run: Run) -> None:
    game = Path("apples/game.yaml")
    game.write_text(game.read_text().replace("clauses: rulebook.yaml\n", ""))
    result = run("trace", "apples", "--playouts", "0")
    assert "nothing to trace: `clauses` of `game.yaml` names no rulebook file" in result.output


def test_trace_as_json(run: Run) -> None:
    result = run("trace", "apples", *TEXTS, "--json")
    found = json.loads(result.output)
    clause = next(c for c in found["clauses"] if c["clause"] == "§3.1")
    assert clause["asserted by"] == ["The last apple wins"]
    assert clause["playouts"] == 20
    assert clause["sentences"] == {"en": [7], "hu": [7]}
    assert [text["unclaimed"] for text in found["texts"]] == [[], []]
    assert found["findings"] == []


def test_trace_of_one_clause(run: Run) -> None:
    result = run("trace", "apples", *TEXTS, "--clause", "§3.1")
    assert "en 7: Whoever picks the very last apple has won." in result.output
    assert "asserted by: The last apple wins (apples/scenarios/picking.yaml:13:13)" in result.output
    assert "§2.2" not in result.output


def test_trace_without_playouts(run: Run) -> None:
    result = run("trace", "apples", "--playouts", "0")
    assert result.exit_code == 0, result.output
    assert "0 of no playouts" in result.output


def test_page(run: Run) -> None:
    assert run("trace", "apples", *TEXTS, "--html", "page.html").exit_code == 0
    page = Path("page.html").read_text()
    assert "everything is accounted for" in page
    assert page.count('<div class="row holds"') == 5
    assert "egy, két vagy három almát" in page
    assert "src=" not in page


def test_page_of_what_lacks(run: Run) -> None:
    scenarios = Path("apples/scenarios/picking.yaml")
    scenarios.write_text(scenarios.read_text().replace("[§3.1]", "[]"))
    run("trace", "apples", "--playouts", "20", "--html", "page.html")
    assert Path("page.html").read_text().count('<div class="row lacks"') == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("trace", "apples", "--text", "apples/en.txt"), "T314", "2 texts of `apples` could be meant"),
        (("trace", "apples", "--text", "en=nowhere.txt"), "D001", "cannot be read"),
        (("trace", "apples", "--text", "apples/en.bin"), "D001", "cannot be read"),
        (("trace", "apples", "--clause", "§3.2"), "D014", "§3.2"),
        (("trace", "pears"), "D001", "pears"),
        (("trace", "apples", "--html", "no/where.html", "--playouts", "0"), "C401", "cannot be written"),
        (("locate", "apples/en.txt", "--language", "English"), "T315", "`English` is not a language code"),
        (
            ("locate", "apples/en.txt", "--language", "en", "--for", "apples", "--text", "ro"),
            "T314",
            "no text `ro`",
        ),
        (
            ("locate", "apples/en.txt", "--language", "ro", "--for", "apples"),
            "T314",
            "no text in the language",
        ),
        (("locate", "apples", "--language", "en"), "D001", "cannot be read"),
    ],
)
def test_bad_input(run: Run, words: tuple[str, ...], code: str, said: str) -> None:
    result = run(*words)
    assert result.exit_code in (1, 2)
    assert said in result.output
    assert result.output.count("error[") == 1
    assert f"error[{code}]" in result.output or code.startswith("D")


def test_unclaimed_needs_a_game(run: Run) -> None:
    assert run("locate", "apples/en.txt", "--language", "en", "--unclaimed").exit_code == 2


def test_no_text_at_all(run: Run) -> None:
    game = Path("apples/game.yaml")
    game.write_text(game.read_text().replace("clauses: rulebook.yaml\n", ""))
    result = run("trace", "apples", "--text", "apples/en.txt")
    assert "error[T314]: the rulebook file of `apples` has no `texts`" in result.output


def test_another_encoding(run: Run) -> None:
    Path("latin.txt").write_bytes("Két alma.".encode("latin-1"))
    result = run("locate", "latin.txt", "--language", "hu")
    assert "error[D002]" in result.output


# ---- locate


def test_locate(run: Run) -> None:
    result = run("locate", "apples/hu.txt", "--language", "hu")
    assert result.exit_code == 0
    assert "   6  980012a0-6058f133  line 9    Ha te jössz" in result.output
    assert "7 sentences" in result.output


def test_locate_for_a_game(run: Run) -> None:
    result = run("locate", "apples/hu.txt", "--language", "hu", "--for", "apples")
    assert "§3.1  Aki a legutolsó almát" in result.output
    assert "7 sentences, all claimed by a clause" in result.output


def test_locate_what_is_left(run: Run) -> None:
    text = Path("apples/hu.txt")
    text.write_text(f"Új kiadás.\n\n{text.read_text()}")
    result = run("locate", "apples/hu.txt", "--language", "hu", "--for", "apples", "--unclaimed")
    assert "Új kiadás." in result.output
    assert "almát" not in result.output


def test_locate_another_edition(run: Run) -> None:
    """What goes into the rulebook file: the new fingerprints, and the places that have moved."""
    text = Path("apples/hu.txt")
    text.write_text(f"Új kiadás.\n\n{text.read_text()}")
    result = run("locate", "apples/hu.txt", "--language", "hu", "--for", "apples", "--yaml")
    assert "    language: hu\n    fingerprints: >-\n" in result.output
    assert "  §0.1: at: {hu: [2..3]}" in result.output
    assert "  §3.1: at: {hu: [8]}" in result.output


def test_locate_as_json(run: Run) -> None:
    found = json.loads(run("locate", "apples/en.txt", "--language", "en", "--for", "apples", "--json").stdout)
    assert found[2] == {
        "number": 3,
        "place": "apples/en.txt:5:1",
        "fingerprint": "3631013e-0063611b",
        "text": "- 12 apples",
        "clauses": ["§1.1"],
    }
