"""Progressive widening: of many numbers a search tries the ends and the middle first, then more and more."""

from __future__ import annotations

import pytest

from interpreter.bots.settings import LOST, WON, EdgeStats, SearchSettings
from interpreter.bots.tree_search import TreeSearch
from interpreter.match import Match
from rulewright.library import open_game


def tried(search: TreeSearch, word: str) -> dict[int, EdgeStats]:
    """What was tried at the root of the choices that are a word with a number, by number."""
    root = search.root()
    assert root is not None
    words = {edge.action: search.batch.words(0, edge.action).split() for edge in root.edges if edge.taken}
    return {
        int(words[edge.action][1]): edge
        for edge in root.edges
        if edge.taken and words[edge.action][0] == word
    }


def grown(name: str, iterations: int, settings: SearchSettings | None = None) -> TreeSearch:
    match = Match(open_game(name), seed=3).start()
    waiting = match.waiting()[0]
    search = TreeSearch(match.game, waiting.seat, [match.state], 5, settings or SearchSettings(), iterations)
    search.run(iterations)
    return search


def test_ends_and_middles_come_first() -> None:
    assert set(tried(grown("texas_holdem", 5), "raise_by")) == {2, 50, 98}
    assert set(tried(grown("texas_holdem", 63), "raise_by")) == {2, 26, 50, 98}
    assert {2, 14, 26, 50, 74, 98} <= set(tried(grown("texas_holdem", 200), "raise_by"))


@pytest.mark.parametrize(("iterations", "numbers"), [(50, 4), (1_000, 10), (8_000, 20)])
def test_numbers_are_as_many_as_the_cube_root_of_the_visits(iterations: int, numbers: int) -> None:
    assert len(tried(grown("texas_holdem", iterations), "raise_by")) in (numbers, numbers + 1)


def test_each_number_of_a_search_is_tried_often() -> None:
    search = grown("texas_holdem", 10_000)
    wide = grown("texas_holdem", 10_000, SearchSettings(open_numbers=1_000))
    best, best_of_all = (max(e.taken for e in tried(one, "raise_by").values()) for one in (search, wide))
    assert len(tried(wide, "raise_by")) == 97
    assert best > 2 * best_of_all


@pytest.mark.parametrize(("matches", "lost"), [(1, True), (6, False)])
def test_proofs_wait_for_numbers_that_are_closed(matches: int, lost: bool) -> None:
    """Who takes the last match loses: of a row of six, five are taken, which is no end and no middle."""
    rows = {f"matches at {row}": "0" for row in ("second", "third", "fourth")}
    match = Match.from_position(
        open_game("nim"), {"matches at first": "0", **rows, "matches at fourth": str(matches)}
    )
    waiting = match.waiting()[0]
    match.take(waiting, waiting.options[0])
    search = TreeSearch(match.game, match.waiting()[0].seat, [match.state], 5, SearchSettings(), 4_000)
    search.run(4_000)
    root = search.root()
    assert root is not None
    assert root.bounds.solved
    assert (root.bounds.floor == LOST) is lost
    if not lost:
        best = next(edge for edge in root.edges if edge.bounds.floor == WON)
        assert search.batch.words(0, best.action).split()[-1] == "5"
