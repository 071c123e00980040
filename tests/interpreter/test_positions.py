"""Matches that begin from a position."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path

import pytest

from dsl.load import load
from dsl.source import Source
from interpreter import log
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.opening import Opening
from interpreter.replay import replay
from rulewright.library import folder
from rulewright.matches.position_file import KEYS as POSITION_KEYS
from tests.games import game_of, seated

GENERALITY = Path(__file__).parent.parent / "generality"
CORNER = {"stone at a2": "A", "stone at b1": "B", "stone at a1": "B", "passes": 1}


def game(name: str = "go") -> Game:
    rules, _ = load(folder(GENERALITY / name))
    return Game(rules, compile_rules(rules))


def test_a_mapping_sets_all_that_it_names() -> None:
    one = Match.from_position(game(), CORNER, at="turn")
    stones = {"a2": "A", "b1": "B", "a1": "B"}
    other = Match.from_position(game(), {"stone": stones, "passes": 1}, at="turn")
    assert one.state == other.state
    text = log.write(other, {}, ["random", "random"])
    assert replay(game(), log.read(Source("match.log", text))).match.state == other.state
    for wrong in ({"stone at a2": {"b1": "A"}}, {"passes": {"a2": 1}}, {"stone": {"z9": "A"}}):
        with pytest.raises(Fault) as failed:
            Match.from_position(game(), wrong, at="turn")
        assert failed.value.diagnostic.code == "R236"


def test_a_match_begins_from_a_position() -> None:
    match = Match.from_position(game(), CORNER, at="turn", seat="A", seed=5)
    view = match.view(0)
    assert (view.active, view.phase, view.counters["passes"]) == ("A", "turn", 1)
    assert view.pointers["stone at a1"] == "B"
    assert match.decisions()[0].seat == "A"
    match.choose("A", "place c1")
    assert match.view(0).pointers["stone at a1"] == "B"
    assert match.undo()
    assert match.view(0).pointers["stone at c1"] == "none"


def test_its_log_says_so_and_is_replayed() -> None:
    made = game()
    match = Match.from_position(made, CORNER, at="turn", seat="B", seed=5)
    while not match.over:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[-1])
    text = log.write(match, {}, ["random", "random"])
    first = json.loads(text.splitlines()[0])
    assert first["position"]["set"]["stone at a2"] == ["A"]
    assert first["position"]["seat"] == "B"
    found = log.read(Source("match.log", text))
    assert found.opening == match.opening
    assert replay(made, found).match.state == match.state


def test_a_log_from_another_position_is_refused() -> None:
    made = game()
    match = Match.from_position(made, CORNER, at="turn", seat="B").start()
    match.choose("B", "skip")
    lines = log.write(match, {}, ["random", "random"]).replace('"passes": ["1"]', '"passes": ["0"]')
    with pytest.raises(Fault):
        replay(made, log.read(Source("match.log", lines), trusted=True))


@pytest.mark.parametrize(
    "position",
    [
        {"set": 3},
        {"set": {"passes": "1"}},
        {"set": {"passes": [1]}},
        {"set": {}, "at": 3},
        {"set": {}, "prepared": "yes"},
        {"set": {}, "colour": "red"},
        [],
    ],
)
def test_a_malformed_position_of_a_log_is_refused(position: object) -> None:
    match = Match.from_position(game(), {}, at="turn")
    head, *rest = log.write(match, {}, ["random", "random"]).splitlines()
    changed = json.dumps({**json.loads(head), "position": position})
    with pytest.raises(Fault) as found:
        log.read(Source("match.log", "\n".join([changed, *rest])), trusted=True)
    assert found.value.diagnostic.code == "R221"


@pytest.mark.parametrize(
    ("values", "at", "seat", "why"),
    [
        ({"stone at z9": "A"}, None, "A", "`z9` is not a `cell`"),
        ({"stone at a1": "C"}, None, "A", "unknown seat `C`"),
        ({"stones": "A"}, None, "A", "unknown name `stones`"),
        ({"passes": 7}, None, "A", "must be within 0..2"),
        ({"passes": 1, " passes": 1}, None, "A", "is set twice"),
        ({"passes": 1.5}, None, "A", "neither a word nor a list"),
        ({}, "middle", "A", "unknown step `middle`"),
        ({}, "turn", "F", "unknown seat `F`"),
    ],
)
def test_what_is_wrong_with_a_position_is_said(
    values: dict[str, object], at: str | None, seat: str, why: str
) -> None:
    with pytest.raises(Fault) as found:
        Match.from_position(game(), values, at=at, seat=seat)
    assert found.value.diagnostic.code == "R236"
    assert why in found.value.diagnostic.message


def test_a_position_that_breaks_a_promise_is_refused() -> None:
    with pytest.raises(Fault) as found:
        Match.from_position(game("sowing"), {"seeds at a1": 9}, at="turn")
    assert found.value.diagnostic.code == "R236"


def test_pieces_are_put_as_scenarios_put_them() -> None:
    match = Match.from_position(
        game_of("roma", 2), {"hand of A": ["velites"], "money of A": 7}, prepared=True
    )
    view = match.view(-2)
    assert view.zones["hand of A"] == ["velites"]
    assert view.counters["money of A"] == 7


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_a_ko_may_not_be_taken_back_at_once(executor: ExecutorKind) -> None:
    rules, _ = load(folder(GENERALITY / "go"))
    values = dict.fromkeys(("stone at a2", "stone at b1", "stone at b3"), "A")
    values |= dict.fromkeys(("stone at c1", "stone at c3", "stone at d2"), "B")
    for superko in ("true", "false"):
        machine = compile_rules(rules, 2, {"superko": superko})
        match = Match.from_position(Game(rules, machine, executor), values, at="turn", seat="B")
        match.choose("B", "place b2")
        match.choose("A", "place c2")
        assert match.view(0).pointers["stone at b2"] == "none"
        offered = [choice.text for choice in match.decisions()[0].choices]
        assert ("place b2" in offered) == (superko == "false")
        if superko == "true":
            with pytest.raises(Fault, match="times"):
                match.choose("B", "place b2")


TO_AND_FRO = (("h4", "g5"), ("b7", "c8"))


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_the_position_that_is_given_is_the_first_time(executor: ExecutorKind) -> None:
    made = Game(*seated(("lines_of_action", 2, ())), executor)
    match = Match.from_position(made, {"man": {"a1": "A", "h4": "A", "b7": "B", "g1": "B"}}, at="turn")
    moves = 0
    while not match.over:
        here, there = TO_AND_FRO[moves % 2][:: 1 if moves % 4 < 2 else -1]
        seat = match.decisions()[0].seat
        match.choose(seat, f"go {here}")
        match.choose(seat, there)
        moves += 1
    assert (moves, match.outcome()) == (8, "repetition")
    text = log.write(match, {}, ["random", "random"])
    assert replay(made, log.read(Source("match.log", text))).match.state == match.state


def test_what_the_set_up_recorded_goes_with_what_is_set() -> None:
    made = game_of("lines_of_action", 2)
    begun = made.machine.histories[0].base
    assert Match(made).start().state[begun] == 1
    assert Match.from_position(made, {}, prepared=True).state[begun] == 1
    match = Match.from_position(made, {"man at c3": "A"}, prepared=True)
    assert match.state[begun] == 1
    assert match.state != Match.from_position(made, {}, prepared=True).state


def test_every_way_into_a_match_takes_the_same() -> None:
    """What a match may be given, however it begins; where it begins is `opening`, or its parts."""
    from rulewright.learn.setting import CONTROLS, GIVEN

    own = {"steps", "history", "refused"}
    match = set(signature(Match).parameters) - own
    opening = set(signature(Opening.of).parameters)
    position = set(signature(Match.from_position).parameters)
    assert position == match - {"opening"} | opening
    assert set(GIVEN) == opening - {"values"} | {"set"} == set(POSITION_KEYS) - {"seats", "options"}
    assert set(CONTROLS) >= {"outcomes", "chance", "position"}


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_outcomes_are_supplied_from_a_position_too(executor: ExecutorKind) -> None:
    made = Game(*seated(("pig", 2, ())), executor)
    values = {"points of A": 40}
    match = Match.from_position(made, values, at="turn", outcomes={"die": ["6", "5"]}, checked=True)
    for _ in range(2):
        match.choose("A", "throw")
    faces = [step.text for step in match.steps if step.stream]
    assert faces == ["6", "5"]
    kept = Match.from_position(made, values, at="turn", keep_history=False)
    kept.choose("A", "throw")
    assert not kept.history


def test_prepared_is_the_set_up_and_no_more() -> None:
    chess = game_of("chess", 2)
    assert Match.from_position(chess, {}, prepared=True).state == Match(chess).start().state
    assert Match.from_position(chess, {}, at="turn", prepared=True).view(0).counters["quiet"] == 1
    roma = game_of("roma", 2)
    final = Match.from_position(roma, {}, at="final", prepared=True)
    assert [account.total for account in final.accounts()] == [10, 10]


def test_without_a_set_up_it_is_what_comes_before_the_first_decision() -> None:
    holdem = game_of("texas_holdem", 3)
    match = Match.from_position(holdem, {}, prepared=True)
    assert match.view(0).counters["staked of B"] == 1
    assert match.decisions()[0].seat == "A"
    pass_cards = Match.from_position(game_of("hearts", 4), {}, prepared=True)
    assert pass_cards.view(-2).phase == "trick"
