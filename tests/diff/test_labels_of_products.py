"""Labels that follow from a phrase and other labels are not changes of their own."""

from __future__ import annotations

from dsl.load import load
from dsl.rules import Rules
from rulewright.library import find, folder
from validators.diff.compare import compare

GAME = "blackjack"
LABELS = "labels/en.yaml"


def changed(path: str, old: str, new: str) -> Rules:
    reader = folder(find(GAME), GAME)
    fetch = reader.fetch

    def edited(asked: str) -> bytes:
        data = fetch(asked)
        return data.replace(old.encode(), new.encode()) if asked == path else data

    reader.fetch = edited
    return load(reader)[0]


def told(new: Rules) -> list[tuple[str, str]]:
    before = load(folder(find(GAME), GAME))[0]
    return [(change.noun, change.name) for change in compare(before, new).changes]


def test_a_new_value_is_one_change() -> None:
    new = changed(
        "game.yaml", "[clubs, diamonds, hearts, spades]", "[clubs, diamonds, hearts, spades, stars]"
    )
    assert "label" not in [noun for noun, _ in told(new)]


def test_another_phrase_is_one_change() -> None:
    assert told(changed(LABELS, "{rank} of {suit}", "{suit} {rank}")) == [("label", "face")]
