"""Overlays: rulesets that change other ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright
from dsl.diagnostics import ErrorsReported
from dsl.load import load
from dsl.rules import Rules
from rulewright.library import folder, read_rules
from rulewright.serve.games.unpacking import folder_of
from rulewright.serve.games.upload_process import base_of
from tests.games import rules_of
from tests.rulewright.conftest import Run

BASE = {
    "game.yaml": """game: coins
title: Coins
seats: 2
rules: [coins.rules]
clauses: rulebook.yaml
labels: {en: labels/en.yaml, hu: labels/hu.yaml}
constants: {goal: 5}
options: {praying: {default: true}}
tables:
  gift: {over: 1..3, gives: 0..9, rows: {1: 1, 2: 2, 3: 3}}
counters:
  coins: {of: seat, range: 0..9, start: 2, clause: §1}
flow:
  turn: {seat: rotates, do: [{do one of: [take, pray]}], then: {rich: final, otherwise: turn}}
  final: {score: highest}
""",
    "coins.rules": """action take                                      §1
    gain gift(1) coins

action pray                                      §2
    needs praying
    gain 2 coins

value rich = any(seat where coins of seat >= goal)
when coins of seat is 7
    end game
score coins = coins of me
score alms = 0
""",
    "rulebook.yaml": "clauses:\n  §1: {heading: Taking}\n  §2: {heading: Praying, page: 3}\n",
    "labels/en.yaml": "coins: gold\ntake: take a coin\nhelp: {take: One coin.}\n",
    "labels/hu.yaml": "coins: arany\ntake: elvesz\nhelp: {take: Egy.}\n",
}
OVERLAY = {
    "game.yaml": """overlay: coins
game: more_coins
title: More coins
rules: [more.rules]
clauses: rulebook.yaml
labels: {en: more.yaml, hu: more_hu.yaml}
constants: {goal: 8}
counters:
  coins: {range: 0..20}
  gems: {of: seat, range: 0..3, clause: §3}
removes: [score alms, when coins of seat is 7]
flow:
  turn: {do: [{do one of: [take, pray, dig]}]}
""",
    "more.rules": """action take                                      §1
    gain gift(3) coins

action dig                                       §3
    needs gems of me < 3
    gems of me += 1
