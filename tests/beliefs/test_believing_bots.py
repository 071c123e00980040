"""Bots that search in believed worlds: by name, fair, and never without worlds."""

from __future__ import annotations

import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.drawing import BelievedWorlds
from interpreter.beliefs.flows import PieceCounter
from interpreter.beliefs.seat_log import SeatLog
from interpreter.bots.dealing import DealtWorlds
from interpreter.bots.names import bot_named, is_bot
from interpreter.bots.search import SearchBot
from interpreter.match import Match
from rulewright.serve.matches.creating import check_bot
from rulewright.serve.messages import BadTable
from tests.beliefs.games import opened, played
from tests.games import game_of


@pytest.mark.parametrize(
    "name", ["search:40+beliefs", "search+beliefs", "hard+beliefs", " search:2s+beliefs "]
)
def test_names(name: str) -> None:
    bot, plain = bot_named(name), bot_named(name.strip().removesuffix("+beliefs"))
    assert is_bot(name)
    assert isinstance(bot, SearchBot)
    assert isinstance(plain, SearchBot)
    assert bot.budget == plain.budget
    assert isinstance(bot.worlds, BelievedWorlds)
    assert isinstance(bot.worlds.otherwise, DealtWorlds)
    assert bot.worlds.steps < 10_000
    assert isinstance(plain.worlds, DealtWorlds)


@pytest.mark.parametrize(
    ("name", "code"), [("random+beliefs", "R250"), ("+beliefs", "R250"), ("search:x+beliefs", "R251")]
)
def test_names_that_no_bot_has(name: str, code: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        bot_named(name)
    assert caught.value.diagnostic.code == code


def test_the_hint_for_a_bot_that_does_not_search() -> None:
    with pytest.raises(DiagnosticError) as caught:
        bot_named("random+beliefs")
    assert "only bots that search look at worlds" in caught.value.diagnostic.help


def test_a_server_has_no_such_bots() -> None:
    with pytest.raises(DiagnosticError, match="believed worlds") as caught:
        check_bot("search:50+beliefs", searching=True)
    assert isinstance(caught.value.diagnostic, BadTable)


@pytest.mark.parametrize(("name", "choices"), [("follow suit", 1), ("face down", 2), ("exchange", 3)])
def test_two_positions_that_a_seat_cannot_tell_apart_get_the_same_thoughts(name: str, choices: int) -> None:
    bot = bot_named("search:30+beliefs")
    assert isinstance(bot, SearchBot)
    matches = (played(opened(name), choices, seed) for seed in range(20))
    match = next(m for m in matches if not m.over and len(m.waiting()[0].options) > 1)
    waiting = match.waiting()[0]
    beliefs = believe(match.game, SeatLog.of(match, waiting.seat))
    others = [match_of(beliefs, world) for world in beliefs.worlds[:6]]
    assert len({other.hash() for other in others}) > 1

    def thoughts(one: Match, seed: int) -> list[tuple[tuple[str, ...], int, float]]:
        found = bot.think(one, next(w for w in one.waiting() if w.seat == waiting.seat), seed)
        return [(thought.choice.words, thought.visits, thought.value) for thought in found.choices]

    for seed in range(3):
        for other in others:
            assert thoughts(other, seed) == thoughts(match, seed)


def test_without_believed_worlds_there_are_dealt_ones() -> None:
    """The steps do not suffice, or the match keeps no history."""
    match = Match(game_of("kuhn_poker", 2), 3).start()
    waiting = match.waiting()[0]
    dealt = DealtWorlds()
    assert BelievedWorlds(steps=1).draw(match, waiting, 8, 1) == []
    assert BelievedWorlds(steps=1, otherwise=dealt).draw(match, waiting, 8, 1) == dealt.draw(
        match, waiting, 8, 1
    )
    match.keep_history = False
    assert BelievedWorlds(otherwise=dealt).draw(match, waiting, 8, 1) == dealt.draw(match, waiting, 8, 1)


def test_a_void_suit_counts() -> None:
    """Dealt worlds give B the suit that it did not follow; believed ones never do."""
    game = opened("follow suit")
    for seed in range(80):
        match = played(game, 2, seed)
        (led, first), (answer, _) = ((s.text.split()[-1].split("_")[0], s.seat) for s in match.steps[-2:])
        waiting = match.waiting()[0]
        if led != answer and first == game.names.seat(waiting.seat):
            break
    assert led != answer
    suits = [name.split("_")[0] for name in game.rules.components["card"].classes]
    place = next(i for i in range(len(game.machine.places)) if game.names.place(i) == "hand of B")
    assert waiting.seat == 0

    def holding(worlds: BelievedWorlds | DealtWorlds) -> int:
        states = worlds.draw(match, waiting, 24, 1)
        assert len(states) == 24
        return sum(any(suits[c] == led for c in PieceCounter(game)(state, place)) for state in states)

    assert holding(BelievedWorlds()) == 0
    assert holding(DealtWorlds()) > 0
