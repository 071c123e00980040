"""Searches that follow each other in the same memory find what they would find in fresh memory."""

from __future__ import annotations

import pytest

from interpreter.bots.kept_batches import KEPT, KeptBatches
from interpreter.bots.settings import SearchSettings
from interpreter.bots.tree_search import TreeSearch
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import open_game


def searched(game: Game, seed: int, iterations: int = 200) -> TreeSearch:
    match = Match(game, seed).start()
    search = TreeSearch(game, match.waiting()[0].seat, [match.state], seed, SearchSettings(), iterations)
    search.run(iterations)
    return search


@pytest.mark.parametrize("name", ["connect_four", "leduc_poker", "roma"])
def test_a_search_in_used_memory_is_one_in_fresh_memory(name: str) -> None:
    game = open_game(name)
    fresh = [searched(game, seed).nodes() for seed in range(4)]
    found, batches = [], set()
    for seed in range(4):
        search = searched(game, seed)
        found.append(search.nodes())
        batches.add(id(search.batch))
        search.close()
    assert found == fresh
    assert len(batches) == 1


def test_no_two_searches_share_a_batch() -> None:
    game = open_game("tic_tac_toe")
    one, other = searched(game, 1, 50), searched(game, 2, 50)
    assert one.batch is not other.batch


def test_few_batches_are_kept_and_none_that_is_large() -> None:
    game = open_game("tic_tac_toe")
    batches = KeptBatches()
    made = [batches.take(game, 1, 64) for _ in range(KEPT + 2)]
    for batch in made:
        batches.give(batch, 64)
    again = [batches.take(game, 1, 64) for _ in range(KEPT + 2)]
    assert sum(any(a is b for b in made) for a in again) == KEPT
    batches.give(again[0], 1 << 30)
    assert batches.take(game, 1, 1 << 30) is not again[0]
