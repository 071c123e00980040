"""A ruleset without labels is read in English, by its own names."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import configure
from rulewright.rulebook.book import write_book
from rulewright.rulebook.markdown import markdown
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration

YAML = """
game: tricks
seats: 2
rules: [tricks.rules]
types:
  suit: [clubs, hearts]
  tricks: 1..3
  face: {product: [suit, tricks]}
components: {card: {kinds: face, count: 1}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner}
pointers: {bid: {to: tricks}}
flow: {turn: {do: [deal], then: final}, final: {score: highest}}
"""
RULES = """
procedure deal
    move all from hand to deck
    each seat in turn
        move 2 from deck to hand of me
        choose tricks
        bid = tricks
score cards = size(hand of me)
"""


def rulebook(labels: str, file: str = "labels.yaml") -> str:
    """The rulebook of the game with labels in a file, or without a file."""
    yaml = YAML + (f"labels: {file}\n" if labels else "")
    files = {"game.yaml": yaml, "tricks.rules": RULES, file: labels}
    rules = load(Folder("tricks", lambda name: files[name].encode()))[0]
    words = (rules.labels, rules.helps, rules.nouns, rules.phrases, rules.language)
    chosen = configure(rules, None, {})[1]
    return markdown(write_book(Lexicon(rules, *words), Configuration(rules, None, chosen)))


def test_names_are_inflected() -> None:
    told = rulebook("")
    assert "Shuffle all cards; they begin in the deck." in told
    assert "Put all cards from all players’ hands into the deck" in told


@pytest.mark.parametrize("file", ["labels.yaml", "de.yaml"])
def test_words_of_a_language_that_is_not_known_to_be_english_are_not(file: str) -> None:
    assert "Shuffle all lap;" in rulebook("card: lap\n", file)
