"""Finding games: words in all languages, players, kinds, length and weight."""

from __future__ import annotations

import json

import pytest

from dsl.rules.about import TAGS
from rulewright.i18n.messages import languages, messages_in
from rulewright.library import bundled, read_rules
from rulewright.measures import kept_measures, measures_of, measures_text
from rulewright.presentation.game_search import folded, matches_words, search_text


@pytest.mark.parametrize(
    ("words", "game"),
    [
        ("poker", "texas_holdem"),
        ("sakk", "chess"),
        ("SAH", "chess"),
        ("șah", "chess"),
        ("dame", "checkers"),
        ("dáma", "checkers"),
        ("moara", "nine_mens_morris"),
        ("malom", "nine_mens_morris"),
        ("tic tac", "tic_tac_toe"),
        ("holdem", "texas_holdem"),
        ("hold'em poker", "texas_holdem"),
        ("kartyajatek", "hearts"),
    ],
)
def test_a_game_is_found_by_what_people_call_it(words: str, game: str) -> None:
    assert matches_words(words, search_text(read_rules(game)[0]))


def test_signs_alone_and_nothing_find_everything_and_other_words_nothing() -> None:
    text = search_text(read_rules("chess")[0])
    assert matches_words("", text)
    assert matches_words(" -' ", text)
    assert not matches_words("chess xyzzy", text)
    assert not matches_words("hess", text)


def test_folding_twice_changes_nothing() -> None:
    for text in ("Nine Men's Morris", "Șah – ȘAH", "ÁRVÍZTŰRŐ", "ß 2048", "日本 将棋"):
        assert folded(folded(text)) == folded(text)


def test_every_bundled_game_says_what_it_is() -> None:
    for name in bundled():
        about = read_rules(name)[0].about
        assert about.tags, name
        assert {"en", "hu", "ro"} <= about.says.keys(), name


def test_every_tag_has_a_name_in_every_language() -> None:
    for language in languages():
        there = messages_in(language, "server")
        assert [tag for tag in TAGS if f"tag-{tag}" not in there] == []


def test_every_bundled_game_was_measured_as_its_rules_are_now() -> None:
    """`tools/measure.py` measures those that have changed."""
    stale = [name for name in bundled() if measures_of(name, read_rules(name)[0].digest) is None]
    assert stale == []
    assert set(kept_measures()) == set(bundled())


def test_what_was_measured_is_of_the_seats_that_a_game_has() -> None:
    for name, found in kept_measures().items():
        low, high = read_rules(name)[0].seats
        assert [length.seats for length in found.lengths] == sorted({low, high}), name
        for seats in range(low, high + 1):
            assert found.length(seats).minutes >= 1
    assert json.loads(measures_text(kept_measures())).keys() == kept_measures().keys()


def test_games_are_listed_by_what_is_sought(run) -> None:
    output = run("list", "--players", "4", "--tag", "cards", "--tag", "tricks", "--json").output
    found = json.loads(output)
    assert found
    for game in found:
        assert game["seats"]["fewest"] <= 4 <= game["seats"]["most"]
        assert {"cards", "tricks"} <= set(game["tags"])
    assert [one["name"] for one in json.loads(run("list", "--search", "moara", "--json").output)] == [
        "nine_mens_morris"
    ]
    short = json.loads(run("list", "--minutes", "5", "--weight", "light", "--json").output)
    assert all(one["weight"] == "light" and one["lengths"][0][2] <= 5 for one in short)


def test_a_wrong_tag_is_refused_with_the_tags(run) -> None:
    result = run("list", "--tag", "card")
    assert result.exit_code == 2
    assert "cards" in result.output
