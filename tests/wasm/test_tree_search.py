"""Tree search in the module: the same numbers as the reference tree, and what it needs of a batch."""

from __future__ import annotations

import random
import time
from array import array
from collections import Counter
from threading import Thread

import numpy as np
import pytest

from interpreter import ir
from interpreter.bots.settings import SearchSettings
from interpreter.bots.tree_search import TreeSearch
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Aborted
from interpreter.wasm.batch import FINISHED, RUNNING, Batch, Stepper
from interpreter.wasm.engine import running
from rulewright.library import bundled, open_game
from tests.reference_tree import ReferenceTree

SMALL = (
    *("tic_tac_toe", "connect_four", "pig", "kuhn_poker", "goofspiel", "blackjack", "hedgerow", "roma"),
    *("nim", "texas_holdem", "oshi_zumo"),
)


def positions(game: Game, number: int, chooser: random.Random) -> list[array[int]]:
    """Positions of random matches in which something waits."""
    found = []
    while len(found) < number:
        match = Match(game, chooser.randrange(1000), keep_history=False).start()
        for _ in range(chooser.randrange(12)):
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
            if match.over:
                break
        if not match.over:
            found.append(match.state)
    return found


def lockstep(name: str, iterations: int) -> None:
    game = open_game(name)
    some = positions(game, 3, random.Random(name))
    for margin, trace, worlds in ((0.1, 1.0, some), (0.5, 0.6, some), (0.1, 0.8, some[:1])):
        settings = SearchSettings(margin=margin, trace=trace)
        fast, slow = (
            TreeSearch(game, 1 % game.machine.seats, worlds, 7, settings, iterations),
            ReferenceTree(game, 1 % game.machine.seats, worlds, 7, settings),
        )
        for part in (1, iterations // 3, iterations - iterations // 3 - 1):
            fast.run(part)
            slow.run(part)
            assert fast.nodes() == slow.nodes()
        assert (fast.iterations, fast.faulted) == (slow.iterations, slow.faulted)


@pytest.mark.parametrize("name", SMALL)
def test_the_module_and_the_reference_find_the_same(name: str) -> None:
    lockstep(name, 60)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled())
def test_the_module_and_the_reference_find_the_same_in_every_game(name: str) -> None:
    lockstep(name, 40 if name == "go" else 400)


def chosen_most(search: TreeSearch) -> int:
    root = search.root()
    assert root is not None
    return max(root.edges, key=lambda edge: edge.taken).action


@pytest.mark.each_game
@pytest.mark.parametrize("name", ["nim", "checkers", "amazons", "liars_dice"])
def test_the_next_decision_of_a_move_is_searched_in_the_same_tree(name: str) -> None:
    game, entered = open_game(name), 0
    for state in positions(game, 12, random.Random(name)):
        seat = game.executor.waiting(state)[0].seat
        fast = TreeSearch(game, seat, [state], 7, SearchSettings(), 150)
        slow = ReferenceTree(game, seat, [state], 7, SearchSettings())
        for search in (fast, slow):
            search.run(50)
        action = chosen_most(fast)
        inside = fast.enter(action, state)
        root = fast.root()
        if inside is not None:
            entered += 1
            slow.enter(action)
            assert root is not None
            assert root.visits > 0
            assert [e.action for e in root.edges] == sorted(
                fast.batch.action(inside[ir.PC], option)
                for option in game.executor.waiting(inside)[0].options
            )
        for search in (fast, slow):
            search.run(60)
        assert fast.nodes() == slow.nodes()
        assert fast.iterations == slow.iterations
    assert entered


def test_a_full_tree_goes_on_without_new_nodes() -> None:
    game = open_game("connect_four")
    state = Match(game).start().state
    small = TreeSearch(game, 0, [state], 1, SearchSettings(most_bytes=4000), 1_000)
    small.run(1_000)
    nodes = small.nodes()
    assert len(nodes) < 60
    assert nodes[0].visits == 1_000 == sum(edge.taken for edge in nodes[0].edges)


def test_a_search_is_stopped_from_outside_and_goes_on() -> None:
    game = open_game("roma")
    match = Match(game, seed=2).start()
    search = TreeSearch(game, 0, [match.state], 1, SearchSettings(), 1 << 20)
    search.run(10)

    def stop() -> None:
        while not any(instance is search.batch._instance for instance, _ in running()):
            time.sleep(0.001)
        for instance, use in running():
            if instance is search.batch._instance:
                instance.stop(use)

    stopper = Thread(target=stop)
    stopper.start()
    with pytest.raises(Aborted) as stopped:
        search.run((1 << 20) - 10)
    stopper.join()
    assert stopped.value.diagnostic.code == "R229"
    assert 10 <= search.iterations < 1 << 20
    before = search.iterations
    search.run(10)
    assert search.iterations == before + 10
    root = search.root()
    assert root is not None
    assert root.visits + search.faulted == search.iterations


