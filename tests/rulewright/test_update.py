"""`rulewright update`: rules of an older version, rewritten so that they mean the same."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from dsl.source import Source
from rulewright.main import main
from rulewright.updating import updated

OLD = """\
procedure deal                                                       §1
    move 5 from deck to hand of me                                   §2.1
    move (3 if first else 2 * number) from those(card in hand of me where card is up) to discard   §2.2
    move all from hand of me to deck
    if size(deck) > 3
        roll number from box to cup  # as before
    roll all from box to cup
    move up to deck
"""
NEW = """\
procedure deal                                                       §1
    move up to 5 from deck to hand of me                             §2.1
    move up to (3 if first else 2 * number) from those(card in hand of me where card is up) to discard   §2.2
    move all from hand of me to deck
    if size(deck) > 3
        roll up to number from box to cup  # as before
    roll all from box to cup
    draw up from deck to discard
"""


def test_numbers_are_written_with_up_to() -> None:
    old = OLD.replace("    move up to deck\n", "    draw up from deck to discard\n")
    assert updated(Source("old.rules", old)) == NEW
    assert updated(Source("new.rules", NEW)) == NEW


def test_files_change_only_if_asked(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").touch()
    rules = tmp_path / "my.rules"
    rules.write_text("procedure deal\n    move 2 from deck to table\n")
    shown = CliRunner().invoke(main, ["update", str(tmp_path)])
    assert shown.exit_code == 0
    assert "+    move up to 2 from deck to table" in shown.output
    assert "up to" not in rules.read_text()
    written = CliRunner().invoke(main, ["update", str(tmp_path), "--write"])
    assert written.exit_code == 0
    assert rules.read_text() == "procedure deal\n    move up to 2 from deck to table\n"


def test_nothing_to_rewrite(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").touch()
    (tmp_path / "my.rules").write_text("procedure deal\n    move all from deck to table\n")
    found = CliRunner().invoke(main, ["update", str(tmp_path)])
    assert found.exit_code != 0
    assert "C464" in found.output


def test_a_folder_of_rulesets_is_none(tmp_path: Path) -> None:
    """Nobody means all rulesets that lie somewhere below."""
    rules = tmp_path / "one" / "my.rules"
    rules.parent.mkdir()
    rules.write_text(OLD)
    found = CliRunner().invoke(main, ["update", str(tmp_path), "--write"])
    assert found.exit_code == 2
    assert "C521" in found.output
    assert rules.read_text() == OLD
