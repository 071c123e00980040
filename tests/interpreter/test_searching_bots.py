"""Bots that search: names and budgets, what they may know, that they play every game to its end."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace

import pytest

from dsl.diagnostics import DiagnosticError
from interpreter import ir
from interpreter.bots.bot import Bot
from interpreter.bots.budget import Budget, read_budget
from interpreter.bots.dealing import DealtWorlds
from interpreter.bots.names import NAMES, bot_named, is_bot
from interpreter.bots.search import SearchBot, Thoughts, search
from interpreter.events import Moved, Thrown
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.library import bundled, open_game
from validators.secrecy.indistinguishable_states import IndistinguishableStates, Known, tokens_of
from validators.secrecy.visibility import Visibility

HIDING = ("kuhn_poker", "leduc_poker", "roma", "hearts", "henhouse", "liars_dice", "poacher")
TOGETHER = ("goofspiel", "augustus", "hearts", "marches")
BOT = SearchBot(Budget(iterations=40))


# ---- names and budgets


def test_bots_have_names() -> None:
    assert all(is_bot(name) and bot_named(name) for name in NAMES)
    assert bot_named("search:500") == SearchBot(Budget(iterations=500))
    assert bot_named("search:2s") == SearchBot(Budget(seconds=2.0))
    assert bot_named("search:250ms") == SearchBot(Budget(seconds=0.25))
    assert is_bot("search:nothing")
    assert not is_bot("random:3")


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("serch", "R250", "did you mean `search`?"),
        ("wise", "R250", "`random`, `search`, `easy`"),
        ("wise", "R250", "as `hard+beliefs`"),
        ("random:5", "R250", "only `search` takes a budget"),
        ("search:", "R251", "write iterations"),
        ("search:0", "R251", "1 or more"),
        ("search:4000001", "R251", "at most 4000000"),
        ("search:-3", "R251", "write iterations"),
        ("search:1.5", "R251", "write iterations"),
        ("search:0s", "R251", "at most 600s"),
        ("search:601s", "R251", "at most 600s"),
        ("search:xs", "R251", "write iterations"),
        ("search:²", "R251", "write iterations"),
    ],
)
def test_what_no_bot_is_has_a_code_and_help(name: str, code: str, says: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        bot_named(name)
    assert refused.value.diagnostic.code == code
    assert says in refused.value.diagnostic.help


def test_a_budget_of_time_ends_in_time() -> None:
    match = Match(open_game("connect_four"), seed=1).start()
    thoughts = SearchBot(read_budget("30ms")).think(match, match.waiting()[0], 1)
    assert 16 <= thoughts.iterations < 1 << 20
    hasty = SearchBot(Budget(iterations=1 << 20)).problem(match, match.waiting()[0], 1)
    assert hasty.solve(Budget(iterations=1 << 20), deadline=0.02).iterations < 1 << 20


# ---- what they may know


def pairs(name: str, number: int) -> Iterator[tuple[Match, Match, int]]:
    """Two matches that a seat cannot tell apart, and the seat."""
    game = open_game(name)
    states = IndistinguishableStates(game, Visibility(game))
    for seed in range(12):
        chooser = random.Random(seed)
        match = Match(game, seed).start()
        for _ in range(20):
            if match.over or not number:
                break
            waiting = chooser.choice(match.waiting())
            other = _another(match, waiting.seat, states, chooser)
            if other is not None:
                number -= 1
                yield match, other, waiting.seat
            match.take(waiting, chooser.choice(waiting.options))


def _another(
    match: Match, seat: int, states: IndistinguishableStates, chooser: random.Random
) -> Match | None:
    """The same match where something lies elsewhere that the seat does not see; none if nothing is found."""
    if match.state[ir.FORKED] or not states.hides(match.state, seat):
        return None
    known = Known(tokens_of(match.game, match.state), fixed=_never_mixed(match, seat))
    other = _with(match, states.other(match.state, seat, known, chooser))
    try:
        match.game.reference.check_promises(other.state[:])
        alike = match.view(seat) == other.view(seat) and _offered(match, seat) == _offered(other, seat)
    except Fault:
        return None
    return other if alike and other.state != match.state else None


def _never_mixed(match: Match, seat: int) -> frozenset[int]:
    """The places that have exchanged no piece unseen: a seat that has watched knows what lies there."""
    views = match.game.views
    hidden = {p for p in range(len(match.game.machine.places)) if not views.may_see(p, seat)}
    mixed: set[int] = set()
    for step in match.steps:
        for event in step.events if step.seat is not None or step.stream is not None else ():
            match event:
                case Moved(source=source, to=to) if {source, to} <= hidden:
                    mixed |= {source, to}
                case Thrown(place=place):
                    mixed.add(place)
    return frozenset(hidden - mixed)


def _with(match: Match, state: array[int]) -> Match:
    other = copy(match)
    other.state, other.steps, other.history = state, [*match.steps], [*match.history]
    return other


def _offered(match: Match, seat: int) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    return [(d.name, tuple(c.words for c in d.choices)) for d in match.offered_to(seat)]


def _waiting(match: Match, seat: int) -> Waiting:
    return next(w for w in match.waiting() if w.seat == seat)


def _said(thoughts: Thoughts) -> list[tuple[tuple[str, ...], int, float]]:
    return [(thought.choice.words, thought.visits, thought.value) for thought in thoughts.choices]


def same_choices(name: str, number: int) -> int:
    """How many pairs were tried; in each the worlds and all that the search finds are the same."""
    tried = 0
    for one, other, seat in pairs(name, number):
        here, there = _waiting(one, seat), _waiting(other, seat)
        worlds = DealtWorlds().draw(one, here, 4, 5)
        assert worlds == DealtWorlds().draw(other, there, 4, 5)
        assert all(one.view(seat) == _with(one, world).view(seat) for world in worlds)
        assert _said(BOT.think(one, here, 9)) == _said(BOT.think(other, there, 9))
        tried += 1
    return tried


@pytest.mark.each_game
@pytest.mark.parametrize("name", HIDING)
def test_what_a_seat_does_not_see_makes_no_difference(name: str) -> None:
    assert same_choices(name, 6) == 6


@pytest.mark.long
@pytest.mark.each_game
@pytest.mark.parametrize("name", bundled())
def test_what_a_seat_does_not_see_makes_no_difference_in_any_game(name: str) -> None:
    same_choices(name, 30)


def alike_together(name: str, number: int) -> int:
    """How many times another seat had chosen differently at the same time; that makes no difference."""
    game, tried = open_game(name), 0
    for seed in range(8):
        chooser = random.Random(seed)
        match = Match(game, seed).start()
        for _ in range(30):
            if match.over or tried == number:
                break
            waiting = match.waiting()
            if len(waiting) > 1 and len(waiting[0].options) > 1:
                tried += _compared(match, waiting[0], waiting[1], chooser)
            picked = chooser.choice(waiting)
            match.take(picked, chooser.choice(picked.options))
    return tried


def _compared(match: Match, first: Waiting, second: Waiting, chooser: random.Random) -> bool:
    """Whether the second seat could be asked after two choices of the first; then it answers the same."""
    found = []
    for option in (None, *chooser.sample(first.options, 2)):
        other = _with(match, match.state[:])
        if option is not None:
            other.take(first, option)
        if not any(w.seat == second.seat and w.node == second.node for w in other.waiting()):
            return False
        # the number of the decision is a part of the seed, and all see that somebody has chosen
        if option is not None:
            found.append(_said(BOT.think(other, _waiting(other, second.seat), 3)))
    assert found[0] == found[1]
    return True


@pytest.mark.each_game
@pytest.mark.parametrize("name", TOGETHER)
def test_what_others_choose_at_the_same_time_makes_no_difference(name: str) -> None:
    assert alike_together(name, 4) == 4


def test_the_chance_to_come_makes_no_difference() -> None:
    game = open_game("pig")
    one, other = Match(game, seed=1).start(), Match(game, seed=1).start()
    other._keys = dict.fromkeys(other._keys, (1, 2))
    other.state[game.machine.stream_base] = 7
    assert _said(search(one, 0, 400)) == _said(search(other, 0, 400))


def test_a_choice_depends_on_seed_seat_and_decision_alone() -> None:
    match = Match(open_game("roma"), seed=5).start()
    waiting = match.waiting()[0]
    assert _said(BOT.think(match, waiting, 3)) == _said(BOT.think(match, waiting, 3))
    others = {tuple(_said(BOT.think(match, waiting, seed))) for seed in range(6)}
    assert len(others) > 1
    unrecorded = replace(match, keep_history=False)
    unrecorded.state, unrecorded.steps = match.state, match.steps
    assert BOT.think(unrecorded, waiting, 3).iterations == 0  # nobody knows what the others have chosen


# ---- that they play


def played(game: Game, bots: list[Bot], seed: int, most: int) -> Match:
    """A match between bots, of at most so many choices."""
    match = Match(game, seed).start()
    for _ in range(most):
        if match.over:
            break
        waiting = match.waiting()[0]
        option = bots[waiting.seat].choose(match, waiting, seed)
        assert option in waiting.options
        match.take(waiting, option)
    return match


@pytest.mark.each_game
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "kuhn_poker", "roma", "blackjack", "poacher"])
def test_a_search_plays_to_the_end(name: str) -> None:
    game = open_game(name)
    bots: list[Bot] = [bot_named(("search:30", "random")[seat % 2]) for seat in range(game.machine.seats)]
    assert played(game, bots, 2, 1000).over


@pytest.mark.long
@pytest.mark.each_game
@pytest.mark.parametrize("name", bundled())
def test_a_search_plays_every_game_to_the_end(name: str) -> None:
    game = open_game(name)
    bots: list[Bot] = [bot_named(("search:2", "random")[seat % 2]) for seat in range(game.machine.seats)]
    match = played(game, bots, 1, 3000)
    assert match.over or len(match.steps) > 3000


def test_a_search_takes_the_win_and_prevents_the_loss() -> None:
    match = Match(open_game("tic_tac_toe"), seed=1).start()
    for words in ("a1", "b1", "a2"):
        match.choose(match.decisions()[0].seat, f"place {words}")
    assert search(match, 1, 500).best.text.endswith("a3")
    match.choose("B", "c1")
    thoughts = search(match, 0, 500, line=3)
    assert thoughts.best.text.endswith("a3")
    assert thoughts.choices[0].value > 0.9
    assert thoughts.line[0] == ("A", thoughts.best.text)


def test_a_search_beats_random_choices() -> None:
    game = open_game("connect_four")
    won = 0
    for seed in range(10):
        bots: list[Bot] = [bot_named("search:100"), bot_named("random")]
        won += played(game, bots if seed % 2 else bots[::-1], seed, 100).winners() == ["BA"[seed % 2]]
    assert won >= 9


def test_who_is_not_asked_has_nothing_to_think_of() -> None:
    match = Match(open_game("connect_four"), seed=1)
    assert "the match has not begun" in refused(lambda: search(match, 0), "R253")
    match.start()
    assert "seat B is not asked now; waiting for A" in refused(lambda: search(match, 1), "R253")
    assert "there is no seat 7; seats go by" in refused(lambda: search(match, 7), "R253")
    assert "no seat 'C'; seats go by number or name: A is 0, B is 1" in refused(
        lambda: search(match, "C"), "R253"
    )
    assert "a NoneType is no match" in refused(lambda: search(None, 0), "R253")  # type: ignore[arg-type]
    assert search(match, "A", 10) == search(match, 0, 10)
    while not match.over:
        match.take(match.waiting()[0], match.waiting()[0].options[0])
    assert "the match is over" in refused(lambda: search(match, 0), "R253")


@pytest.mark.parametrize("name", ["random", "search:10"])
def test_a_bot_is_asked_for_what_waits(name: str) -> None:
    game, bot = open_game("connect_four"), bot_named(name)
    match = Match(game, seed=1).start()
    first = match.waiting()[0]
    assert "the match has not begun" in refused(lambda: bot.choose(Match(game), first, 1), "R253")
    match.take(first, first.options[0])
    assert "seat A is from another moment; waiting for B" in refused(
        lambda: bot.choose(match, first, 1), "R254"
    )
    assert "`None` is none" in refused(lambda: bot.choose(match, None, 1), "R254")  # type: ignore[arg-type]
    assert bot.choose(match, match.waiting()[0], 1) in match.waiting()[0].options


def test_a_name_is_text() -> None:
    assert "there is no bot `None`" in refused(lambda: bot_named(None), "R250")  # type: ignore[arg-type]


def refused(call: Callable[[], object], code: str) -> str:
    """What a call is refused with, and the help."""
    with pytest.raises(DiagnosticError) as found:
        call()
    assert found.value.diagnostic.code == code
    return f"{found.value.diagnostic.message}; {found.value.diagnostic.help}"
