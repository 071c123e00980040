"""No line of what happened is without a name: of bookkeeping, which has no label, its word is told."""

from __future__ import annotations

import re
from random import Random

import pytest

import rulewright
from interpreter.game import Game
from interpreter.match import Match
from interpreter.redacted_log import entries
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.library import bundled
from rulewright.story.lines import lines_of
from rulewright.story.names import TableNames
from rulewright.tui.story import Story
from tests.games import sample

KEPT = ("fenways", "constantinopolis", "gin_rummy", "augustus", "marches")
NAMELESS = re.compile(r"^\s*:|^\s*(of|at|to|from)\b|\b(of|at)\s*:|[;,]\s*:|^\s*$|\s{2}|→\s*$|->\s*$")


def test_what_is_nameless_is_found() -> None:
    for text in (": 0 -> 2", "at c1 to southwest: true", "x of : 1", "", "box  of A: 1"):
        assert NAMELESS.search(text), text
    for text in ("trodden at c1: true", "coins of A: 0 -> 2", "peat: bank -> hut of A"):
        assert not NAMELESS.search(text), text


@pytest.mark.parametrize("language", ["", "hu", "ro"])
@pytest.mark.parametrize("name", sample(sorted(bundled()), KEPT))
def test_no_event_of_a_random_match_is_nameless(name: str, language: str) -> None:
    game = rulewright.open_game(name)
    if language not in ("", *game.rules.languages):
        return
    rules = game.rules.in_language(language) if language else game.rules
    match, random = Match(game, seed=4).start(), Random(4)
    for _ in range(120):
        if match.over:
            break
        decision = random.choice(match.decisions())
        match.take(decision.waiting, random.choice(decision.choices).option)
    names = TableNames.of(Game(rules, game.machine, None))
    for viewer in (REFEREE, SPECTATOR, 0):
        for text in lines_of(names, entries(match, viewer)):
            assert not NAMELESS.search(text), text


@pytest.mark.parametrize("name", sample(sorted(bundled()), KEPT))
def test_no_line_of_the_news_is_nameless(name: str) -> None:
    game: Game = rulewright.open_game(name)
    match, random = Match(game, seed=4).start(), Random(4)
    story = Story(match, [0])
    for _ in range(60):
        if match.over:
            break
        decision = random.choice(match.decisions())
        first = len(match.steps)
        match.take(decision.waiting, random.choice(decision.choices).option)
        story.record(first)
    for line in story.unread(0):
        assert not re.search(r"^\s*:|[;,—]\s*:|\s:\s|:\s*$", line), line
