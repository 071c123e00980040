"""Working memory is no part of the position: nobody sees it, and no two positions differ in it."""

from __future__ import annotations

import random
from functools import cache

import pytest

from dsl.load import Folder, load
from interpreter import ir
from interpreter.compile.hidden_reads import HiddenReads
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.position import CannotPlace, Position
from rulewright.layout.compose import scene
from rulewright.rulebook.markdown import markdown
from tests.rulebook.test_prose import book
from validators.explore.choosing import used
from validators.explore.explore import explore
from validators.explore.search import Bounds

YAML = """game: demo
seats: 2
rules: [demo.rules]
boards: {cell: {grid: [2, 2]}}
components: {card: {rows: {ace: {}, king: {}}, columns: {}}}
zones: {hand: {holds: card, seen_by: nobody, start: all}}
marks: {wall: {at: cell}, walked: {at: cell%s}}
pointers: {last: {to: cell%s}}
counters:
  best: {range: 0..9%s}
  points: {of: seat, range: 0..99}
  turns: {range: 0..3}
flow:
  turn: {seat: rotates, do: [{do one of: [build]}, count_turn], then: {turns is 3: final, otherwise: turn}}
  final: {score: highest}
"""
RULES = """
action build(cell where not wall at cell)
    set wall at cell
    best = 0
    clear last
    measure
    needs best > 0
    gain best + (3 if last is a1) points
    choose x from neighbours(cell)
    gain (5 if last exists and last is x) + best points
    measure
procedure count_turn
    turns += 1
procedure measure
    for cell where not wall at cell
        wander(cell, 1)
procedure wander(cell, length: 0..9) nests up to 9
    set walked at cell
    if length > best
        best = length
        last = cell
    for x in neighbours(cell) where not wall at x and not walked at x
        wander(x, length + 1)
    clear walked at cell
score points = points of me
"""
PEEKING = """
when turns is 2
    peek
procedure peek
    note(count(card in hand where card is ace))
procedure note(number: 0..2)
    best = number
"""


@cache
def made(lasts: str = ", lasts: moment", more: str = "") -> Game:
    files = {"game.yaml": (YAML % (lasts, lasts, lasts)).encode(), "demo.rules": (RULES + more).encode()}
    rules, _ = load(Folder("demo", files.__getitem__))
    return Game(rules, compile_rules(rules))


def test_it_is_as_at_the_start_at_every_stop() -> None:
    game, chance = made(), random.Random(1)
    stops = 0
    for seed in range(5):
        match = Match(game, seed=seed).start()
        while not match.over:
            for words in game.machine.scratch.values():
                at = range(words.base, words.base + words.size)
                assert [match.state[i] for i in at] == [words.start_at(i) for i in at]
            decision = match.decisions()[0]
            match.choose(decision.seat, chance.choice(decision.choices).text)
            stops += 1
    assert stops > 20


def test_nobody_sees_it() -> None:
    game = made()
    assert sorted(game.machine.scratch) == ["best", "last", "walked"]
    assert not game.machine.scratch.keys() & game.machine.variables.keys()
    match = Match(game, seed=1).start()
    for seat in ("A", "B"):
        view = match.view(seat)
        shown = {address.split()[0] for address in (*view.counters, *view.marks, *view.pointers)}
        assert shown == {"points", "turns", "wall"}
    assert not scene(game.rules, 2).variables.keys() & game.machine.scratch.keys()


def test_no_position_is_given_with_it() -> None:
    game = made()
    with pytest.raises(CannotPlace, match="lasts a moment"):
        Position(game, Match(game, seed=1).start().state).set_word("best", "3")


def test_positions_do_not_differ_in_it() -> None:
    moment, forever = (
        explore(made(lasts), Bounds(), "wasm", fold=False) for lasts in (", lasts: moment", "")
    )
    assert 10 < len(moment.found.graph) < len(forever.found.graph)


def test_a_machine_without_it_has_no_reset() -> None:
    assert not any(isinstance(node, ir.Reset) for node in made("").machine.nodes)
    assert any(isinstance(node, ir.Reset) for node in made().machine.nodes)


def test_what_tells_of_hidden_pieces_is_told_to_nobody() -> None:
    assert "best" not in HiddenReads(made().rules).words
    words = HiddenReads(made(more=PEEKING).rules).words
    assert words["best"] == "nobody"


def test_a_start_at_some_place_breaks_symmetries_of_places() -> None:
    assert "cell" in used(made())
    files = {
        "game.yaml": (YAML % (", lasts: moment", ", start: b1, lasts: moment", ", lasts: moment")).encode(),
        "demo.rules": RULES.replace("    clear last\n", "").encode(),
    }
    rules, _ = load(Folder("demo", files.__getitem__))
    assert "cell" not in used(Game(rules, compile_rules(rules)))


def test_the_set_up_does_not_begin_with_it() -> None:
    """What a search begins with is nothing that anybody sets up."""
    told = {}
    for lasts in ("", ", lasts: moment"):
        yaml = (YAML % (lasts, lasts, lasts)).replace("best: {range: 0..9", "best: {range: 0..9, start: 7")
        files = {"game.yaml": yaml.encode(), "demo.rules": RULES.encode()}
        rules, _ = load(Folder("demo", files.__getitem__))
        told[lasts] = markdown(book(rules, 2))
    assert "begins at 7" in told[""]
    assert "begins at 7" not in told[", lasts: moment"]
