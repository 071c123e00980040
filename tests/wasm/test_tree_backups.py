"""What goes up a tree: results of matches, mixed with the best choice where there are two sides."""

from __future__ import annotations

import math

import pytest

from interpreter.bots.settings import NodeStats, SearchSettings
from interpreter.bots.tree_search import TreeSearch
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import open_game


def grown(game: Game, trace: float, number: int = 300) -> list[NodeStats]:
    """The nodes after so many iterations of the first decision, without proofs."""
    match = Match(game, 1).start()
    settings = SearchSettings(trace=trace, solve=False)
    search = TreeSearch(game, match.waiting()[0].seat, [match.state], 5, settings, number)
    search.run(number)
    return search.nodes()


def test_with_two_sides_a_better_choice_of_the_other_side_lowers_the_mean() -> None:
    game = open_game("tic_tac_toe")
    plain, mixed = grown(game, 1.0)[0], grown(game, 0.5)[0]
    assert [edge.action for edge in mixed.edges] == [edge.action for edge in plain.edges]
    assert sum(edge.total for edge in mixed.edges) < sum(edge.total for edge in plain.edges)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "kuhn_poker", "bridge"])
def test_means_stay_between_the_worst_and_the_best_result(name: str) -> None:
    for node in grown(open_game(name), 0.3):
        assert all(-1e-9 <= edge.mean <= 1.0 + 1e-9 for edge in node.edges)
        assert sum(edge.taken for edge in node.edges) == node.visits


def test_with_three_sides_only_results_go_up() -> None:
    game = open_game("pig", 3)
    assert grown(game, 0.2) == grown(game, 1.0)


def test_a_choice_that_has_just_been_tried_first_gets_the_result() -> None:
    first = grown(open_game("connect_four"), 0.5, 1)[0]
    (tried,) = (edge for edge in first.edges if edge.taken)
    assert math.isclose(tried.total, round(2 * tried.total) / 2, abs_tol=0.06)  # won, drawn or lost
