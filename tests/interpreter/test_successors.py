"""Every choice with every outcome of chance: the same positions and chances as by the reference executor."""

from __future__ import annotations

import random
from array import array
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from interpreter import ir
from interpreter.bots.successors import ROWS, Level, NoProspect, Successors
from interpreter.chance import merged
from interpreter.executor_protocol import Option
from interpreter.game import Game
from interpreter.ir.position_words import position_words
from interpreter.match import Match
from interpreter.wasm.batch import Batch
from rulewright.library import open_game

Lottery = dict[bytes, float]
"""Positions with their chances."""


def by_rows(game: Game, rows: Successors, level: Level) -> dict[Option, Lottery]:
    words = list(position_words(game.machine))
    options = [rows.batch.option(int(level.nodes[0]), a) for a in np.flatnonzero(level.masks[0])]
    found: dict[Option, Lottery] = {option: defaultdict(float) for option in options}
    for reached in rows.after(level):
        states = iter(rows.words(reached.waiting)[:, words])
        winners = iter(reached.winners)
        for choice, chance, over in zip(reached.choices, reached.chances, reached.over, strict=True):
            name = bytes(next(winners)) if over else next(states).tobytes()
            found[options[choice]][name] += chance
    return found


def by_reference(game: Game, match: Match) -> dict[Option, Lottery]:
    found: dict[Option, Lottery] = {}
    waiting = match.waiting()[0]
    for option in waiting.options:
        state = match.state[:]
        game.reference.choose(state, waiting, option)
        found[option] = lottery(game, state)
    return found


def lottery(game: Game, state: array[int]) -> Lottery:
    found: Lottery = defaultdict(float)
    if state[ir.STATUS]:
        ended = Batch(game, 1)
        ended.put(0, state)
        found[bytes(ended.winners[0])] = 1.0
    elif isinstance(game.machine.nodes[state[ir.PC]], ir.Chance):
        outcomes = merged(game.reference.outcomes(state))
        for outcome, weight in outcomes:
            after = state[:]
            game.reference.resolve_chance(after, outcome)
            for name, chance in lottery(game, after).items():
                found[name] += chance * weight / sum(w for _, w in outcomes)
    else:
        found[array("i", [state[i] for i in position_words(game.machine)]).tobytes()] = 1.0
    return found


def positions(game: Game, seed: int, number: int) -> list[Match]:
    """Some positions of random matches."""
    generator, found = random.Random(seed), []
    while len(found) < number:
        match = Match(game, generator.randrange(1 << 30)).start()
        for _ in range(generator.randrange(60)):
            if not match.over:
                waiting = match.waiting()[0]
                match.take(waiting, generator.choice(waiting.options))
        if not match.over:
            found.append(match)
    return found


@pytest.mark.parametrize("name", ["pig", "backgammon", "twenty_forty_eight", "roll_through_the_ages"])
def test_choices_lead_to_what_they_lead_to_by_the_reference(name: str) -> None:
    game = open_game(name)
    rows = Successors(Batch(game, ROWS, observations=False))
    for match in positions(game, 5, 4):
        found, expected = by_rows(game, rows, rows.first(match.state)), by_reference(game, match)
        assert found.keys() == expected.keys()
        for option, outcomes in expected.items():
            assert found[option] == pytest.approx(outcomes, rel=1e-9), option


def test_all_outcomes_of_many_dice_are_taken() -> None:
    game = open_game("yacht")
    rows = Successors(Batch(game, ROWS, observations=False))
    level = rows.first(Match(game, 3).start().state)
    chances = np.zeros(int(level.masks.sum()))
    for reached in rows.after(level):
        np.add.at(chances, reached.choices, reached.chances)
    assert rows.steps > 6**5
    assert chances == pytest.approx(1.0)


def test_what_draws_too_many_numbers_is_not_followed(tmp_path: Path) -> None:
    game = tosses(tmp_path, 20)
    rows = Successors(Batch(game, ROWS, observations=False))
    with pytest.raises(NoProspect):
        list(rows.after(rows.first(Match(game, 3).start().state)))
    few = tosses(tmp_path, 3)
    rows = Successors(Batch(few, ROWS, observations=False))
    assert sum(len(reached.choices) for reached in rows.after(rows.first(Match(few, 3).start().state))) == 9


def tosses(folder: Path, number: int) -> Game:
    """A game for one with a choice that tosses a coin so many times, and another."""
    folder.joinpath("game.yaml").write_text(
        "game: small\nseats: 1\nrules: [small.rules]\n"
        f"types: {{time: 1..{number}}}\n"
        "components: {coin: {die: 1..2, count: 1}}\n"
        "counters: {points: {range: 0..99}}\n"
        "flow:\n"
        "  turn:\n    seat: rotates\n    do: [{do one of: [toss, rest]}]\n"
        "    then: {points > 9: final, otherwise: turn}\n"
        "  final: {score: highest}\n"
    )
    folder.joinpath("small.rules").write_text(
        "action toss\n    for time\n        roll coin\n        points += coin.face\n"
        "action rest\n    points += 1\nscore points = points\n"
    )
    return open_game(str(folder))
