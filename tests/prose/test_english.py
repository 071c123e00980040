"""Words that agree: plurals, articles, verbs, denials."""

from __future__ import annotations

import pytest

from rulewright.prose import english as e


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
    ("subject", "third", "said"),
    [
        ("you", "has", "have"), ("the player", "has", "has"), ("your victory points", "is", "are"),
        ("the number of dice", "is", "is"), ("you", "carries", "carry"),
        ("the other players", "passes", "pass"),
        ("what you offer of dice", "is", "is"),
    ],
)  # fmt: skip
def test_verbs(subject: str, third: str, said: str) -> None:
    assert e.verb(subject, third) == said


@pytest.mark.parametrize(
    ("clause", "not_so"),
    [
        ("it is blocked", "it is not blocked"), ("you have finished it", "you have not finished it"),
        ("{seat} owns {card}", "{seat} does not own {card}"), ("you can pass", "you cannot pass"),
        ("you have a card", "you do not have a card"), ("rain falls", "it is not so that rain falls"),
    ],
)  # fmt: skip
def test_denials(clause: str, not_so: str) -> None:
    assert e.denied(clause) == not_so


def test_owners() -> None:
    assert [e.possessive(x) for x in ("you", "it", "the card", "the other players")] == [
        "your", "its", "the card's", "the other players'",
    ]  # fmt: skip
    assert e.belonging("the card that you chose", "price") == "the price of the card that you chose"


def test_sentences() -> None:
    assert e.sentence("“draw” a card") == "“Draw” a card."
    assert e.listed(["a", "b", "c"], "or") == "a, b or c"
    assert [e.times(x) for x in ("1", "2", "5", "the rolls")] == [
        "once",
        "twice",
        "5 times",
        "as many times as the rolls",
    ]
