"""Games of other families, so that the language stays general: they compile and play to an end.

A trick-taking game with passing, a deduction game of sixteen cards, a game of posting figures on cards,
and an auction in which the displaced bid again.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.load import load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import folder

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
    for seed in range(8):
        match = Match(made, seed=seed, checked=True, keep_history=False).start()
        chooser = random.Random(seed)
        while not match.over:
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
        assert match.winners()


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
            text = made.views.text(shown[0], other)
            assert (text or "").endswith("is shown cards")
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
