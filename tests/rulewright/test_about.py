"""`about.yaml`: what a game is to people who look for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import ErrorsReported
from rulewright.library import read_rules


def with_about(game: Path, text: str) -> Path:
    declared = (game / "game.yaml").read_text("utf-8")
    if "\nabout:" not in declared:
        (game / "game.yaml").write_text(f"{declared.rstrip()}\nabout: about.yaml\n", "utf-8")
    (game / "about.yaml").write_text(text, "utf-8")
    return game


def test_it_says_what_the_game_is_and_leaves_the_digest_alone(game: Path) -> None:
    before = read_rules(str(game))[0].digest
    text = "says: {en: Throw on.}\nnames: {hu: [kocka, kocka]}\ntags: [dice, dice]\n"
    rules = read_rules(str(with_about(game, text)))[0]
    assert rules.about.says == {"en": "Throw on."}
    assert rules.about.names == {"hu": ("kocka",)}
    assert rules.about.tags == ("dice",)
    assert rules.digest == before
    assert rules.configured(2, {}).about == rules.about


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("tags: [card]\n", "D030", "unknown tag `card`"),
        ("tags: cards\n", "D011", "tags"),
        ("says: {english: Hello.}\n", "D090", "english"),
        ("says: Hello.\n", "D011", "says"),
        (f"says: {{en: {'x' * 200}}}\n", "D011", "160"),
        ("names: {en: draughts}\n", "D011", "names"),
        (f"names: {{en: [{', '.join('bcdefghijklmpqrstuvwxz')}]}}\n", "D011", "20 names"),
        ("name: {en: [draughts]}\n", "D009", "name"),
        ("[]\n", "D011", "about"),
    ],
)
def test_what_is_wrong_with_it_is_said_with_a_code(text: str, code: str, words: str, game: Path) -> None:
    with pytest.raises(ErrorsReported) as stop:
        read_rules(str(with_about(game, text)))
    (found,) = stop.value.report.errors
    assert words in found.message
    assert found.code == code


def test_a_missing_file_is_a_finding(game: Path) -> None:
    with_about(game, "tags: []\n")
    (game / "about.yaml").unlink()
    with pytest.raises(ErrorsReported) as stop:
        read_rules(str(game))
    assert "about.yaml" in stop.value.report.errors[0].message
