"""Games of other families, so that the language stays general: they compile and play to an end.

A trick-taking game with passing, a deduction game of sixteen cards, a game of posting figures on cards, an
auction in which the displaced bid again with another edition of it laid over, an island of hexagons with huts
and roads, railway lines, and fences around fields, a game that all win or lose together, one of melds of
several cards at once, one of stones of which only the upper ones are seen, one of cards in which the
direction turns round and who is out is skipped, trains that run best together, a barter of cards by their
places in the hand, and words that are spelt letter by letter.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.load import load, load_for_questions
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.queries import QueryEvaluator
from interpreter.wasm.build_config import FAST
from rulewright.library import folder
from rulewright.presentation.description import describe
from rulewright.presentation.position import position
from rulewright.tui.public_values import PublicValues
from tests.wasm.rollouts import Rollouts, reference_row, same
from validators.secrecy.noninterference import leaks

HERE = Path(__file__).parent
NAMES = sorted(p.parent.name for p in HERE.glob("*/game.yaml"))


def game(name: str, seats: int) -> Game:
    rules, report = load(folder(HERE / name))
    assert not list(report), [m.message for m in report]
    return Game(rules, compile_rules(rules, seats))


def tables() -> list[tuple[str, int]]:
    found = []
    for name in NAMES:
        low, high = load(folder(HERE / name))[0].seats
        found.extend((name, seats) for seats in range(low, high + 1))
    return found


@pytest.mark.parametrize(("name", "seats"), tables())
def test_plays_to_an_end(name: str, seats: int) -> None:
    made = game(name, seats)
    for seed in range(4):
        match = Match(made, seed=seed, checked=True, keep_history=False).start()
        chooser = random.Random(seed)
        while not match.over:
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
        assert match.winners() or match.outcome() is not None
        assert sorted(match.places())[0] == 1


def test_tricks_give_all_points() -> None:
    """Every deal has 26 points, shared among the seats."""
    match = Match(game("tricks", 4), seed=3, checked=True).start()
    chooser = random.Random(3)
    before = 0
    while not match.over:
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
        total = sum(v for k, v in match.view(-2).counters.items() if k.startswith("total"))
        assert (total - before) % 26 == 0
        before = total
    assert before >= 100


def test_a_shown_hand_is_seen_by_one_seat() -> None:
    """Whoever looks at a hand sees it; the others are told only that it happened."""
    made = game("letters", 3)
    for seed in range(40):
        match = Match(made, seed=seed).start()
        chooser = random.Random(seed)
        while not match.over:
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
        shown = [e for s in match.steps for e in s.events if type(e).__name__ == "Shown"]
        if shown:
            other = next(i for i in range(3) if i != shown[0].seat)
            event = made.views.redact(shown[0], other)
            assert event is not None
            assert made.views.notated([event])[0].endswith("is shown cards")
            return
    pytest.fail("nobody ever looked at a hand")


def test_the_displaced_bid_again() -> None:
    """Everybody ends with an office, whatever was bid."""
    for seats in (2, 3, 4):
        made = game("auction", seats)
        for seed in range(20):
            match = Match(made, seed=seed).start()
            chooser = random.Random(seed)
            while not match.over:
                waiting = chooser.choice(match.waiting())
                match.take(waiting, chooser.choice(waiting.options))
            zones = match.view(-2).zones
            seated = [names for place, names in zones.items() if place.startswith("chair") and names]
            assert len(seated) == seats
            assert zones["lobby"] == []


@pytest.mark.parametrize(
    ("name", "seats", "meant"),
    [("purses", 3, ()), ("lanterns", 3, ("hint",)), ("partners", 4, ()), ("quarry", 3, ())],
)
def test_games_with_hidden_values_keep_their_secrets(name: str, seats: int, meant: tuple[str, ...]) -> None:
    """A hint tells something of the cards on purpose."""
    assert [str(leak) for leak in leaks(game(name, seats), 1, 25, meant)] == []


ISLAND = {
    "size(tile)": "7",
    "size(node)": "24",
    "size(path)": "30",
    "count(path where size(places(path)) is 2)": "12",
    "count(node where size(edges(node)) is 2)": "12",
    "sum(size(corners(tile)) for tile)": "42",
    "sum(size(places(node)) for node)": "42",
    "count(node where node.harbour exists)": "3",
    "size(spread([b1_south], path))": "24",
    "size(south_coast)": "2",
    "count(x in coast where size(neighbours(x)) is 3)": "6",
}


@pytest.mark.parametrize("question", ISLAND)
def test_what_there_is_on_the_island(question: str) -> None:
    """The shape of the board, what touches what, and the columns from the files."""
    rules, _, questions = load_for_questions(folder(HERE / "island"))
    made = Game(rules, compile_rules(rules, 2))
    match = Match(made, seed=1)
    assert QueryEvaluator(made).answer(match.state, questions.ask(question)) == ISLAND[question]


def test_all_see_the_upper_stones() -> None:
    """A spectator sees what lies on top of each face, and how many are below; what comes to light is told."""
    match = Match(game("quarry", 2), seed=4).start()
    whole, seen = match.view(-2).zones["face at east"], match.view(-1).zones["face at east"]
    assert isinstance(whole, list)
    assert seen == ["?"] * 8 + whole[-1:]
    match.choose("A", "clear_away east")
    news = match.game.views.notated(match.game.views.redacted(match.steps[-1].events, -1))
    assert news[:3] == [
        "1 stone: face at east -> rubble",
        f"on top of rubble: {whole[-1]}",
        f"on top of face at east: {whole[-2]}",
    ]
    assert not match.undo_depth(), "another stone has come to light"


def test_values_are_shown_at_the_table() -> None:
    """Of all and of seats, in the order of the look, to everybody the same; in words at the terminal."""
    made = game("quarry", 2)
    match = Match(made, seed=4).start()
    match.choose("A", "build east")
    stone = match.view(-2).zones["tower of A"]
    assert isinstance(stone, list)
    weight = int(stone[0])
    for viewer in (-1, 0, 1):
        assert position(match, viewer)["computed"] == [0, 0, [1, 0], [weight, 0]]
    names = [one["name"] for one in describe(made)["computed"]]
    assert names == ["leader", "nearly_empty", "stones_up", "next_stone"]
    public = PublicValues(made)
    assert [value.name for value in public.of_all()] == ["leader", "nearly_empty"]
    assert [public.ask(match.state, value) for value in public.of_all()] == ["A", 0]
    asked = [[public.ask(match.state, v, s) for s in (0, 1)] for v in public.of_seats()]
    assert asked == [[1, 0], [weight, 0]]


def test_a_game_for_all_together_is_won_or_lost_by_all() -> None:
    ends = set()
    for seed in range(30):
        match = Match(game("outbreak", 3), seed=seed, keep_history=False).start()
        chooser = random.Random(seed)
        while not match.over:
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
        ends.add(match.outcome())
        assert match.winners() == (["A", "B", "C"] if match.outcome() == "remedies" else [])
        assert match.places() == [1, 1, 1]
    assert len(ends) > 1, "only one of the ends was reached"


@pytest.mark.parametrize("name", ["outbreak", "reversing", "quarry", "rails"])
def test_both_executors_play_alike(name: str) -> None:
    """Playouts of the fast executor in rows, and the same by choices in the other one."""
    rules, _ = load(folder(HERE / name))
    for seats in range(rules.seats[0], rules.seats[1] + 1):
        machine = compile_rules(rules, seats)
        played = Rollouts(machine, FAST)
        for seed in range(20):
            row = reference_row(rules, machine, seed, 200)
            if row is not None:
                same(played, seed, [row])
