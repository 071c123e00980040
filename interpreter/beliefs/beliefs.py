"""What a seat may believe of a match: worlds, and the chances that follow from them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dsl.source import NOWHERE
from dsl.wording import plural
from interpreter import ir
from interpreter.beliefs.enumeration import Enumeration, TooMany
from interpreter.beliefs.estimates import FEW, Estimate, Exactness, wilson
from interpreter.beliefs.flows import PieceCounter
from interpreter.beliefs.mistakes import Method, check_arguments, check_function, unknown
from interpreter.beliefs.opponents import UNIFORM, OpponentModel, Uniform
from interpreter.beliefs.particles import Island, ParticleFilter, effective, shares
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Chosen, Course, Drawn, Path, Simulation, Spent
from interpreter.game import Game
from interpreter.garbage import garbage_collection_paused
from interpreter.messages import Fault, NoBeliefs, NoWorldInBudget
from interpreter.views import COVERED

T = TypeVar("T", bound=Any)

ISLANDS = 16
"""How many filters that know nothing of each other a sample is made of."""
STUDENT = (1.959964 / 2.131450) ** 2
"""How much less an estimate is worth because its variance is estimated too: t of 15 degrees of freedom."""
MOST_FOLLOWED = 2_000
"""The most steps of all courses together after which an enumeration is given up for a sample."""
MOST_IN_NEED = 20_000
"""The same if no sample was found, or one that is worth little."""
INSTEAD = 4
"""How many times as many steps as a sample that is worth little an enumeration instead of it may take."""
MOST_STEPS = 60_000
"""The most steps for all: a few seconds."""
PRUDENCE, PATIENCE = 0.6, 0.75
"""The parts of the steps left for which a sample is planned, and after which a smaller one is tried."""
GROWTH = (1, 4)
"""How many times as many worlds are tried, one after the other, as long as none fits."""


@dataclass(frozen=True, slots=True)
class World:
    """A match as it may have been: its state now, and its weight among all.

    `course` are its choices and outcomes in order. The streams of the state have not been drawn from.
    """

    state: array[int]
    weight: float
    course: tuple[Chosen | Drawn, ...]


@dataclass(frozen=True)
class Beliefs:
    """The worlds that a seat may be in, as far as it can know; their weights sum to 1.

    `islands` are the worlds by filter, as pairs of a share and of chances, for intervals; empty if the worlds
    are exact.
    """

    game: Game
    log: SeatLog
    worlds: tuple[World, ...]
    exactness: Exactness
    islands: tuple[range, ...] = field(default=(), repr=False)

    # ---- chances

    def chance(self, holds: Callable[[array[int]], bool]) -> Estimate:
        """The chance that something holds of the state."""
        check_function("holds", holds)
        return self._estimate([holds(world.state) for world in self.worlds])

    def _estimate(self, holding: Sequence[bool]) -> Estimate:
        """The chance of the worlds in which something holds."""
        held = [world.weight * holds for world, holds in zip(self.worlds, holding, strict=True)]
        chance = min(1.0, sum(held))
        if not self.islands:
            return Estimate(chance, chance, chance)
        return wilson(chance, self._worth(chance, held))

    def _worth(self, chance: float, held: Sequence[float]) -> float:
        """How many independent worlds an estimate is worth, by how much the islands differ."""
        least = self.exactness.effective
        square = 0.0
        for island in self.islands:
            share = sum(self.worlds[i].weight for i in island)
            square += (sum(held[i] for i in island) - share * chance) ** 2
        square *= len(self.islands) / max(1, len(self.islands) - 1)
        spread = chance * (1 - chance)
        if square <= 0.0 or spread <= 0.0:
            return least
        return min(STUDENT * spread / square, effective([world.weight for world in self.worlds]))

    def spread(self, value: Callable[[array[int]], T]) -> dict[T, Estimate]:
        """The chance of each value that something has in the worlds, in order."""
        check_function("value", value)
        found = [value(world.state) for world in self.worlds]
        return {one: self._estimate([one == other for other in found]) for one in sorted(set(found))}

    def pieces(self, address: str) -> dict[str, Estimate]:
        """For each class the chance that at least one such piece lies at a place, such as `hand of B`.

        Classes that no world has there are left out. Raises `Fault` with `UnknownInBeliefs` for a place that
        does not exist.
        """
        place, counted = self._place(address), PieceCounter(self.game)
        there = [counted(world.state, place) for world in self.worlds]
        found = sorted({class_ for pieces in there for class_ in pieces})
        names = self._classes(place)
        return {names[c]: self._estimate([pieces[c] > 0 for pieces in there]) for c in found}

    def number(self, address: str, piece: str) -> dict[int, Estimate]:
        """The chance of each number of pieces of a class at a place. Raises `Fault` for unknown names."""
        place = self._place(address)
        classes = self._classes(place)
        if piece not in classes:
            raise unknown("piece", piece, classes, f"`{address}` can hold")
        class_, counted = classes.index(piece), PieceCounter(self.game)
        return self.spread(lambda s: counted(s, place)[class_])

    def where(self, piece: str) -> dict[str, Estimate]:
        """For each place that the seat does not see the chance that at least one such piece lies there.

        Raises `Fault` with `UnknownInBeliefs` for a piece that does not exist.
        """
        known = [name for component in self.game.rules.components.values() for name in component.classes]
        if piece not in known:
            raise unknown("piece", piece, known, "there are")
        found = {address: self.pieces(address) for address in self.unseen()}
        return {address: chances[piece] for address, chances in found.items() if piece in chances}

    def value(self, address: str) -> dict[str, Estimate]:
        """The chance of each value of a counter, mark or pointer. Raises `Fault` if there is none."""
        words, at = self._variable(address)
        return {self._shown(words, value): found for value, found in self.spread(lambda s: s[at]).items()}

    def _variable(self, address: str) -> tuple[ir.VarLayout, int]:
        known = {
            self.game.names.word(words, k): (words, words.base + k)
            for words in self.game.machine.variables.values()
            for k in range(words.size)
        }
        if address not in known:
            raise unknown("counter, mark or pointer", address, list(known), "there are")
        return known[address]

    def _shown(self, words: ir.VarLayout, value: int) -> str:
        if words.kind == "pointer":
            return self.game.names.value(words.type, value)
        return str(bool(value)).lower() if words.kind == "mark" else str(value)

    # ---- what is hidden

    def unseen(self) -> list[str]:
        """The places with pieces in some world, of which the seat does not see all."""
        sights = self.game.views.pieces(self.worlds[0].state, self.log.seat)
        hidden = [i for i, seen in enumerate(sights) if not isinstance(seen, list) or COVERED in seen]
        places, counted = self.game.machine.places, PieceCounter(self.game)
        wanted = [i for i in hidden if places[i].classes > 1 and places[i].kind != ir.BLANK]
        found = [i for i in wanted if any(counted(world.state, i) for world in self.worlds)]
        return [self.game.names.place(i) for i in found]

    def unread(self) -> list[str]:
        """The counters, marks and pointers that the seat does not see."""
        words = self.game.views.words(self.worlds[0].state, self.log.seat)
        variables = self.game.machine.variables.values()
        names = [self.game.names.word(layout, k) for layout in variables for k in range(layout.size)]
        return [name for name, value in zip(names, words, strict=True) if value is None]

    def _classes(self, place: int) -> tuple[str, ...]:
        return self.game.rules.components[self.game.reference.component_of[place]].classes

    def _place(self, address: str) -> int:
        known = [self.game.names.place(i) for i in range(len(self.game.machine.places))]
        if address not in known:
            raise unknown("place", address, known, "there are")
        return known.index(address)


# ---- finding worlds


def believe(
    game: Game,
    log: SeatLog,
    worlds: int = 320,
    seed: int = 0,
    model: OpponentModel | None = None,
    method: Method = "enumerate or sample",
    steps: int = MOST_STEPS,
) -> Beliefs:
    """The worlds that fit the log of a seat: all of them if they are few, else a weighted sample.

    Nothing but the log, the rules and the arguments is read. `steps` bounds the work: fewer worlds than were
    asked for are drawn if it does not suffice. Raises `Fault` with `NoBeliefs` if no world is found, with
    `NoWorldInBudget` if none is within the steps, with `BadBeliefsArgument` for an argument that means
    nothing, and with `BadOpponentModel` if the model gives no chances.
    """
    check_arguments(worlds, seed, method, steps, model)
    if callable(check := getattr(model, "check", None)):
        check(game)
    simulation = Simulation(game, log, model or UNIFORM, steps)
    try:
        # worlds have no cycles, and there are many: a search for them would take a fifth of the time
        with garbage_collection_paused():
            return _found(simulation, worlds, seed, method)
    except TooMany:
        hint = f"draw a sample instead: there are more than {MOST_IN_NEED} steps to follow"
        raise Fault(NoBeliefs(NOWHERE, "there are too many worlds", hint)) from None
    except Spent:
        raise Fault(NoWorldInBudget(NOWHERE, plural(steps, "step"))) from None


def _found(simulation: Simulation, worlds: int, seed: int, method: Method) -> Beliefs:
    """All worlds, or a sample. Raises `TooMany`, `Spent`, and `Fault` with `NoBeliefs`."""
    if method == "enumerate":
        return _exact(simulation, MOST_IN_NEED)
    if method != "sample":
        with suppress(TooMany):
            return _exact(simulation, min(MOST_FOLLOWED, simulation.most // 4))
    drawn = _drawn(simulation, worlds, seed)
    if method != "sample" and drawn.exactness.kind == "approximate":
        with suppress(TooMany, Spent):
            return _exact(simulation, min(MOST_IN_NEED, INSTEAD * simulation.steps))
    return drawn


def _drawn(simulation: Simulation, worlds: int, seed: int) -> Beliefs:
    """A sample, as large as the steps that are left allow; if none is found, that of the pilots.

    Raises `Spent`, and `Fault` with `NoBeliefs`.
    """
    particles = ParticleFilter(simulation)
    cost = particles.learn(seed, (simulation.most - simulation.steps) // 8)
    if (only := particles.only_world()) is not None:
        return _all(simulation, [(1.0, only)])
    try:
        for growth in GROWTH:
            islands, size = _islands(particles, growth * worlds, cost, seed)
            if any(island.worlds for island in islands):
                return _sampled(simulation, islands, simulation.most if ISLANDS * size < worlds else 0)
        return _exact(simulation, MOST_IN_NEED)
    except (Spent, TooMany) as given_up:
        if any(island.worlds for island in particles.pilots):
            spent = isinstance(given_up, Spent)
            return _sampled(simulation, particles.pilots, simulation.most if spent else 0)
        if isinstance(given_up, Spent):
            raise
        raise Fault(NoBeliefs(NOWHERE, *NONE_FOUND)) from None


def _islands(particles: ParticleFilter, worlds: int, cost: float, seed: int) -> tuple[list[Island], int]:
    """Filters for so many worlds, or as many as the steps that are left allow; the size of each filter.

    If they take more than was thought, a fourth of them is tried. Raises `Spent`.
    """
    simulation = particles.simulation
    left = simulation.most - simulation.steps
    size = max(1, min(worlds // ISLANDS, int(PRUDENCE * left / cost) // ISLANDS))
    most, simulation.most = simulation.most, simulation.steps + int(PATIENCE * left)
    try:
        return particles.islands(ISLANDS, size, seed), size
    except Spent:
        size = max(1, size // 4)
    finally:
        simulation.most = most
    return particles.islands(ISLANDS, size, seed), size


NONE_FOUND = (
    "no course was found that fits all that the seat was told",
    "ask for more worlds, or at an earlier moment of the match",
)


def _exact(simulation: Simulation, most: int) -> Beliefs:
    """All worlds. Raises `TooMany`, `Spent`, and `Fault` with `NoBeliefs` if none fits."""
    layer = Enumeration(simulation, most).worlds()
    if not layer:
        raise Fault(NoBeliefs(NOWHERE, *_why_none(simulation)))
    return _all(simulation, [found for _, found in sorted(layer.items())])


def _all(simulation: Simulation, found: Sequence[tuple[float, Course]]) -> Beliefs:
    """All worlds that fit, with their weights."""
    worlds = tuple(World(course.state, weight, _steps(course.path)) for weight, course in found)
    exactness = Exactness("exact", len(worlds), float(len(worlds)), simulation.model.name)
    return Beliefs(simulation.game, simulation.log, worlds, exactness)


def _why_none(simulation: Simulation) -> tuple[str, str]:
    """Why no course fits, and what helps: the rules are others, or by the model nobody chooses like that."""
    if isinstance(simulation.model, Uniform):
        return "no course of these rules fits its log", "use the rules that the match was played by"
    why = "no course fits its log in which the others choose as the model says"
    return why, "let the model give some weight to every option"


def _sampled(simulation: Simulation, islands: Sequence[Island], within: int) -> Beliefs:
    weights = shares(islands)
    found: list[World] = []
    ranges: list[range] = []
    worth = 0.0
    for share, island in zip(weights, islands, strict=True):
        begun = len(found)
        for weight, number, course in island.worlds:
            found += [World(course.state, share * weight, _steps(course.path))] * number
        ranges.append(range(begun, len(found)))
        worth += share * _worth(island.worlds)
    size = effective(weights) * worth
    different = len({world.state.tobytes() for world in found})
    kind, why = "sample", ""
    if size < FEW:
        kind, why = "approximate", f"their effective size is {size:.0f}, of {different} different ones"
    exactness = Exactness(kind, len(found), size, simulation.model.name, why, within)  # type: ignore[arg-type]
    return Beliefs(simulation.game, simulation.log, tuple(found), exactness, tuple(ranges))


def _worth(worlds: Sequence[tuple[float, int, Course]]) -> float:
    """How many different worlds an island has, by weight: equal ones may come from one draw."""
    found = Counter[bytes]()
    for weight, number, course in worlds:
        found[course.key()] += number * weight  # type: ignore[assignment]
    return effective(list(found.values()))


def _steps(path: Path) -> tuple[Chosen | Drawn, ...]:
    found: list[Chosen | Drawn] = []
    while path is not None:
        path, step = path
        found.append(step)
    return tuple(reversed(found))
