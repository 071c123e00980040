"""Work on beliefs is bounded by steps, and long matches with hidden hands have worlds within them."""

from __future__ import annotations

from typing import Any

import pytest

from dsl.diagnostics import Diagnostic
from dsl.wording import plural
from interpreter.beliefs import beliefs as beliefs_module
from interpreter.beliefs.bans import bans
from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.fates import Fates
from interpreter.beliefs.flows import Flows, PieceFlow
from interpreter.beliefs.opponents import Uniform
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Simulation, Spent
from interpreter.match import Match
from interpreter.messages import Fault
from tests.beliefs.games import opened, played
from tests.games import game_of

LATE = [("hearts", 4, 30, 20_000), ("hedgerow", 3, 33, 12_000), ("hedgerow", 3, 45, 16_000)]
"""Games whose hands are laid card by card: with seats, choices and a number of steps."""


# ---- late in a match


@pytest.mark.parametrize(("name", "seats", "choices", "steps"), LATE)
def test_hands_that_were_laid_card_by_card_have_worlds(
    name: str, seats: int, choices: int, steps: int
) -> None:
    match = played(game_of(name, seats), choices, seed=0)
    log = SeatLog.of(match, 0)
    beliefs = believe(match.game, log, worlds=64, steps=steps)
    assert len(beliefs.worlds) >= 8
    other = match_of(beliefs, beliefs.worlds[-1])
    assert SeatLog.of(other, 0) == log


def test_a_choice_rules_out_what_would_have_forbidden_it() -> None:
    """B did not follow suit: no card of that suit beside the one that it laid."""
    game = opened("follow suit")
    for seed in range(40):
        match = played(game, 2, seed)
        led, answer = match.steps[-2].text, match.steps[-1].text
        if led.split("_")[0] != answer.split("_")[0]:
            break
    log = SeatLog.of(match, 0)
    world = believe(game, SeatLog.of(played(game, 1, seed), 0)).worlds[0]
    simulation = Simulation(game, log, Uniform())
    course = simulation.begin()
    assert course is not None
    course.state = world.state
    course.waiting = game.executor.waiting(world.state)
    classes = game.rules.components["card"].classes
    hand = next(
        i for i in range(len(game.machine.places)) if game.names.place(i) == f"hand of {match.steps[-1].seat}"
    )
    found = list(bans(simulation, course, 2))
    suit = led.split()[-1].split("_")[0]
    assert {ban.place for ban in found} == {hand}
    assert {classes[ban.class_] for ban in found} == {name for name in classes if name.startswith(suit)}


# ---- the fates of pieces


def test_fates_are_divided_among_the_pieces_that_moved_unseen() -> None:
    """Three come from the deck (0) to a hand (1), one goes on to another (2), where it is seen leaving."""
    flows = Flows(
        (
            PieceFlow((0, 0, 0), -1, 3, 0, 1, 5),
            PieceFlow((1, 0, 0), -1, 1, 1, 2, 3),
            PieceFlow((2, 0, 0), 7, 1, 2, 3, 2),
        )
    )
    fates = Fates(flows, {0, 1, 2})
    (sighting,) = fates.sightings[7]
    message = fates.messages[sighting]
    assert sighting.known is None
    assert message.at(2, (1, 0, 0)) == pytest.approx(1 / 2)
    assert message.at(1, (0, 0, 0)) == pytest.approx(1 / 3 * 1 / 2)
    assert message.at(0, (-1, 0, 0)) == pytest.approx(3 / 5 * 1 / 3 * 1 / 2)
    assert message.at(2, (2, 0, 0)) == 0.0


def test_a_piece_that_came_openly_is_known() -> None:
    """A card of class 7 was laid down openly: the one that is seen later may be it, and none is missing."""
    flows = Flows((PieceFlow((0, 0, 0), 7, 1, 5, 1, 1), PieceFlow((3, 0, 0), 7, 1, 1, 5, 4)))
    (sighting,) = Fates(flows, {1}).sightings[7]
    assert sighting.known == (0, 0, 0)


