"""The default of every decision, for a seat that stays away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl.rules import Pick, Preference
from dsl.source import NOWHERE
from interpreter.absent import default_choice
from interpreter.game import Game
from interpreter.match import Match
from tests.games import game_of
from tests.interpreter.test_unseen import game


def preferring(name: str, seats: int, **absent: tuple[str, Pick]) -> Game:
    """A game with one preference for some decisions: its words, and which of them."""
    game = game_of(name, seats)
    chosen: dict[str, tuple[Preference, ...]] = {
        key: (Preference(tuple(words.split()), pick, NOWHERE),) for key, (words, pick) in absent.items()
    }
    return Game(replace(game.rules, absent=chosen), game.machine)


def asked(match: Match) -> int:
    return match.waiting()[0].seat


def test_without_a_preference_a_seat_passes_if_it_may() -> None:
    match = Match(game_of("kuhn_poker", 2)).start()
    assert default_choice(match, asked(match)).text == "pass"


def test_else_any_choice_is_made_and_the_same_one_again() -> None:
    game, chosen = game_of("tic_tac_toe", 2), set()
    for seed in range(30):
        match = Match(game, seed).start()
        first = default_choice(match, asked(match))
        assert first == default_choice(match, asked(match))
        chosen.add(first.text)
    assert len(chosen) > 4


def test_a_seat_that_is_not_asked_has_no_default() -> None:
    match = Match(game_of("tic_tac_toe", 2)).start()
    with pytest.raises(LookupError):
        default_choice(match, 1 - asked(match))


@pytest.mark.parametrize(
    ("pick", "words", "expected"),
    [
        ("first", "", "place a1"),
        ("last", "", "place c3"),
        ("lowest", "", "place a1"),
        ("highest", "place", "place c3"),
        ("first", "b2", "place b2"),
    ],
)
def test_a_preference_decides(pick: Pick, words: str, expected: str) -> None:
    match = Match(preferring("tic_tac_toe", 2, place=(words, pick))).start()
    assert default_choice(match, asked(match)).text == expected


def test_a_preference_that_is_not_offered_is_skipped() -> None:
    match = Match(preferring("kuhn_poker", 2, open=("raise", "first"))).start()
    assert default_choice(match, asked(match)).text == "pass"


def test_preferences_but_for_words_do_not_pass() -> None:
    match = Match(preferring("kuhn_poker", 2, open=("", "any"))).start()
    assert default_choice(match, asked(match)).text == "bet"


@pytest.mark.parametrize("name", ["roma", "leduc_poker", "trajan", "backgammon", "constantinopolis"])
def test_defaults_can_be_chosen_and_end_the_match(name: str) -> None:
    match = Match(game_of(name, 2), seed=3, keep_history=False).start()
    for _ in range(match.game.machine.longest):
        if match.over:
            break
        seat = asked(match)
        names = match.game.names
        match.choose(names.seat(seat), default_choice(match, seat).text)
    assert match.over


@pytest.mark.parametrize("pick", ["lowest", "highest", "first"])
def test_unseen_pieces_are_neither_named_nor_compared(pick: Pick) -> None:
    """Whatever lies in the hand, the default is the same number."""
    wanted: dict[str, tuple[Preference, ...]] = {"play": (Preference(("play",), pick, NOWHERE),)}
    blind = game()
    for seed in range(12):
        match = Match(Game(replace(blind.rules, absent=wanted), blind.machine), seed).start()
        choice = default_choice(match, 0)
        assert choice.text == "play ? 1"
        match.choose("A", choice.text)
