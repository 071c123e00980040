"""Positions with one key have one future, where loops, dice and chance leave words out of the key."""

from __future__ import annotations

import random
from array import array

import numpy as np
import pytest

from interpreter.game import Game
from interpreter.ir.position_words import deciding_words, position_words
from interpreter.wasm.batch import RUNNING, Batch
from tests.wasm.lockstep import small

YAML = (
    "longest: 400\ntypes: {num: 1..3}\ncomponents: {die: {die: 1..3, count: 1}}\n"
    "counters: {pts: {of: seat, range: 0..2, at_edge: clamp}, pile: {range: 0..9}, rounds: {range: 0..9}}\n"
    "marks: {left: {lasts: turn}}\n"
)
FLOW = (
    "flow: {turn: {seat: rotates, do: [tick, run], then: {done: fin, otherwise: turn}},"
    " fin: {score: highest}}\n"
)
COMMON = """
procedure tick
    rounds += 1

action add(num)
    pile = (pile + num) mod 4

action throw
    roll die
    pile = (pile + die.face) mod 4

action stop
    set left
    gain pile pts

value done = rounds > 3
score s = pts of me
"""
RULES = {
    "a loop in a routine behind a loop": """procedure run
    while not left, at most 200 times
        do one of add, stop
        behind(pile)

procedure behind(amount: 0..9)
    let kept = amount
    if kept > 1
        choose x from num
        pile = (kept + x) mod 4
        repeat until pile mod 2 is 0, at most 50 times
            choose y from num where y < 3
            pile = (pile + y) mod 4
""",
    "loops and a local in one frame": """procedure run
    repeat until pile is 0, at most 90 times
        do one of add
    choose x from num
    pile = x
    behind(pile)

procedure behind(amount: 0..9)
    let mine = amount
    while pile > 0, at most 90 times
        choose y from num
        pile = (pile + y) mod 4
    gain mine mod 2 pts
""",
    "a die and a loop": """procedure run
    while not left, at most 200 times
        do one of throw, stop
""",
}


def pairs(game: Game, batch: Batch) -> list[tuple[array[int], array[int]]]:
    """Positions of random matches that differ and have one key, with as much chance drawn."""
    words, streams = list(deciding_words(game.machine)), len(game.machine.streams)
    found: list[tuple[array[int], array[int]]] = []
    first: dict[bytes, array[int]] = {}
    while (batch.codes == RUNNING).any():
        for i in np.flatnonzero(batch.codes == RUNNING):
            state = array("i", batch.states[i].tolist())
            one = first.setdefault(batch.states[i][words].tobytes(), state)
            base = game.machine.stream_base
            state[base : base + streams] = one[base : base + streams]
            if any(one[i] != state[i] for i in position_words(game.machine)):
                found.append((one, state))
        batch.step(batch.sample())
    return found


@pytest.mark.parametrize("about", RULES)
def test_positions_with_one_key_have_one_future(about: str) -> None:
    game = small(YAML, RULES[about] + COMMON, FLOW).games[0]
    with Batch(game, 32, seed=5) as batch:
        alike = pairs(game, batch)
    assert len(alike) > 20
    chooser, words = random.Random(7), list(deciding_words(game.machine))
    for one, other in chooser.sample(alike, 20):
        with Batch(game, 2) as two:
            for i, state in enumerate((one, other)):
                two.put(i, state)
                two.rekey(i, 11)
            while two.codes[0] == RUNNING:
                assert two.states[0][words].tobytes() == two.states[1][words].tobytes()
                assert two.masks[0].tobytes() == two.masks[1].tobytes()
                two.step([chooser.choice(np.flatnonzero(two.masks[0]).tolist())] * 2)
            assert two.codes[0] == two.codes[1]
            assert two.results[0].tobytes() == two.results[1].tobytes()
