"""`rulewright update`: rules of an older version, rewritten so that they mean the same."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

from click.testing import CliRunner

from dsl.source import Source
from rulewright.main import main
from rulewright.updates.rules import updated

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


SHOWS = """\
procedure look
    show deck to me                                                  §2.1
    show hand of opponent to me openly
    show gold of me to next(me)  # a value
    show deck to all
    move up to 2 from deck to table
"""


def test_what_is_shown_to_one_seat_is_named_and_opened_on_demand(tmp_path: Path) -> None:
    """What is told cannot be taken back, so it is the author who says it."""
    (tmp_path / "game.yaml").touch()
    rules = tmp_path / "my.rules"
    rules.write_text(SHOWS)
    named = CliRunner().invoke(main, ["update", str(tmp_path), "--write"])
    assert "C464" in named.output
    assert [line for line in (2, 3, 4, 5) if f"my.rules:{line}: the others do not learn" in named.output] == [
        2,
        4,
    ]
    assert "`show deck to me`" in named.output
    assert rules.read_text() == SHOWS
    assert CliRunner().invoke(main, ["update", str(tmp_path), "--openly", "--write"]).exit_code == 0
    opened = SHOWS.replace("deck to me       ", "deck to me openly").replace("next(me)", "next(me) openly")
    assert rules.read_text() == opened
    assert "C464" in CliRunner().invoke(main, ["update", str(tmp_path), "--openly"]).output


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


GAME = """\
game: old
seats: 2
rules: [old.rules]
types: {hue: [red, blue], spot: [west, east]}
boards: {cell: {line: 4}}
components:
  card: {kinds: hue, count: 4}
  die: {die: 1..6, count: 1}
zones:
  box: {holds: card, seen_by: all, start: all}
  yard: {holds: card, of: seat, at: spot, size: 1, seen_by: all}
  cup: {holds: die, seen_by: all, start: all}
  bowl: {holds: die, seen_by: all}
counters:
  gold: {of: seat, range: 0..9}
  rounds: {range: 0..5}
pointers:
  man: {to: cell, start: 1}
  other: {to: cell}
  third: {to: cell}
flow:
  turn: {seat: rotates, do: [{do one of: [go, stay]}, tally], then: {rounds is 5: end, otherwise: turn}}
  end: {score: highest}
"""
UNTESTED = """\
action go
    if man exists
        man = next(man)
    if other is third
        gain 1 gold
    if man is not other
        other = man

action stay
    roll up to 1 from cup to bowl
    third = man

procedure tally
    rounds += 1
    clear third
    third = 4
    clear man
    clear other
    man = 1

score gold = gold of me
always gold of A < 8
"""
TESTED = """\
action go
    if man exists
        if next(man) exists
            man = next(man)
        else
            clear man
    if (other is third if other exists else third is none)
        gain 1 gold
    if (man is not other if man exists else other exists)
        other = man
"""
SCENARIOS = """\
- scenario: one outcome too many
  chance:
    die:
      - 3
      - 4
  when:
    - A: stay
  then: {rounds: 1}
- scenario: outcomes that nothing draws
  chance: {die: [3]}
  when:
    - A: go
  then: {rounds: 1}
- scenario: a position that breaks a promise
  given: {at: turn, set: {gold of A: 9}}
  when:
    - A: stay
  then: {rounds: 1}
- scenario: a zone that has places now
  given:
    at: turn
    set:
      yard of A: [red, blue]
      yard of B: red
  when:
    - A: go
  then: {rounds: 1, yard of A: [red, blue]}
- scenario: more pieces than there are
  given:
    at: turn
    set: {box: [red, red, red, red, red]}
  when:
    - A: go
  then: {rounds: 1}
- scenario: wrong anyway
  chance: {die: [3]}
  when:
    - A: go
  then: {rounds: 2}
"""
REWRITTEN = {
    "  chance:\n    die:\n      - 3\n      - 4\n": "  chance: {die: [3]}\n",
    "nothing draws\n  chance: {die: [3]}\n": "nothing draws\n",
    "{gold of A: 9}}\n": "{gold of A: 9}}\n  allow: [impossible position]\n",
    "      yard of A: [red, blue]\n      yard of B: red\n": "      yard of A: {west: red, east: blue}\n"
    "      yard of B: {west: red}\n",
    "red, red, red, red, red]}\n": "red, red, red, red, red]}\n  allow: [spare pieces]\n",
}
HOLDING = reduce(lambda text, one: text.replace(*one), REWRITTEN.items(), SCENARIOS)


def old_game(path: Path, rules: str = UNTESTED) -> Path:
    (path / "scenarios").mkdir()
    (path / "game.yaml").write_text(GAME)
    (path / "old.rules").write_text(rules)
    (path / "scenarios" / "a.yaml").write_text(SCENARIOS)
    return path


def test_what_may_be_none_is_tested_and_scenarios_hold(tmp_path: Path) -> None:
    folder = old_game(tmp_path)
    before = CliRunner().invoke(main, ["check", "--fast", str(folder)])
    assert before.output.count("D043") == 3
    assert "`rulewright update` shows how" in before.output
    assert CliRunner().invoke(main, ["update", str(folder), "--write"]).exit_code == 0
    assert (folder / "old.rules").read_text() == TESTED + UNTESTED[UNTESTED.index("\naction stay") :]
    assert (folder / "scenarios" / "a.yaml").read_text() == HOLDING
    tried = CliRunner().invoke(main, ["test", str(folder)])
    assert "1 of 6 scenarios failed" in tried.output
    assert "`rulewright update` does" in tried.output
    assert CliRunner().invoke(main, ["update", str(folder)]).exit_code != 0


def test_scenarios_alone(tmp_path: Path) -> None:
    rules = TESTED + UNTESTED[UNTESTED.index("\naction stay") :].replace("roll up to 1", "roll 1")
    folder = old_game(tmp_path, rules)
    shown = CliRunner().invoke(main, ["update", str(folder), "--scenarios"])
    assert "yard of A: {west: red, east: blue}" in shown.output
    assert "up to" not in shown.output
    assert (folder / "scenarios" / "a.yaml").read_text() == SCENARIOS
    assert CliRunner().invoke(main, ["update", str(folder), "--scenarios", "--write"]).exit_code == 0
    assert (folder / "old.rules").read_text() == rules
    assert (folder / "scenarios" / "a.yaml").read_text() == HOLDING


def test_rules_that_cannot_be_mended_leave_scenarios_alone(tmp_path: Path) -> None:
    folder = old_game(tmp_path, UNTESTED.replace("score gold", "score gold = gold of none\nscore other"))
    shown = CliRunner().invoke(main, ["update", str(folder)])
    assert "scenarios/a.yaml" not in shown.output


def test_rules_that_say_their_version_are_not_rewritten(tmp_path: Path) -> None:
    """A text may mean something else in each version, so that it is rewritten once."""
    game, rules = tmp_path / "game.yaml", tmp_path / "my.rules"
    game.write_text("# mine\ngame: my  # a name\nseats: 2\n")
    rules.write_text("procedure deal\n    move 2 from deck to table\n")
    assert CliRunner().invoke(main, ["update", str(tmp_path), "--write"]).exit_code == 0
    assert game.read_text() == "# mine\ngame: my  # a name\nlanguage: 1\nseats: 2\n"
    assert "up to 2" in rules.read_text()
    rules.write_text("procedure deal\n    move 2 from deck to table\n")
    again = CliRunner().invoke(main, ["update", str(tmp_path), "--write"])
    assert "C464" in again.output
    assert "up to" not in rules.read_text()
