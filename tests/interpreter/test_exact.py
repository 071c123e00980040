"""Decisions that are solved: values are exact where few positions follow; else nothing is claimed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.bots.budget import Budget
from interpreter.bots.exact import Solution, solution
from interpreter.bots.search import SearchBot, search
from interpreter.bots.settings import SearchSettings
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import open_game
from tests.rulewright.test_play import Table, after

GOAL = 18


def never() -> bool:
    return False


def pig() -> Game:
    return open_game("pig", 2, options={"goal": GOAL})


def at(own: int, other: int, pot: int, game: Game | None = None) -> Match:
    values = {"points of A": own, "points of B": other, "pot": pot}
    return Match.from_position(game or pig(), values, at="turn", seat="A")


def solve(match: Match, iterations: int, late: Callable[[], bool] = never) -> Solution | None:
    return solution(match.game, match.state, SearchSettings(), iterations, late)


def exact_values() -> dict[tuple[int, int, int], tuple[float, float]]:
    """By own points, those of the other and the pot: how likely the player at the turn wins, if he throws or
    holds."""
    found = {(a, b, p): (0.0, 0.0) for a in range(GOAL) for b in range(GOAL) for p in range(GOAL - a)}
    for _ in range(60):
        for own, other, pot in reversed(list(found)):
            throws = 1.0 - max(found[other, own, 0])
            for face in range(2, 7):
                won = own + pot + face >= GOAL
                throws += 1.0 if won else max(found[own, other, pot + face])
            found[own, other, pot] = throws / 6.0, 1.0 - max(found[other, own + pot, 0])
    return found


def test_values_are_those_of_the_best_choices() -> None:
    expected, game = exact_values(), pig()
    for own, other, pot in [(0, 0, 0), (5, 9, 4), (11, 2, 2), (3, 17, 6)]:
        thoughts = search(at(own, other, pot, game), "A", 1000)
        assert thoughts.solved > 200
        values = {thought.choice.text: thought.value for thought in thoughts.choices}
        throws, holds = expected[own, other, pot]
        assert values == {"throw": pytest.approx(throws, abs=1e-4), "hold": pytest.approx(holds, abs=1e-4)}
        assert thoughts.best.text == ("throw" if throws > holds else "hold")


def test_the_seat_that_moves_second_gets_what_is_left() -> None:
    values = {"points of A": 5, "points of B": 11, "pot": 2}
    match = Match.from_position(pig(), values, at="turn", seat="B")
    thoughts = search(match, "B", 1000)
    assert thoughts.choices[0].value == pytest.approx(max(exact_values()[11, 5, 2]), abs=1e-4)


def test_too_many_positions_are_not_solved() -> None:
    match = at(0, 0, 0)
    found = solve(match, 1000)
    assert found is not None
    few = SearchSettings(positions=5)
    assert solution(match.game, match.state, few, found.positions // 5, never) is None
    assert solve(match, 1000, lambda: True) is None
    assert solve(match, 200) is None, "so few iterations do not try"
    thoughts = search(match, "A", 20)
    assert (thoughts.iterations, thoughts.solved) == (20, 0)


@pytest.mark.parametrize("name", ["backgammon", "yacht", "connect_four", "leduc_poker", "augustus"])
def test_what_cannot_be_solved_is_searched(name: str) -> None:
    match = Match(open_game(name), 1).start()
    thoughts = search(match, match.waiting()[0].seat, 30)
    assert (thoughts.iterations, thoughts.solved) == (30, 0)


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_STEPS"])
def test_memory_is_bounded(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"interpreter.bots.exact.{limit}", 10_000)
    assert solve(at(0, 0, 0), 1000) is None


def test_a_solved_choice_does_not_depend_on_the_seed() -> None:
    match, bot = at(4, 6, 5), SearchBot(Budget(iterations=500))
    waiting = match.waiting()[0]
    assert len({bot.choose(match, waiting, seed) for seed in range(5)}) == 1
    assert bot.think(match, waiting, 1) == bot.think(match, waiting, 2)


def test_time_is_kept() -> None:
    match = Match(open_game("pig", 2), 1).start()
    problem = SearchBot(Budget(seconds=0.2)).problem(match, match.waiting()[0], 1)
    thoughts = problem.solve(Budget(seconds=0.2))
    assert thoughts.iterations > 0


@pytest.mark.parametrize(("seconds", "tries"), [(0.01, 0), (0.2, 1)])
def test_a_moment_belongs_to_the_search(seconds: float, tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr("interpreter.bots.exact.solution", lambda *given: asked.append(given))
    match = at(4, 6, 5)
    thoughts = SearchBot(Budget(seconds=seconds)).think(match, match.waiting()[0], 1)
    assert len(asked) == tries
    assert thoughts.iterations > 0


def test_a_fault_on_a_way_leaves_it_to_the_search(tmp_path: Path) -> None:
    for most, found in ((99, True), (6, False)):
        match = Match(dice(tmp_path, most), 1).start()
        thoughts = search(match, "A", 300)
        assert bool(thoughts.solved) is found
        assert bool(thoughts.iterations) is not found


def test_a_hint_says_what_is_solved() -> None:
    table = Table("pig", "human,human", options={"goal": str(GOAL)})
    said = after(table.says_all("hint 1000", "quit"), "hint 1000")
    assert re.search(r"throw the die  value 0\.\d{4}", said)
    assert re.search(r"solved: \d\d\.\d%, by all [\d,]+ positions that can follow", said)


def test_who_stops_the_enumeration_gets_a_short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> Solution | None:
        raise KeyboardInterrupt

    monkeypatch.setattr("interpreter.bots.exact.solution", stopped)
    match, bot = at(4, 6, 5), SearchBot(Budget(seconds=60.0))
    begun = time.perf_counter()
    thoughts = bot.think(match, match.waiting()[0], 1, interruptible=True)
    assert thoughts.interrupted
    assert thoughts.iterations > 16
    assert time.perf_counter() - begun < 30
    with pytest.raises(KeyboardInterrupt):
        bot.think(match, match.waiting()[0], 1)


def test_points_count_where_nobody_loses(tmp_path: Path) -> None:
    """To toss brings 2.5 points on average, to rest one."""
    thoughts = search(Match(dice(tmp_path, 99), 1).start(), "A", 300)
    assert thoughts.best.text == "toss"
    assert thoughts.choices[0].value > thoughts.choices[1].value


def test_a_game_without_an_end_is_not_solved(tmp_path: Path) -> None:
    match = Match(dice(tmp_path, 99, "turn"), 1).start()
    assert solve(match, 1000) is None


def dice(folder: Path, most: int, last: str = "final") -> Game:
    """Three times one tosses for 1 to 4 points, or takes one."""
    clamped = "" if last == "final" else ", at_edge: clamp"
    folder.joinpath("game.yaml").write_text(
        "game: small\nseats: 1\nrules: [small.rules]\n"
        "components: {die: {die: 1..4, count: 1}}\n"
        f"counters: {{points: {{range: 0..{most}{clamped}}}, rounds: {{range: 0..3, at_edge: clamp}}}}\n"
        "flow:\n"
        "  turn:\n    seat: rotates\n    do: [{do one of: [toss, rest]}]\n"
        f"    then: {{rounds is 3: {last}, otherwise: turn}}\n"
        "  final: {score: highest}\n"
    )
    folder.joinpath("small.rules").write_text(
        "action toss\n    roll die\n    points += die.face\n    rounds += 1\n"
        "action rest\n    points += 1\n    rounds += 1\nscore points = points\n"
    )
    return open_game(str(folder))
