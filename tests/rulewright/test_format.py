"""`rulewright format`, and `rulewright lsp` without its library."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

LOOSE = "action pass_on   (n : 1..3)  §1.1\n  pay n  gold\n\n\n\nscore gold=gold of me # what is left\n"
TIGHT = (
    "action pass_on (n: 1..3)                                             §1.1\n"
    "    pay n gold\n\n"
    "score gold = gold of me  # what is left\n"
)


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    (tmp_path / "loose.rules").write_text(LOOSE, "utf-8")
    return tmp_path / "loose.rules"


def test_a_file_is_rewritten_once(run, loose: Path) -> None:
    assert run("format", str(loose)).output == f"formatted: {loose}\n"
    assert loose.read_text("utf-8") == TIGHT
    assert run("format", str(loose)).output == ""


def test_no_name_is_not_the_folder_one_is_in(run, loose: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(loose.parent)
    result = run("format", "")
    assert result.exit_code == 2
    assert "unknown game or ruleset ``" in result.stderr
    assert loose.read_text("utf-8") == LOOSE


def test_check_changes_nothing_and_says_where(run, loose: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(loose.parent)
    result = run("format", "--check", "loose.rules")
    assert result.exit_code == 1
    assert result.output == dedent(
        """\
        error[C511]: `loose.rules` is not formatted
          --> loose.rules:1:1
           |
         1 | action pass_on   (n : 1..3)  §1.1
           | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the first line that would change
          help: run `rulewright format` on it
        """
    )
    assert loose.read_text("utf-8") == LOOSE


def test_what_does_not_parse_is_left_alone_and_told(run, loose: Path) -> None:
    broken = "value twice = = 2\n"
    loose.write_text(LOOSE + "\n" + broken, "utf-8")
    result = run("format", str(loose))
    assert result.exit_code == 0
    assert f"left alone: {loose}:8: `=` assigns, but a comparison is expected [D023]" in result.stderr
    assert loose.read_text("utf-8") == TIGHT + "\n" + broken


def test_a_folder_and_a_game_are_places(run, loose: Path) -> None:
    assert run("format", "--check", str(loose.parent)).exit_code == 1
    assert run("format", "--check", "roma").exit_code == 0


def test_what_cannot_be_read_does_not_hide_the_others(run, loose: Path) -> None:
    (loose.parent / "game.yaml").write_text("game: dice\n", "utf-8")
    (loose.parent / "a.rules").write_bytes(b"\xff")
    result = run("format", "--check", str(loose.parent))
    assert result.exit_code == 1
    assert "D002" in result.output
    assert "C511" in result.output


def test_links_lead_out_of_no_folder(run, loose: Path) -> None:
    game = loose.parent / "dice"
    game.mkdir()
    (game / "game.yaml").write_text("game: dice\n", "utf-8")
    (game / "link.rules").symlink_to(loose)
    assert run("format", str(game)).exit_code == 0
    assert loose.read_text("utf-8") == LOOSE


def test_a_link_to_itself_is_told(run, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: dice\n", "utf-8")
    (tmp_path / "loop.rules").symlink_to("loop.rules")
    result = run("format", "--check", str(tmp_path))
    assert result.exit_code == 1
    assert "loop.rules` cannot be read" in result.output


def test_the_server_needs_its_library(run, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("rulewright.commands.lsp")
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    result = run("lsp")
    assert result.exit_code == 2
    assert 'install it with `pip install "rulewright[lsp]"`' in result.output
    assert "C510" in result.output


def test_yaml_is_rewritten_too(run, game: Path) -> None:
    assert run("format", "--check", "dice").exit_code == 0
    path = game / "game.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("{die: 1..6,", "{ die: 1..6 ,"), "utf-8")
    assert run("format", "--check", "dice").exit_code == 1
    assert run("check", "dice", "--strict", "--fast").exit_code == 1
    assert run("check", "dice", "--fast").exit_code == 0
    assert run("format", "dice").output == f"formatted: {Path('dice') / 'game.yaml'}\n"
    assert path.read_text("utf-8") == text
    assert run("check", "dice", "--strict").exit_code == 0


def test_check_says_what_does_not_parse(run, game: Path) -> None:
    rules, yaml = game / "dice.rules", game / "look.yaml"
    rules.write_text(rules.read_text("utf-8") + "\nvalue broken = (1 +\n", "utf-8")
    yaml.write_text("boards: {a: [\n", "utf-8")
    result = run("format", "--check", "dice")
    assert result.exit_code == 1
    assert "dice.rules" in result.output
    assert "error[D005]" in result.output
    assert "C511" not in result.output
    assert run("format", "dice").exit_code == 0


def test_it_fails_if_not_all_was_checked(run, game: Path) -> None:
    for words in (("--strict",), ()):
        result = run("check", "dice", *words, "--seconds", "0")
        assert "not all was checked" in result.output
        assert result.exit_code == 1
