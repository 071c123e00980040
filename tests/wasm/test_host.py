"""What viewers may know: all games share a module that says what the module of a page says."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from interpreter import ir
from interpreter.event_rows import EventRows
from interpreter.events import EVERYBODY, Moved, Shown, Told
from interpreter.game import Game
from interpreter.match import Match
from interpreter.redacted_log import step_rows
from interpreter.sights import REFEREE, SPECTATOR
from interpreter.wasm.build_config import PAGE
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.host.codes import NO_PLACE, SECRETLY, UNSEARCHABLE
from interpreter.wasm.standalone import standalone
from tests.games import game_of
from tests.properties import secrets

Viewers = tuple[int, ...]


def played(game: Game, seed: int, choices: int) -> Match:
    match, random = Match(game, seed=seed).start(), Random(seed)
    for _ in range(choices):
        if match.over:
            break
        waiting = random.choice(match.waiting())
        match.take(waiting, random.choice(waiting.options))
    return match


def viewers(game: Game) -> Viewers:
    return (REFEREE, SPECTATOR, *range(game.machine.seats))


@pytest.mark.parametrize("name", ["secrets", "kuhn_poker", "roma"])
def test_the_module_of_a_page_says_what_the_shared_one_says(name: str) -> None:
    game = secrets.game(seats=3) if name == "secrets" else game_of(name, 2)
    data, tables = standalone(game.machine, game.rules, config=PAGE)
    instance, host = Instance(compile_module(data)), game.views.host
    state, free = tables["map"]["state"], instance.size
    instance.grow(free + (1 << 20))
    for s, _ in played(game, 5, 25).history:
        instance.write(state, s.tobytes())
        for viewer in viewers(game):
            seen = host.view(s, viewer)
            instance.functions["view"](state, viewer, free)
            assert instance.read(free, len(seen) // 4) == seen
        sights = host.sights(s)
        instance.functions["sights"](state, free)
        assert instance.read(free, len(sights)) == sights.tobytes()
        for place in range(len(game.machine.places)):
            kind, numbers = host.pool(s, place, SPECTATOR, game.machine.places[place].classes)
            assert instance.functions["pool"](state, place, SPECTATOR, free) == kind
            assert not kind or instance.read(free, len(numbers)) == numbers.tobytes()


def test_what_is_not_seen_stands_in_no_view() -> None:
    """A view is a state in which hidden words are 0, whoever reads it."""
    game = game_of("kuhn_poker", 2)
    match = played(game, 1, 0)
    hand = game.views.may_see
    for seat in range(2):
        seen = array("i", game.views.host.view(match.state, seat))[-game.machine.size :]
        for i, place in enumerate(game.machine.places):
            words = seen[place.base : place.base + place.words]
            assert any(words) == (hand(i, seat) and any(match.state[place.base : place.base + place.words]))


def test_events_are_read_as_they_were_written() -> None:
    game = secrets.game()
    name, words = next((x.name, x) for x in game.machine.variables.values() if x.size)
    events = [
        Moved(2, 1, 0, 1, game.reference.component_of[1]),
        Shown(EVERYBODY, ((0, 1, 2), (1, 0, 1)), True),
        Shown(1, (), False),
        Told(0, name, words.base, 3, True),
    ]
    rows = EventRows(game.machine)
    assert rows.read(rows.write(events)) == events


def test_what_is_held_back_is_told_when_all_have_chosen() -> None:
    """The same rows, step by step or at once, tell the same in the same order."""
    game = secrets.game(seats=3)
    matches = (played(game, seed, 40) for seed in range(20))
    match = next(match for match in matches if any(step.branch for step in match.steps))
    for viewer in viewers(game):
        rows, told, held = array("i"), [], b""
        for number, step in enumerate(match.steps):
            rows += step_rows(game, step, viewer, number)
            parts, held = game.views.tell(step_rows(game, step, viewer, number), viewer, held)
            told += parts
        assert game.views.tell(rows, viewer) == (told, held)
        assert viewer != REFEREE or not held
    assert match.state[ir.FORKED] or not held


def test_the_order_of_numbers_follows_from_the_key_alone() -> None:
    game = secrets.game()
    s, host = game.executor.initial_state(), game.views.host
    orders = set()
    for key in range(1, 40):
        order = host.numbers(s, 0, NO_PLACE, key, array("i", (0, 1, 2, 3)), 4)
        assert order == host.numbers(s, 0, NO_PLACE, key, array("i", (7, 7, 2, 0)), 4)
        assert sorted(order) == [0, 1, 2, 3]
        orders.add(tuple(order))
    assert len(orders) > 12


def test_a_number_on_which_hypotheses_differ_is_told_to_nobody() -> None:
    game = secrets.game()
    match, host = Match(game, seed=1).start(), game.views.host
    bit = ir.viewer_bit
    readers = (bit(0), bit(1), bit(0), bit(0) | bit(1))
    assert host.agreed(match.state, 0, readers, (5, 6, 7, 8)) == [True, False, True, True]
    assert host.agreed(match.state, 0, readers, (5, 6, 7, 8, 5, 6, 0, 8)) == [True, False, False, True]
    match.state[ir.STATUS] = 1
    assert host.agreed(match.state, 0, readers, (5, 6, 7, 8)) == [True] * 4


def test_secret_choices_are_read_by_who_made_them() -> None:
    game = secrets.game()
    s, host = game.executor.initial_state(), game.views.host
    assert host.hides(s, 1, 0, SECRETLY, ())
    assert host.hides(s, SPECTATOR, 0, SECRETLY, ())
    assert not host.hides(s, 0, 0, SECRETLY, ())
    assert not host.hides(s, REFEREE, 0, SECRETLY, ())
    assert host.hides(s, 0, 0, UNSEARCHABLE, ())
    assert not host.hides(s, REFEREE, 0, UNSEARCHABLE, ())
