"""All worlds that fit the log of a seat, with their exact weights: forward, moment by moment.

Equal states are joined, as in the forward algorithm of hidden Markov models (Rabiner 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.beliefs.simulation import Course, Simulation
from interpreter.reference.codes import CHANCE

Layer = dict[bytes, tuple[float, Course]]
"""The worlds after a moment, by their states: the weight of each, and one course that leads there."""


class TooMany(Exception):
    """There are more courses than may be followed."""


@dataclass
class Enumeration:
    """Follows every course of a simulation, at most so many steps of all of them together."""

    simulation: Simulation
    most: int
    followed: int = 0

    def worlds(self) -> Layer:
        """All worlds with their weights, which sum to 1; nothing if none fits. Raises `TooMany`."""
        layer: Layer = {}
        self._add(layer, self.simulation.begin(), 0, 1.0)
        for number in range(1, len(self.simulation.log.moments)):
            before, layer = _normalised(layer), {}
            for weight, course in before.values():
                for waiting, option, chance in self.simulation.ways(course, number):
                    chosen = self.simulation.choose(course, number, waiting, option)
                    self._add(layer, chosen, number, weight * chance)
        return _normalised(layer)

    def _add(self, layer: Layer, course: Course | None, number: int, weight: float) -> None:
        """Adds what a course comes to at the end of a moment, outcome by outcome."""
        due: dict[tuple[bytes, int, int], tuple[float, Course]] = {}
        self._put(layer, due, weight, course)
        while due:
            waiting, due = due, {}
            for mass, here in waiting.values():
                for outcome, chance in self.simulation.outcomes(here, number):
                    self._put(layer, due, mass * chance, self.simulation.resolve(here, number, outcome))

    def _put(
        self,
        layer: Layer,
        due: dict[tuple[bytes, int, int], tuple[float, Course]],
        weight: float,
        course: Course | None,
    ) -> None:
        """Adds a course to those that wait at the end of a moment, or to those that need an outcome."""
        self.followed += 1
        if self.followed > self.most:
            raise TooMany
        if course is None:
            return
        state = course.key()
        if course.code == CHANCE:
            key = (state, course.now, course.later)
            known, first = due.get(key, (0.0, course))
            due[key] = known + weight, first
        else:
            known, first = layer.get(state, (0.0, course))
            layer[state] = known + weight, first


def _normalised(layer: Layer) -> Layer:
    total = sum(weight for weight, _ in layer.values())
    return {key: (weight / total, course) for key, (weight, course) in layer.items()}
