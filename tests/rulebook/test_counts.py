"""How many pieces there are, and remainders, as people say them."""

from __future__ import annotations

from functools import cache, lru_cache

import pytest

from interpreter.compile.program import configure
from rulewright.rulebook.book import write_book
from rulewright.rulebook.markdown import markdown
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration
from tests.games import rules_of


@lru_cache
@cache
def book(name: str) -> str:
    rules = rules_of(name)
    words = (rules.labels, rules.helps, rules.nouns, rules.phrases, rules.language)
    chosen = configure(rules, None, {})[1]
    return markdown(write_book(Lexicon(rules, *words), Configuration(rules, None, chosen)))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("chess", "* **Men**: 10 of each of [12 kinds](#table-piece), 120 in all"),
        ("hearts", "* **Cards**: 52, [all different](#table-card)"),
        ("roma", "* **Cards**: 52 in all, of [25 kinds](#table-card)"),
    ],
)
def test_numbers_of_pieces(name: str, said: str) -> None:
    assert said in book(name)


def test_a_remainder_of_nothing_is_a_multiple() -> None:
    assert "either the deal is a multiple of 4, or" in book("bridge")


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("chess", "quiet"), ("leduc_poker", "spoken"), ("texas_holdem", "spoken"), ("bridge", "bidder")],
)
def test_what_only_the_rules_count_is_no_news(name: str, hidden: str) -> None:
    assert rules_of(name).labels[hidden] == ""
