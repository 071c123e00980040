"""Players that are programs."""

from __future__ import annotations

from interpreter.bots.random import pick
from interpreter.match import Match
from rulewright.library import open_game


def test_the_random_bot_is_pure_and_reaches_every_option() -> None:
    match = Match(open_game("roma", 2), seed=1).start()
    waiting, before = match.waiting()[0], match.state[:]
    assert pick(5, match.state, waiting) == pick(5, match.state, waiting)
    assert match.state == before
    found = [pick(seed, match.state, waiting) for seed in range(400)]
    shares = [found.count(option) / 400 for option in waiting.options]
    assert all(0.15 < share < 0.35 for share in shares)  # four options
