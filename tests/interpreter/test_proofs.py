"""What a search proves: results are those of an exhaustive search, chance proves nothing, proofs are used."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from functools import cache

import pytest

from interpreter.bots.names import bot_named
from interpreter.bots.ranking import Finding, best_first
from interpreter.bots.search import Thought, search
from interpreter.bots.settings import DRAWN, LOST, WON, Bounds, SearchSettings, can_solve
from interpreter.bots.tree_search import TreeSearch
from interpreter.match import Match
from rulewright.library import open_game
from tests.reference_tree import ReferenceTree

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
CELLS = tuple(column + row for row in "123" for column in "abc")


@cache
def result(board: str, mover: str) -> int:
    """The result of a board for the mover in half wins, by looking at everything."""
    if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES):
        return LOST
    free = [i for i in range(9) if board[i] == "."]
    return max((WON - result(*after(board, mover, i)) for i in free), default=DRAWN)


def after(board: str, mover: str, cell: int) -> tuple[str, str]:
    return board[:cell] + mover + board[cell + 1 :], "B" if mover == "A" else "A"


def position(cells: list[int]) -> tuple[Match, str, str]:
    match, board, mover = Match(open_game("tic_tac_toe"), seed=1).start(), "." * 9, "A"
    for cell in cells:
        match.choose(mover, f"place {CELLS[cell]}")
        board, mover = after(board, mover, cell)
    return match, board, mover


def exact(thought: Thought, board: str, mover: str) -> int:
    return WON - result(*after(board, mover, CELLS.index(thought.choice.words[-1])))


def some_positions(number: int) -> list[tuple[Match, str, str]]:
    chooser, found = random.Random(1), []
    while len(found) < number:
        match, board, mover = position(chooser.sample(range(9), chooser.randrange(2, 6)))
        if not match.over:
            found.append((match, board, mover))
    return found


def test_proofs_are_what_an_exhaustive_search_finds() -> None:
    proven = Counter[int]()
    for match, board, mover in some_positions(40):
        thoughts = search(match, mover, 3000)
        assert thoughts.proof is not None
        assert thoughts.proof.result == result(board, mover)
        assert exact(thoughts.choices[0], board, mover) == result(board, mover)
        for thought in thoughts.choices:
            if thought.proof is not None:
                assert thought.proof.result == exact(thought, board, mover)
                proven[thought.proof.result] += 1
    assert min(proven[LOST], proven[DRAWN], proven[WON]) >= 10


def test_bounds_hold_before_anything_is_proven() -> None:
    for match, board, mover in some_positions(20):
        waiting = match.waiting()[0]
        tree = TreeSearch(match.game, waiting.seat, [match.state], 1, SearchSettings(), 60)
        tree.run(60)
        root = tree.root()
        assert root is not None
        assert root.bounds.floor <= result(board, mover) <= root.bounds.ceiling


def test_a_search_ends_with_the_proof() -> None:
    match, _, mover = position([0, 3, 1, 4])
    thoughts = search(match, mover, 100_000, line=4)
    assert thoughts.iterations < 100
    assert str(thoughts.proof) == "won for sure, in 1 choice"
    assert thoughts.choices[0].value == 1.0
    assert thoughts.line == (("A", thoughts.best.text),)


def test_who_has_lost_takes_the_longest_way() -> None:
    match, _, mover = position([0, 1, 3])
    thoughts = search(match, mover, 1000)
    assert str(thoughts.proof) == "lost for sure, in 4 choices"
    assert str(thoughts.choices[-1].proof) == "lost for sure, in 2 choices"


def test_what_is_behind_chance_is_not_proven() -> None:
    values = {"points of A": 98, "points of B": 95, "pot": 1}
    match = Match.from_position(open_game("pig"), values, at="turn", seat="A")
    thoughts = search(match, "A", 3000)
    assert [thought.choice.text for thought in thoughts.choices] == ["throw", "hold"]
    assert thoughts.choices[0].value > 0.7, "five faces of the die win at once"
    assert [thought.proof for thought in thoughts.choices] == [None, None]


def last_positions(name: str, number: int) -> list[array[int]]:
    """Positions a few choices before the ends of random matches."""
    found = []
    for seed in range(number):
        chooser, states = random.Random(seed), []
        match = Match(open_game(name), seed, keep_history=False).start()
        while not match.over:
            waiting = chooser.choice(match.waiting())
            states.append(match.state[:])
            match.take(waiting, chooser.choice(waiting.options))
        found.append(states[-3])
    return found


@pytest.mark.parametrize("name", ["clobber", "tic_tac_toe", "breakthrough"])
def test_the_module_and_the_reference_prove_the_same(name: str) -> None:
    game, solved = open_game(name), 0
    for state in last_positions(name, 4):
        seat = game.executor.waiting(state)[0].seat
        fast = TreeSearch(game, seat, [state], 7, SearchSettings(), 200)
        slow = ReferenceTree(game, seat, [state], 7, SearchSettings())
        assert [fast.run(n) for n in (50, 150)] == [slow.run(n) for n in (50, 150)]
        assert fast.nodes() == slow.nodes()
        solved += fast.nodes()[0].bounds.solved
    assert solved >= 2


@pytest.mark.parametrize(
    ("name", "solves"),
    [
        ("connect_four", True),
        ("backgammon", True),
        ("kuhn_poker", False),  # hidden cards
        ("goofspiel", False),  # chosen together
        ("twenty_forty_eight", False),  # a single side, whose points count
    ],
)
def test_what_can_be_proven_at_all(name: str, solves: bool) -> None:
    game = open_game(name)
    match = Match(game, seed=1).start()
    tree = TreeSearch(game, match.waiting()[0].seat, [match.state], 1, SearchSettings(), 1)
    assert can_solve(game, tree.batch.recall, 1, SearchSettings()) == solves
    assert not can_solve(game, tree.batch.recall, 2, SearchSettings())
    assert not can_solve(game, tree.batch.recall, 1, SearchSettings(solve=False))


def test_what_is_the_best_choice() -> None:
    lost, drawn, won = (Bounds(x, x, 3) for x in (LOST, DRAWN, WON))
    known, rare, poor = Finding(9, 8.0), Finding(2, 1.9), Finding(9, 1.0)
    assert best_first([known, rare]) == [0, 1], "the one that was taken more often"
    assert best_first([known, Finding(1, 0.0, won)]) == [1, 0]
    assert best_first([Finding(50, 40.0, lost), rare]) == [1, 0]
    assert best_first([poor, Finding(5, 2.5, drawn)]) == [1, 0], "a draw rather than what seems worse"
    assert best_first([known, Finding(5, 2.5, drawn)]) == [0, 1]
    assert best_first([rare, Finding(5, 2.5, drawn)]) == [1, 0], "or than what is known less"
    assert best_first([Finding(1, 0, lost), Finding(1, 0, Bounds(LOST, LOST, 7))]) == [1, 0]
    assert best_first([Finding(1, 0, won), Finding(9, 9, Bounds(WON, WON, 1))]) == [1, 0]


def test_a_strong_bot_never_loses_where_it_need_not() -> None:
    game = open_game("tic_tac_toe")
    for seed in range(10):
        bots = [bot_named("search:3000"), bot_named("random")][:: 1 if seed % 2 else -1]
        match = Match(game, seed).start()
        while not match.over:
            waiting = match.waiting()[0]
            match.take(waiting, bots[waiting.seat].choose(match, waiting, seed))
        assert match.winners() != ["AB"[seed % 2]]
