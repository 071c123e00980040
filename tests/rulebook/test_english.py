"""Words and their forms: plurals, articles, verbs, owners."""

from __future__ import annotations

import pytest

from rulewright.sentences import english as e


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("card", "cards"), ("die", "dice"), ("action die", "action dice"), ("city", "cities"),
        ("box", "boxes"),        ("monkey", "monkeys"), ("man", "men"), ("class", "classes"),
        ("card on the table", "cards on the table"),
    ],
)  # fmt: skip
def test_plurals_and_back(one: str, many: str) -> None:
    assert e.plural(one) == many
    assert e.singular(many) == one


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("card", "a card"),
        ("action die", "an action die"),
        ("unit", "a unit"),
        ("other player", "another player"),
    ],
)
def test_articles(noun: str, said: str) -> None:
    assert e.article(noun) == said


@pytest.mark.parametrize(
    ("third", "many"),
    [
        ("has", "have"),
        ("is", "are"),
        ("carries", "carry"),
        ("passes", "pass"),
        ("gains it", "gain it"),
    ],
)
def test_verbs_of_several(third: str, many: str) -> None:
    assert e.plain_verb(third) == many


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        ("your victory points", True), ("the number of dice", False), ("what you offer of dice", False),
        ("the other players", True), ("the player", False),
    ],
)  # fmt: skip
def test_number_of_nouns(noun: str, many: bool) -> None:
    assert e.is_many(noun) is many


def test_owners() -> None:
    assert [e.possessive(x) for x in ("you", "it", "the card", "the other players")] == [
        "your", "its", "the card's", "the other players'",
    ]  # fmt: skip


def test_sentences() -> None:
    assert e.sentence("“draw” a card") == "“Draw” a card."
    assert e.listed(["a", "b", "c"], "or") == "a, b or c"
    assert [e.times(x) for x in (1, 2, 5)] == ["once", "twice", "5 times"]
