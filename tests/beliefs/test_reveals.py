"""What a log shows later of dice and values guides what is proposed, and changes no chance."""

from __future__ import annotations

import pytest

from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.flows import Flows
from interpreter.beliefs.foresight import Foresight, shares_of_rows
from interpreter.beliefs.opponents import UNIFORM
from interpreter.beliefs.reveals import Reveals
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Simulation
from interpreter.game import Game
from interpreter.sights import SPECTATOR
from rulewright.library import open_game
from tests.beliefs.games import opened, played
from tests.games import game_of


def reveals_of(game: Game, log: SeatLog) -> Reveals:
    simulation = Simulation(game, log, UNIFORM)
    return Reveals.of(game, log, Flows.of(game, log, simulation.opening()[0]))


def test_faces_that_are_still_to_be_thrown() -> None:
    game = opened("cups")
    log = SeatLog.of(played(game, 9, 1), 0)
    found = reveals_of(game, log)
    place = next(iter(found.throws))
    when, faces = found.faces[place][0]
    first, second = found.throws[place][:2]
    assert sum(faces.values()) == 2
    begun = found.next_faces(place, first, {})
    assert begun is not None
    assert (begun.left, begun.free, begun.until) == (faces, 0, when[0])
    face = next(iter(faces))
    rest = found.next_faces(place, second, {face: 1})
    assert rest is not None
    assert sum(rest.left.values()) == 1
    other = next(each for each in range(3) if each not in faces)
    wrong = found.next_faces(place, second, {other: 1})
    assert wrong is not None
    assert (sum(wrong.left.values()), wrong.free) == (2, 0)
    assert found.next_faces(place, (1 << 30, 0, 0), {}) is None


def test_values_that_are_told_later() -> None:
    game = opened("sealed bids")
    match = played(game, 2, 1)
    bids = {word for word, told in reveals_of(game, SeatLog.of(match, SPECTATOR)).words.items() if told}
    assert len(bids) == 2
    found = reveals_of(game, SeatLog.of(match, SPECTATOR)).next_values(1)
    assert {moment for moment, _ in found.values()} == {2}
    assert len(reveals_of(game, SeatLog.of(match, 0)).words) == 1, "a seat sees its own bid"
    assert reveals_of(game, SeatLog.of(match, SPECTATOR)).next_values(3) == {}


@pytest.mark.parametrize("choices", [20, 40])
def test_dice_under_cups_that_were_lifted_often(choices: int) -> None:
    """Without foresight one throw of ten thousand is right, and after some rounds none."""
    log = SeatLog.of(played(game_of("liars_dice", 2), choices, choices), SPECTATOR)
    found = believe(game_of("liars_dice", 2), log, 160, method="sample", steps=20_000)
    assert found.exactness.effective > 80


def test_sealed_bids_of_a_wide_range() -> None:
    game = open_game("oshi_zumo", options={"purse": "60"})
    log = SeatLog.of(played(game, 20, 20), SPECTATOR)
    found = believe(game, log, 64, method="sample", steps=6_000)
    assert found.exactness.kind == "exact", "everything is known where the log ends"
    assert len(found.worlds) == 1
    assert found.worlds[0].weight == 1.0


def test_a_row_with_one_column_is_dealt_first() -> None:
    found = shares_of_rows([[0.25, 0.0, 0.0], [0.0, 0.2, 0.0], [0.25, 0.2, 1.0]], [3, 4, 17], [4, 5])
    assert found[:2] == [1.0, 0.0]
    assert 17 * found[2] == pytest.approx(1.0, abs=0.01), "one of the others comes to the first column"


def test_nearly_all_particles_of_roma_fit() -> None:
    game = game_of("roma", 2)
    found = believe(game, SeatLog.of(played(game, 50, 2), 0), 160, method="sample", steps=40_000)
    assert len(found.worlds) > 0.85 * 160
    assert found.exactness.effective > 80


def test_hidden_draws_before_a_known_position_do_not_count() -> None:
    game = game_of("hearts", 4)
    foresight = Foresight(Simulation(game, SeatLog.of(played(game, 20, 0), 0), UNIFORM))
    early = foresight._plain_share
    foresight.begin_at(15)
    assert foresight._plain_share > early