@pytest.mark.parametrize("seat", [0, 1])
def test_the_seat_that_searches_is_asked_first(seat: int) -> None:
    game = open_game("goofspiel")
    match = Match(game, seed=2).start()
    search = TreeSearch(game, seat, [match.state], 1, SearchSettings(), 400)
    search.run(400)
    root, others = search.nodes()[0], search.nodes()[1:]
    assert search.root() == root
    assert (root.seat, root.visits) == (seat, 400)
    # what a seat chooses at the same time makes no difference to the other: it has a single node there
    assert others[0].seat == 1 - seat
    assert others[0].visits > 300


# ---- what a batch has for it


def test_rekey_changes_the_chance_to_come_and_nothing_else() -> None:
    game = open_game("pig")
    batch = Batch(game, 64, seed=3)
    for i in range(1, 64):
        batch.clone(0, i)
        before = batch.states[i].copy()
        batch.rekey(i, 1000 + i)
        assert (batch.states[i] == before).all()
        assert batch.codes[i] == RUNNING
    batch.step(np.zeros(64, np.int64))
    assert len({tuple(row) for row in batch.states.tolist()}) >= 5  # the faces of a die
    again = Batch(game, 1, seed=3)
    again.rekey(0, 1007)
    again.step([0])
    assert (again.states[0] == batch.states[7]).all()


def test_play_on_comes_to_an_end_of_the_rules() -> None:
    game = open_game("roma")
    batch = Batch(game, 8, seed=5)
    for i in range(8):
        batch.play_on(i)
    assert (batch.codes == FINISHED).all()
    assert batch.over.all()
    assert (batch.winners.sum(1) > 0).all()
    assert len({tuple(row) for row in batch.scores.tolist()}) > 1
    single = Stepper(game, seed=5)
    single.play_on()
    assert single.over


@pytest.mark.parametrize("name", ["roma", "hearts", "blackjack", "wharves", "tic_tac_toe"])
def test_results_are_those_of_the_match(name: str) -> None:
    game = open_game(name)
    batch = Batch(game, 4, seed=3)
    for i in range(3):
        batch.play_on(i)
    assert (batch.results[3] == 0).all()
    for i in range(3):
        match = Match(game, seed=3 + i)
        match.state = array("i", batch.states[i].tolist())
        shares, places, margins = batch.results[i].T
        won = match.winners()
        totals = [account.total for account in match.accounts()]
        sign = {"highest": 1, "lowest": -1, "none": 0}[game.machine.best]
        for seat, total in enumerate(totals):
            share = 1 / len(won) if game.names.seat(seat) in won else 0.0
            assert shares[seat] == pytest.approx(share)
            others = [sign * x for other, x in enumerate(totals) if other != seat]
            assert margins[seat] == sign * total - (max(others) if others else 0)
        if all(not account.tiebreaks for account in match.accounts()):
            assert places.tolist() == match.places()


def test_play_on_draws_options_with_equal_chance() -> None:
    game = open_game("tic_tac_toe")
    batch = Batch(game, 1, seed=5)
    start = batch.save(0)
    found = Counter[tuple[bool, ...]]()
    for _ in range(4000):
        batch.load(0, start)
        batch.play_on(0)
        found[tuple(batch.winners[0].tolist())] += 1
    # of all matches with equally likely choices, the first wins 0.5849, the second 0.2881
    assert abs(found[True, False] / 4000 - 0.5849) < 0.03
    assert abs(found[False, True] / 4000 - 0.2881) < 0.03


@pytest.mark.parametrize("name", ["chess", "hearts", "roma"])
def test_put_takes_up_a_position_of_a_match(name: str) -> None:
    game = open_game(name)
    for state in positions(game, 4, random.Random(1)):
        batch = Batch(game, 2, seed=9)
        batch.put(1, state)
        assert batch.states[1].tolist() == state.tolist()
        waiting = game.executor.waiting(state)[0]
        offered = [batch.option(waiting.node, int(a)) for a in batch.masks[1].nonzero()[0]]
        assert offered == list(waiting.options)
        batch.play_on(1)
        assert batch.codes[1] == FINISHED


def test_what_is_no_state_is_refused() -> None:
    batch = Batch(open_game("pig"), 1)
    with pytest.raises(ValueError, match="words"):
        batch.put(0, [1, 2, 3])
    faulted = batch.states[0].tolist()
    faulted[ir.STATUS] = 7
    with pytest.raises(ValueError, match="not the state of a match that waits or is over"):
        batch.put(0, faulted)
