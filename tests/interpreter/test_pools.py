"""Among which pieces one is drawn, as each viewer may know it: exactly where that can be shown."""

from __future__ import annotations

import json
from array import array
from random import Random

import pytest

from interpreter import match as matches
from interpreter.events import Moved
from interpreter.match import Match
from interpreter.pools import Pool, pools
from interpreter.redacted_log import Entry, entries
from interpreter.sights import REFEREE, SPECTATOR
from interpreter.views import Views
from rulewright.presentation.position import entry_json
from tests.games import game_of
from tests.properties import secrets
from validators.secrecy.noninterference import leaks


def drawn(match: Match, viewer: int) -> list[tuple[Entry, Pool]]:
    """The entries of a viewer with a pool."""
    return [(entry, entry.pool) for entry in entries(match, viewer) if entry.pool is not None]


def played(name: str, seats: int, choices: int, seed: int = 1) -> Match:
    match, random = Match(game_of(name, seats), seed).start(), Random(seed)
    for _ in range(choices):
        if match.over:
            break
        waiting = random.choice(match.waiting())
        match.take(waiting, random.choice(waiting.options))
    return match


# ---- what it says


def test_the_first_cards_are_dealt_from_a_full_deck() -> None:
    match = Match(game_of("leduc_poker", 2), 1).start()
    (_, first), = drawn(match, 0)  # fmt: skip
    assert first == Pool("card", (2, 2, 2), True)
    (entry, second), = drawn(match, 1)  # fmt: skip
    assert second == Pool("card", (2, 2, 2), False), "the first card has gone to the other hand"
    assert [event.number for event in entry.events if isinstance(event, Moved)] == [1]


def test_a_hand_that_one_does_not_see_makes_a_pool_of_all_that_is_unseen() -> None:
    match = Match(game_of("leduc_poker", 2), 1).start()
    for _ in range(2):
        match.take(match.waiting()[0], match.waiting()[0].options[0])
    assert any(step.stream for step in match.steps[3:]), "the card of the table"
    own = match.view(0).zones["hand of A"]
    classes = match.game.rules.components["card"].classes
    assert isinstance(own, list)
    _, pool = drawn(match, 0)[-1]
    assert pool.numbers == tuple(2 - own.count(name) for name in classes)
    assert not pool.exact
    assert drawn(match, SPECTATOR)[-1][1] == Pool("card", (2, 2, 2), False)
    assert drawn(match, REFEREE)[-1][1].exact
    assert sum(drawn(match, REFEREE)[-1][1].numbers) == 4


def test_a_bag_from_which_all_else_is_seen_has_odds() -> None:
    match = played("augustus", 3, 60)
    found = [pool for _, pool in drawn(match, 1) if pool.component == "token"]
    assert len(found) > 10
    assert all(pool.exact for pool in found)
    assert [pool for _, pool in drawn(match, SPECTATOR) if pool.component == "token"] == found


def test_what_one_does_not_see_has_no_pool() -> None:
    match = Match(game_of("roma", 2), 3).start()
    for seat in (0, 1):
        dealt = [entry for entry in entries(match, seat) if entry.stream == "deck"]
        unseen = [e for e in dealt if isinstance(e.events[0], Moved) and e.events[0].class_ < 0]
        assert unseen
        assert all(entry.pool is None for entry in unseen)
        assert all(entry.pool is not None for entry in dealt if entry not in unseen)


def test_while_all_choose_only_who_draws_has_a_pool() -> None:
    match = played("constantinopolis", 3, 90)
    own = [(step.branch, step.pools) for step in match.steps if step.branch and step.pools]
    assert own
    for branch, found in own:
        known = [viewer for viewer, pool in enumerate(found, REFEREE) if pool is not None]
        assert known == [REFEREE, match.game.seat_number(branch)]
        assert not found[known[1] - REFEREE].exact  # type: ignore[union-attr]


@pytest.mark.parametrize(("name", "seats"), [("roma", 2), ("augustus", 3), ("constantinopolis", 3)])
def test_what_lies_in_the_pile_is_among_what_is_unseen(name: str, seats: int) -> None:
    for step in played(name, seats, 80).steps:
        if not step.pools:
            continue
        lying, *known = step.pools
        for pool in known:
            assert lying is not None
            assert pool is None or all(a >= b for a, b in zip(pool.numbers, lying.numbers, strict=True))
            assert pool is None or not pool.exact or pool == lying


def test_a_shuffle_has_no_odds() -> None:
    match = Match(secrets.game(), 1).start()
    swaps = [step for step in match.steps if step.stream == "pile"]
    assert swaps
    assert not any(step.odds or step.pools for step in swaps)


# ---- what it may not say


def told(match: Match, viewer: int) -> object:
    return [json.dumps(entry_json(match, entry)) for entry in entries(match, viewer)]


@pytest.mark.parametrize("seats", [2, 3])
def test_pools_tell_nothing_of_what_one_does_not_see(seats: int) -> None:
    for seed in range(2):
        assert [str(leak) for leak in leaks(secrets.game(seats=seats), seed, 20, extra=told)] == []


def test_a_pool_that_tells_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if everybody knew what lies in the pile."""

    def as_they_lie(views: Views, s: array[int], source: int) -> tuple[Pool | None, ...]:
        found = pools(views, s, source)
        return tuple(found[0] for _ in found)

    monkeypatch.setattr(matches, "pools", as_they_lie)
    assert any(leaks(secrets.game(), seed, 30, extra=told) for seed in range(8))