# ---- bounds


def test_fewer_worlds_where_the_steps_do_not_suffice() -> None:
    match = played(game_of("roma", 2), 12, seed=3)
    log = SeatLog.of(match, 0)
    few = believe(match.game, log, worlds=2_000, steps=2_500, method="sample")
    assert few.exactness.within == 2_500
    assert "as many as 2,500 steps allow" in str(few.exactness)
    assert 0 < len(few.worlds) < 2_000
    enough = believe(match.game, log, worlds=32, method="sample")
    assert not enough.exactness.within
    assert "allow" not in str(enough.exactness)


def test_steps_are_never_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Simulation] = []

    class Noted(Simulation):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(beliefs_module, "Simulation", Noted)
    match = played(game_of("leduc_poker", 2), 3, seed=3)
    log = SeatLog.of(match, 0)
    refused: list[tuple[int, Diagnostic]] = []
    for steps in (1, 2, 5, 20, 100, 1_000):
        try:
            assert believe(match.game, log, steps=steps, method="sample").worlds
        except Fault as fault:
            refused.append((steps, fault.diagnostic))
        # the step that was one too many is not taken
        assert 0 < made[-1].steps <= steps + 1
    assert 0 < len(refused) < 6
    for steps, diagnostic in refused:
        assert diagnostic.code == "R240"
        assert f"within {plural(steps, 'step')}" in diagnostic.message


def test_steps_do_not_change_what_is_drawn_if_they_suffice() -> None:
    match = played(game_of("leduc_poker", 2), 3, seed=3)
    log = SeatLog.of(match, 1)
    assert (
        believe(match.game, log, 64, steps=50_000, method="sample").worlds
        == believe(match.game, log, 64, steps=60_000, method="sample").worlds
    )


# ---- of a match


def test_before_the_start_there_are_no_beliefs() -> None:
    with pytest.raises(Fault) as caught:
        Match(game_of("kuhn_poker", 2)).beliefs("A")
    assert caught.value.diagnostic.code == "R239"
    assert "has not begun" in caught.value.diagnostic.message


def test_the_spectator_by_its_word() -> None:
    match = Match(game_of("kuhn_poker", 2), 3).start()
    by_word, by_number = match.beliefs("spectator"), match.beliefs(-1)
    assert by_word.worlds == by_number.worlds
    assert by_word.unseen() == ["deck", "hand of A", "hand of B"]


@pytest.mark.parametrize("seat", ["Z", "", 2, -2])
def test_seats_that_do_not_exist(seat: int | str) -> None:
    with pytest.raises(Fault) as caught:
        Match(game_of("kuhn_poker", 2), 3).start().beliefs(seat)
    assert caught.value.diagnostic.code == "R257"


def test_where_the_steps_are_spent_the_pilots_have_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are samples themselves, and it is said how little they are worth."""

    def spent(*_: object) -> None:
        raise Spent

    monkeypatch.setattr(beliefs_module, "_islands", spent)
    match = played(opened("follow suit"), 2, seed=3)
    log = SeatLog.of(match, 0)
    beliefs = believe(match.game, log, method="sample", steps=2_000)
    assert "as many as 2,000 steps allow" in str(beliefs.exactness)
    assert sum(world.weight for world in beliefs.worlds) == pytest.approx(1.0)
    exact = {world.state.tobytes() for world in believe(match.game, log, method="enumerate").worlds}
    assert {world.state.tobytes() for world in beliefs.worlds} <= exact


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_few_steps_late_in_a_long_match_give_a_few_worlds(seed: int) -> None:
    """Those of the small filters that went ahead, where no larger one gets to the end."""
    match = played(game_of("hearts", 4), 45, seed)
    beliefs = believe(match.game, SeatLog.of(match, 0), steps=6_000)
    assert beliefs.exactness.kind == "approximate"
    assert sum(world.weight for world in beliefs.worlds) == pytest.approx(1.0)
    log = SeatLog.of(match_of(beliefs, beliefs.worlds[0]), 0)
    assert log == SeatLog.of(match, 0)
