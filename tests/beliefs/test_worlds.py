"""Worlds have their true weights: against every course of small games, played by the referee itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.opponents import Uniform
from interpreter.beliefs.particles import Island, ParticleFilter
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Simulation
from tests.beliefs.brute_force import InformationSet, information_sets, stripped
from tests.beliefs.chi_square import deviation, rejected, survival
from tests.beliefs.games import EVERY
from tests.beliefs.planted import Patch, with_a_glance, without_chances, without_menus, without_weights

ISLANDS, SIZE = 120, 8
"""How many filters, of how many particles each, are compared with the true weights."""


def some(name: str, number: int) -> list[InformationSet]:
    """Some information sets of a game, those with several worlds first; the same each time."""
    found = sorted(information_sets(name), key=lambda one: len(one.states) == 1)
    several = sum(len(one.states) > 1 for one in found)
    return Random(name).sample(found[:several], min(number, several))


def log_of(one: InformationSet) -> SeatLog:
    return SeatLog.of(one.match, one.seat)


def exact(one: InformationSet) -> dict[bytes, float]:
    found = believe(one.match.game, log_of(one), method="enumerate")
    assert found.exactness.kind == "exact"
    return {world.state.tobytes(): world.weight for world in found.worlds}


def islands(one: InformationSet, number: int = ISLANDS, size: int = SIZE) -> list[Island]:
    return ParticleFilter(Simulation(one.match.game, log_of(one), Uniform())).islands(number, size, 1)


def probabilities(name: str, number: int) -> list[float]:
    return [deviation(islands(one), one.posterior()) for one in some(name, number)]


# ---- all worlds


@pytest.mark.parametrize("name", EVERY)
def test_all_worlds_are_found_with_their_weights(name: str) -> None:
    for one in some(name, 60):
        assert exact(one) == pytest.approx(one.posterior(), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_all_worlds_of_every_information_set(name: str) -> None:
    for one in information_sets(name):
        assert exact(one) == pytest.approx(one.posterior(), abs=1e-9)


# ---- samples


@pytest.mark.parametrize("name", EVERY)
def test_samples_fit_the_true_weights(name: str) -> None:
    found = probabilities(name, 3)
    assert not rejected(found), found


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_samples_of_many_information_sets(name: str) -> None:
    found = probabilities(name, 300)
    assert not rejected(found), sorted(found)[:5]


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_large_samples(name: str) -> None:
    """100,000 particles for each of 40 information sets: in the smallest games, all with several worlds."""
    found = [deviation(islands(one, 1_000, 100), one.posterior()) for one in some(name, 40)]
    assert not rejected(found), sorted(found)[:5]


def test_the_chances_of_a_statistic() -> None:
    """From tables: of F with 3 and 20, and 2 and 10 degrees of freedom, of chi-square with 2 and 5."""
    assert survival(3 * 22 / 20 * 3.098, 3, 23) == pytest.approx(0.05, rel=1e-3)
    assert survival(2 * 11 / 10 * 7.559, 2, 12) == pytest.approx(0.01, rel=1e-3)
    assert survival(5.991, 2, 10**7) == pytest.approx(0.05, rel=1e-3)
    assert survival(20.515, 5, 10**7) == pytest.approx(0.001, rel=1e-3)
    assert survival(0.0, 4, 50) == 1.0


# ---- planted mistakes


PLANTED = [(without_chances, "leduc_poker"), (without_weights, "follow suit"), (without_menus, "question")]


@pytest.mark.parametrize(("mistake", "name"), PLANTED)
def test_mistakes_are_detected(mistake: Callable[[Patch], None], name: str) -> None:
    """Where some worlds are likelier than others, or some that seem possible are not."""
    with pytest.MonkeyPatch.context() as patched:
        mistake(patched.setattr)
        uneven = [one for one in some(name, 200) if is_uneven(one) or name == "question"][:4]
        found = [deviation(islands(one), one.posterior()) for one in uneven]
    assert rejected(found), found


def is_uneven(one: InformationSet) -> bool:
    chances = one.posterior().values()
    return max(chances) > 1.5 * min(chances)


def test_a_glance_at_the_true_world_is_detected() -> None:
    found = []
    for one in some("kuhn_poker", 4):
        with pytest.MonkeyPatch.context() as patched:
            with_a_glance(patched.setattr, stripped(one.match))
            found.append(deviation(islands(one), one.posterior()))
    assert rejected(found), found
