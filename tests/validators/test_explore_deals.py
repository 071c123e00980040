"""Outcomes of chance that are too many: some are followed, and what was left out is said."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from interpreter import ir
from rulewright.library import open_game
from rulewright.main import main
from validators.explore import search
from validators.explore.explore import explore
from validators.explore.search import Bounds
from validators.explore.witness import moves_on, replayable


def test_a_part_of_the_outcomes_leads_to_a_part_of_the_positions() -> None:
    game = open_game("kuhn_poker")
    whole = explore(game, Bounds()).found
    few = explore(game, Bounds(outcomes=2)).found
    assert set(few.graph.ids) < set(whole.graph.ids)
    assert few.left_out
    assert not few.stopped
    assert not few.exhaustive
    again = explore(game, Bounds(outcomes=2)).found
    assert (again.graph.ids, again.left_out) == (few.graph.ids, few.left_out)


def test_a_bound_that_leaves_nothing_out_proves_as_much() -> None:
    game = open_game("kuhn_poker")
    whole, bounded = explore(game, Bounds()).found, explore(game, Bounds(outcomes=100)).found
    assert bounded.graph.ids == whole.graph.ids
    assert bounded.exhaustive


def test_cards_that_are_dealt_are_followed_to_the_choices() -> None:
    exploration = explore(open_game("cribbage"), Bounds(states=2000))
    found, machine = exploration.found, exploration.game.machine
    assert found.left_out
    assert any(isinstance(machine.nodes[node], ir.Decide | ir.Offer) for node, _ in found.offered)
    graph = found.graph
    deep = max(range(graph.looked_at), key=lambda number: len(graph.path(number)))
    path = moves_on(exploration.steps, graph.path(deep))
    match = replayable(exploration.game, path)
    assert len(match.steps) >= len(path) > 12


def test_no_more_deals_than_are_wanted() -> None:
    game = open_game("hearts")
    found = explore(game, Bounds(states=1200, outcomes=3)).found
    cards = 52
    widths = [0] * (cards + 2)
    for number in range(len(found.graph)):
        depth = len(found.graph.path(number))
        widths[min(depth, cards + 1)] += 1
    assert widths[1] == 3
    assert max(widths[: cards + 1]) <= 3


def test_chance_is_bounded_where_it_takes_nearly_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "DEALT", 500)
    dealt = explore(open_game("cribbage"), Bounds(depth=9)).found
    assert dealt.left_out
    monkeypatch.setattr(search, "STRETCH", 1)
    thrown = explore(open_game("pig", options={"goal": 20}), Bounds(states=2000)).found
    assert not thrown.left_out


def test_what_was_left_out_is_said() -> None:
    words = ["explore", "kuhn_poker", "--outcomes", "1"]
    told = CliRunner().invoke(main, words)
    assert "outcomes of chance left out (`--outcomes` follows more)" in told.output
    assert "no findings; not all was explored" in told.output
    found = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)
    assert found["left_out"] > 0
    assert not found["exhaustive"]
    refused = CliRunner().invoke(main, ["explore", "kuhn_poker", "--outcomes", "0"])
    assert "`--outcomes`" in refused.output
    assert refused.exit_code == 2
