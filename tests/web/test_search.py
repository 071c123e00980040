"""Players that search know what their seat knows, and play better than at random."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import ir
from interpreter.events import Moved
from interpreter.game import MatchStep
from interpreter.match import Match
from tests.games import Table, sample
from tests.web.in_node import run_in_node
from tests.web.recording import equipment, fast
from validators.secrecy.indistinguishable_states import IndistinguishableStates, Known, tokens_of
from validators.secrecy.visibility import Visibility

PROBLEMS = """
import { compareProblems } from "./tests/web/playing.js";
console.log(JSON.stringify(await compareProblems(given, 12)));
"""
BRANCHES = """
import { compareBranches } from "./tests/web/playing.js";
console.log(JSON.stringify(await compareBranches(given, 2)));
"""
TOURNAMENT = """
import { tournament } from "./tests/web/playing.js";
console.log(JSON.stringify(await tournament(given, given.matches, { budget: given.budget })));
"""

HIDING = ["roma", "kuhn_poker", "leduc_poker", "trajan", "constantinopolis", "augustus"]


PURSES, LANTERNS, QUARRY = (
    str(Path(__file__).parent.parent / "generality" / name) for name in ("purses", "lanterns", "quarry")
)


def pairs(table: Table, seed: int, most: int) -> list[dict[str, Any]]:
    """Positions of a match, each with another that the seat which is asked cannot tell apart."""
    game = fast(table)
    visibility = Visibility(game)
    states, chooser = IndistinguishableStates(game, visibility), Random(seed)
    match, found = Match(game, seed=seed).start(), []
    while not match.over and len(found) < most:
        waiting = chooser.choice(match.waiting())
        if not match.state[ir.FORKED] and len(waiting.options) > 1 and chooser.random() < 0.5:
            other = dealt_anew(match, waiting.seat, states, visibility, chooser)
            if other != match.state:
                both = [list(match.state), list(other)]
                found.append({"seat": waiting.seat, "states": both, "steps": [told(x) for x in match.steps]})
        match.take(waiting, chooser.choice(waiting.options))
    return found


def dealt_anew(
    match: Match, seat: int, states: IndistinguishableStates, visibility: Visibility, chooser: Random
) -> array[int]:
    """A position that a seat cannot tell apart: places that exchanged pieces unseen exchange some more."""
    state, tokens = match.state, tokens_of(match.game, match.state)
    for group in mixed(match, seat, visibility):
        fixed = frozenset(tokens) - group
        tokens = tokens_of(match.game, state)
        for place, lying in tokens.items():
            if lying and visibility.is_open_top(place):
                lying[-1].seen[seat] = 0
        state = states.other(state, seat, Known(tokens, fixed), chooser)
    other = state[:]
    states.words.exchange(state, other, seat, frozenset(), chooser)
    return other


def mixed(match: Match, seat: int, visibility: Visibility) -> list[frozenset[int]]:
    """The places between which pieces went by chance or by choice, unseen by a seat."""
    groups: list[frozenset[int]] = []
    for step in match.steps:
        way: list[int] = []
        for event in step.events if step.seat or step.stream else ():
            if not isinstance(event, Moved) or (way and event.source not in way):
                continue
            pair = frozenset((event.source, event.to))
            if min(pair) >= 0 and not any(visibility.declared(at, seat) for at in pair):
                way.append(event.to)
                met = [group for group in groups if group & pair]
                groups = [group for group in groups if not group & pair] + [pair.union(*met)]
    return groups


def told(step: MatchStep) -> dict[str, Any]:
    """A step as the page has it, with its moves only."""
    moves = [x for x in step.events if isinstance(x, Moved)]
    events = [["moved", "", -1, x.number, x.source, x.to] for x in moves]
    return {"seat": step.seat, "stream": step.stream, "events": events}


@pytest.mark.parametrize(
    "name",
    sample(
        [
            "roma",
            "kuhn_poker",
            "leduc_poker",
            "trajan",
            "constantinopolis",
            "augustus",
            PURSES,
            LANTERNS,
            QUARRY,
        ],
        ["roma", "kuhn_poker", "leduc_poker", "augustus", PURSES, LANTERNS, QUARRY],
    ),
)
def test_a_player_chooses_by_what_its_seat_knows(name: str, tmp_path: Path) -> None:
    table = (name, 2, ())
    compared = [pair for seed in range(1, 4) for pair in pairs(table, seed, 8)]
    assert compared
    found = run_in_node(PROBLEMS, tmp_path, equipment(table) | {"pairs": compared})
    assert [x for x in found if not x["same"] or len(set(x["answers"])) > 1] == []
    assert all(x["kept"] for x in found)
    assert any(x["anew"] for x in found)
    assert sum(x["lost"] for x in found) <= sum(x["iterations"] for x in found) / 25


@pytest.mark.parametrize("name", sample(["roma", "augustus", "constantinopolis"], ["roma", "augustus"]))
def test_a_player_does_not_know_what_others_choose_at_the_same_time(name: str, tmp_path: Path) -> None:
    found = run_in_node(BRANCHES, tmp_path, equipment((name, 2, ())))
    assert found["compared"] > 3
    assert found["different"] == 0
    assert found["unknown"] < found["compared"] / 2


@pytest.mark.parametrize(("name", "budget", "least"), [("connect_four", 140, 9), ("kuhn_poker", 60, 5)])
def test_trying_out_choices_beats_chance(name: str, budget: int, least: int, tmp_path: Path) -> None:
    matches = 10 if name == "connect_four" else 400
    given = equipment((name, 2, ())) | {"matches": matches, "budget": budget}
    found = run_in_node(TOURNAMENT, tmp_path, given)
    assert found["won"] / matches >= least / 10
