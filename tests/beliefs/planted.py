"""Mistakes put into the sampler on purpose: a comparison with the true weights must detect them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace

from interpreter.beliefs import particles
from interpreter.beliefs.particles import Island, ParticleFilter
from interpreter.beliefs.seat_log import Sight
from interpreter.beliefs.simulation import Course, Simulation
from interpreter.executor_protocol import Waiting

Patch = Callable[[object, str, object], None]
"""Sets an attribute of an object, as `pytest.MonkeyPatch.setattr` does."""


def without_chances(patch: Patch) -> None:
    """Hidden pieces are drawn as if each class were as likely."""
    outcomes = Simulation.outcomes

    def even(self: Simulation, course: Course, number: int) -> list[tuple[int, float]]:
        found = outcomes(self, course, number)
        return [(outcome, 1 / len(found)) for outcome, _ in found]

    patch(Simulation, "outcomes", even)


def without_weights(patch: Patch) -> None:
    """What others were offered, and what they chose, does not count."""
    times = particles.Particle.times

    def plain(self: particles.Particle, factor: float, *rest: object) -> particles.Particle:
        return times(self, 1.0, *rest)  # type: ignore[arg-type]

    patch(particles.Particle, "times", plain)


def without_menus(patch: Patch) -> None:
    """What the seat itself was offered is not compared."""
    asks = Simulation._asks

    def blind(self: Simulation, state: array[int], waiting: Sequence[Waiting], seen: Sight) -> bool:
        offered = tuple([self._menu(state, w) for w in waiting if w.seat == self.log.seat])
        return asks(self, state, waiting, replace(seen, menus=offered))

    patch(Simulation, "_asks", blind)


def with_a_glance(patch: Patch, true: bytes) -> None:
    """A third of the weight goes to the world that is the true one."""
    islands = ParticleFilter.islands

    def glancing(self: ParticleFilter, number: int, size: int, seed: int) -> list[Island]:
        return [_glanced(island, true) for island in islands(self, number, size, seed)]

    patch(ParticleFilter, "islands", glancing)


def _glanced(island: Island, true: bytes) -> Island:
    given = next((course for *_, course in island.worlds if course.state.tobytes() == true), None)
    if given is None:
        return island
    rest = ((2 * weight / 3, number, course) for weight, number, course in island.worlds)
    return replace(island, worlds=((1 / 3, 1, given), *rest))