score gems = 2 * gems of me
""",
    "rulebook.yaml": "clauses:\n  §2: {heading: Praying is good}\n  §3: {heading: Digging}\n",
    "more.yaml": "gems: gems\ncoins: silver\n",
    "more_hu.yaml": "gems: kövek\n",
}
NO_FLYING = {
    "game.yaml": "overlay: nine_mens_morris\n"
    "game: no_flying\nrules: [house.rules]\noptions: {flying: none}\n",
    "house.rules": "value flies(seat) = false and men(seat) > 0\n",
}


def written(place: Path, name: str, texts: dict[str, str]) -> Path:
    for path, text in texts.items():
        (place / name / path).parent.mkdir(parents=True, exist_ok=True)
        (place / name / path).write_text(text)
    return place / name


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    written(tmp_path, "coins", BASE)
    return written(tmp_path, "more_coins", OVERLAY)


@pytest.fixture
def rules(overlay: Path) -> Rules:
    return read_rules(str(overlay))[0]


def test_it_has_its_own_name_and_what_it_says_replaces_what_was_said(rules: Rules) -> None:
    assert (rules.name, rules.title, rules.seats) == ("more_coins", "More coins", (2, 2))
    assert set(rules.constants["goal"].values.values()) == {8}
    coins = rules.counters["coins"]
    assert (coins.ranges, coins.start) == (((0, 20),), (2,)), "a key replaces a key, the others stay"
    assert "gems" in rules.counters
    assert set(rules.routines) == {"take", "pray", "dig"}
    assert [score.name for score in rules.scores] == ["coins", "gems"]
    assert not rules.triggers


def test_clauses_and_labels_are_those_of_both(rules: Rules) -> None:
    assert list(rules.clauses) == ["§1", "§2", "§3"]
    assert (rules.clauses["§2"].heading, rules.clauses["§2"].page) == ("Praying is good", "3")
    assert (rules.labels["coins"], rules.labels["take"], rules.labels["gems"]) == (
        "silver",
        "take a coin",
        "gems",
    )
    assert rules.in_language("hu").labels["coins"] == "arany"


def test_it_is_played(overlay: Path) -> None:
    match = rulewright.Match(rulewright.open_game(str(overlay)), seed=1).start()
    match.choose("A", "take")
    assert match.accounts()[0].total == 5
    match.choose("B", "dig")
    assert match.accounts()[1].total == 4


def test_errors_name_the_file_of_their_layer(overlay: Path) -> None:
    (overlay / "more.rules").write_text(OVERLAY["more.rules"] + "value rich = purse > 3\n")
    with pytest.raises(ErrorsReported) as stopped:
        read_rules(str(overlay))
    assert [it.span.source.name for it in stopped.value.report] == [f"{overlay}/more.rules"]
    (overlay.parent / "coins" / "coins.rules").write_text(BASE["coins.rules"].replace("2 coins", "2 copper"))
    (overlay / "more.rules").write_text(OVERLAY["more.rules"])
    with pytest.raises(ErrorsReported) as stopped:
        read_rules(str(overlay))
    assert f"{overlay}/base/coins.rules" in [it.span.source.name for it in stopped.value.report]


def test_none_removes_a_declaration(overlay: Path) -> None:
    text = OVERLAY["game.yaml"].replace("constants: {goal: 8}", "options: {praying: none}")
    (overlay / "game.yaml").write_text(text)
    (overlay / "more.rules").write_text(OVERLAY["more.rules"] + "action pray  §2\n    gain 2 coins\n")
    assert "praying" not in read_rules(str(overlay))[0].options


def test_an_overlay_of_an_overlay(overlay: Path, tmp_path: Path) -> None:
    third = {
        "game.yaml": "overlay: more_coins\ngame: most_coins\nconstants: {goal: 15}\nremoves: [score gems]\n"
    }
    rules, _ = read_rules(str(written(tmp_path, "most_coins", third)))
    assert (rules.name, rules.title) == ("most_coins", "most_coins")
    assert set(rules.constants["goal"].values.values()) == {15}
    assert [score.name for score in rules.scores] == ["coins"]
    assert rules.labels["coins"] == "silver"


def test_of_a_bundled_game(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path, "no_flying", NO_FLYING)
    rules, _ = read_rules(str(path))
    assert "no mistakes" in run("check", str(path)).output
    assert "flying" not in rules.options
    assert rules.clauses.keys() == rules_of("nine_mens_morris").clauses.keys()


def test_its_hash_is_that_of_both(overlay: Path, rules: Rules) -> None:
    """And the files that were read are enough to read it again."""
    reader = folder(overlay)
    load(reader)
    assert "base/coins.rules" in reader.files
    again, _ = load(folder_of("elsewhere", reader.files))
    assert again.digest == rules.digest
    (overlay.parent / "coins" / "coins.rules").write_text(BASE["coins.rules"].replace("gain 2", "gain 3"))
    assert read_rules(str(overlay))[0].digest != rules.digest


def test_an_upload_takes_the_bundled_game_along() -> None:
    files = {path: text.encode() for path, text in NO_FLYING.items()}
    rules, _ = load(folder_of("upload", files | base_of(files)))
    assert "flying" not in rules.options
    assert not base_of({"game.yaml": b"overlay: ../hex\n"})
    assert not base_of({"game.yaml": b"game: hex\n"})


def test_a_name_leads_nowhere_else(tmp_path: Path) -> None:
    for name in ("../coins", "/etc", "coins/../coins", "base"):
        path = written(tmp_path, "demo", {"game.yaml": f"overlay: {name}\ngame: demo\n"})
        with pytest.raises(ErrorsReported) as stopped:
            read_rules(str(path))
        assert [it.code for it in stopped.value.report] == ["D116"]


def test_commands(overlay: Path, run: Run) -> None:
    checked = run("check", str(overlay)).output
    assert "error" not in checked
    assert "`pray` can only lose" in checked, "taking is worth more in the overlay"
    found = run("diff", str(overlay.parent / "coins"), str(overlay)).output
    assert "+ action dig" in found
    assert "- when coins of seat is 7" in found
    assert "action pray" not in found, "it has not changed"
    assert "Digging" in run("rules", str(overlay)).output
    assert "This changes Coins" in run("rules", str(overlay)).output
