"""Games that nobody has any more are freed without a search for garbage."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

import rulewright
from interpreter.game import Game
from interpreter.once_per_game import once_per_game


@pytest.fixture
def no_search() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def played(name: str) -> weakref.ref[Game]:
    """Play a game a little, and refuse something."""
    match = rulewright.Match(rulewright.open_game(name), seed=1).start()
    while len(match.history) < 4 and not match.over:
        decision = match.decisions()[0]
        with pytest.raises(rulewright.Fault):
            match.choose(decision.seat, "nothing")
        match.choose(decision.seat, decision.choices[0].text)
    return weakref.ref(match.game)


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize("name", ["roma", "pig", "kuhn_poker"])
def test_a_game_is_freed_with_its_last_match(name: str) -> None:
    played(name)  # what is imported on the way stays
    assert played(name)() is None


@pytest.mark.usefixtures("no_search")
def test_what_is_kept_for_a_game_is_worked_out_once_and_ends_with_it() -> None:
    asked: list[int] = []

    @once_per_game
    def seats(game: Game, more: int = 0) -> int:
        asked.append(more)
        return game.machine.seats + more

    game = rulewright.open_game("pig", seats=2)
    assert [seats(game), seats(game), seats(game, more=1), seats(game, more=1)] == [2, 2, 3, 3]
    assert asked == [0, 1]
    gone = weakref.ref(game)
    del game
    assert gone() is None
