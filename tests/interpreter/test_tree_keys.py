"""Different decisions after different numbers of choices are different nodes of a search."""

from __future__ import annotations

from interpreter.bots.names import bot_named
from interpreter.match import Match
from rulewright.library import open_game


def test_decisions_with_the_same_view_are_told_apart() -> None:
    """Two decisions with neighbouring numbers follow each other, and the seat sees the same at both."""
    match = Match(open_game("roll_through_the_ages", seats=2), 0).start()
    bot, met = bot_named("search:20"), set()
    for _ in range(60):
        waiting = match.waiting()[0]
        met.add(waiting.node)
        match.take(waiting, bot.choose(match, waiting, 0))
    assert any(node + 1 in met for node in met)
