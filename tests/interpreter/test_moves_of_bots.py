"""Moves of several decisions: a bot searches them in one tree, with one budget."""

from __future__ import annotations

import pytest

from interpreter.bots.budget import Budget, read_budget
from interpreter.bots.names import bot_named
from interpreter.bots.search import SearchBot
from interpreter.match import Match
from rulewright.library import open_game

BOT = SearchBot(Budget(iterations=60))


@pytest.mark.each_game
@pytest.mark.parametrize(("name", "seed"), [("chess", 3), ("amazons", 4), ("nim", 1)])
def test_a_move_of_two_decisions_has_one_budget(name: str, seed: int) -> None:
    match = Match(open_game(name), seed=seed).start()
    waiting = match.waiting()[0]
    first = BOT.move(match, waiting, seed)
    assert first.iterations == 60
    (state, option), *_ = first.plan
    match.take(waiting, first.best.option)
    assert state == match.state
    assert match.waiting()[0].seat == waiting.seat
    second = BOT.move(match, match.waiting()[0], seed)
    assert second.iterations == 0
    assert second.best.option == option
    assert BOT.choose(match, match.waiting()[0], seed) == option


def test_where_the_first_choice_is_another_one_the_next_is_searched() -> None:
    match = Match(open_game("chess"), seed=5).start()
    waiting = match.waiting()[0]
    first = BOT.move(match, waiting, 5)
    match.take(waiting, next(o for o in waiting.options if o != first.best.option))
    assert BOT.move(match, match.waiting()[0], 5).iterations == 60


def test_plans_are_of_one_bot_and_one_seed() -> None:
    match = Match(open_game("chess"), seed=6).start()
    waiting = match.waiting()[0]
    match.take(waiting, BOT.choose(match, waiting, 6))
    waiting = match.waiting()[0]
    assert BOT.move(match, waiting, 6).iterations == 0
    assert BOT.move(match, waiting, 7).iterations == 60
    assert SearchBot(Budget(iterations=61)).move(match, waiting, 6).iterations == 61


def test_a_choice_that_is_a_move_has_the_whole_budget() -> None:
    match = Match(open_game("connect_four"), seed=1).start()
    waiting = match.waiting()[0]
    moved, thought = BOT.move(match, waiting, 1), BOT.think(match, waiting, 1)
    assert moved == thought
    assert moved.plan == ()


def test_cards_that_are_passed_are_chosen_in_one_search() -> None:
    match = Match(open_game("hearts"), seed=1).start()
    waiting = match.waiting()[0]
    assert BOT.choose(match, waiting, 1) in waiting.options


def test_a_move_has_one_budget_of_time() -> None:
    bot = SearchBot(read_budget("500ms"))
    match = Match(open_game("checkers"), seed=2).start()
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        return 0.02 * looks

    problem = bot.problem(match, match.waiting()[0], 2)
    assert problem.solve(bot.budget, clock=clock, whole=True).plan
    assert looks < 32
    assert problem.solve(Budget(iterations=1 << 20), deadline=0.4, clock=clock, whole=True).plan
    assert looks < 64


def test_believing_bots_move_too() -> None:
    match = Match(open_game("liars_dice"), seed=2).start()
    waiting = match.waiting()[0]
    bot = bot_named("search:30+beliefs:5")
    assert bot.choose(match, waiting, 1) in waiting.options
