"""Trees of English: agreement, negation, relative clauses and pronouns, and the text that comes of them."""

from __future__ import annotations

import pytest

from rulewright.sentences.names import Noun, Template
from rulewright.sentences.noun_phrases import Things, about, narrowed, referring
from rulewright.sentences.realise import belonging, conjugated, spell, spell_sentence
from rulewright.sentences.syntax import (
    YOU,
    Adjunct,
    Genitive,
    Indefinite,
    Node,
    Referent,
    clause,
    negate,
    phrase,
    quoted,
    series,
    the,
    there,
)
from rulewright.sentences.templates import filled, filled_clause

IT = Referent(1)
CARDS = Things(Noun("card", "cards"))
PLAYERS = Things(Noun("player", "players"), person=True)


@pytest.mark.parametrize(
    ("subject", "third", "said"),
    [
        (YOU, "has", "have"), (the("player"), "has", "has"), (YOU, "carries", "carry"),
        (phrase(Genitive(YOU), "victory points", plural=True), "is", "are"),
        (series([the("card"), the("die")]), "is", "are"),
    ],
)  # fmt: skip
def test_verbs_agree(subject: Node, third: str, said: str) -> None:
    assert conjugated(subject, third) == said


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        (clause(the("card"), "is blocked"), "the card is not blocked"),
        (clause(YOU, "has", "a card"), "you do not have a card"),
        (clause(YOU, "can", "pass"), "you cannot pass"),
        (clause(the("card"), "shows", "3"), "the card does not show 3"),
    ],
)
def test_denials(said: Node, denied: str) -> None:
    assert spell(negate(said)) == denied
    assert negate(negate(said)) == said


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("{it} is blocked", "the card is not blocked"),
        ("you have finished it", "you have not finished it"),
        ("{seat} owns {it}", "you do not own the card"),
        ("you can pass", "you cannot pass"),
        ("rain falls", "it is not so that rain falls"),
        ("{it} is full | {it} is not full at all", "the card is not full at all"),
    ],
)
def test_denials_of_phrases(text: str, denied: str) -> None:
    so, _, not_so = (part.strip() for part in text.partition("|"))
    assert spell(filled_clause(Template(so, not_so), {"it": the("card"), "seat": YOU}, False)) == denied


def test_phrases_are_filled() -> None:
    holes: dict[str, Node] = {"seat": YOU, "disc": the("disc"), "at": ""}
    assert spell(filled("{seat's} side[ of {disc}][ at {at}]", holes)) == "your side of the disc"
    assert spell(filled("a mill of {seat's}", holes)) == "a mill of yours"
    assert spell(filled("what {seat} offers of “{disc}”", holes)) == "what you offer of “the disc”"
    assert spell(filled("{seat's} {disc}", holes)) == "your disc"


@pytest.mark.parametrize(
    ("found", "relative"),
    [
        (clause(IT, "is", Indefinite(("city",))), "card that is a city"),
        (clause(belonging(IT, "price"), "is", "3"), "card whose price is 3"),
        (clause(the("number", Adjunct("on", IT)), "is", "3"), "card whose number is 3"),
        (clause(YOU, "owns", IT), "card that you own"),
        (clause(YOU, "has", "3", Adjunct("of", IT)), "card of which you have 3"),
        (there(False, "no stone", Adjunct("on", IT)), "card where there is no stone"),
        (clause(the("sum"), "is", "less than", IT), "card for which the sum is less than it"),
    ],
)
def test_relative_clauses(found: Node, relative: str) -> None:
    assert spell(narrowed(IT, CARDS, [found]).some()) == f"a {relative}"


def test_relative_clauses_of_several() -> None:
    found = [clause(IT, "is", Indefinite(("city",))), negate(clause(IT, "shows", "3"))]
    assert spell(narrowed(IT, CARDS, found).all()) == "all cards that are cities and do not show 3"
    assert spell(narrowed(IT, PLAYERS, found).some()) == "a player who is a city and does not show 3"


def test_pronouns() -> None:
    found = clause(belonging(IT, "owner"), "likes", IT)
    assert spell(referring(IT, CARDS, found)) == "its owner likes it"
    assert spell(referring(IT, PLAYERS, found)) == "that player's owner likes that player"
    assert spell(about(IT, PLAYERS.every(), PLAYERS, clause(IT, "has passed"))) == "each player has passed"


def test_owners_that_are_long() -> None:
    assert spell(belonging(the("card"), "price")) == "the card's price"
    assert spell(belonging(the("card", "that you chose"), "price")) == "the price of the card that you chose"


def test_marks_meet() -> None:
    assert spell_sentence(quoted("draw"), ", if there is one,") == "“Draw”, if there is one."
    assert (
        spell("put it", ", if there is one,", ", at the bottom") == "put it, if there is one, at the bottom"
    )
