"""Worlds by sampling: a particle filter over the moments of a log.

Source: Gordon, Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation"
(1993); resampling is systematic (Kitagawa 1996), and only where the effective size has become small. Which
particles stay is decided by auxiliary weights: what is seen later counts when it is seen (Pitt and Shephard
1999).

The particles are many small filters that know nothing of each other, islands (Vergé et al. 2015). How much
their answers differ says how exact the whole is.

Equal particles of a filter are one, with the number of its copies. What becomes of the copies is decided for
all of them with one random number, as in systematic resampling: each alternative gets its expected part of
them, rounded up or down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, exp, inf, log, prod
from typing import NamedTuple

from interpreter.beliefs.bans import bans
from interpreter.beliefs.fates import Ban
from interpreter.beliefs.foresight import Foresight, Proposal
from interpreter.beliefs.known_positions import holds_no_values, is_known
from interpreter.beliefs.simulation import Course, Simulation, Way
from interpreter.chance import Choosing, stream_key
from interpreter.reference.codes import CHANCE

MOST_LOOKED_AT = 64
"""How many outcomes of an open chance are looked at, one by one, where the log does not name the outcome."""
SCARCE = 1 / 8
"""Particles are resampled where their effective size falls below this part of their number. What is proposed
with the future in mind is good for long, and each resampling loses worlds that cannot be made up for."""
PILOT = 24
"""The particles of a filter that goes ahead to learn."""
MOST_PILOTS = 12
SCOUTS = 8
"""The particles of a filter that goes ahead of all to find known positions."""
IN_NEED = 4
"""How much more than usual may be spent on learning while no small filter gets to the end."""
CERTAIN = Proposal([1.0], -1)
Start = tuple[int, Course]
"""A moment, and a world before it or in the middle of it."""
Key = tuple[bytes, int, int]
"""A world within a moment: its state, and how much of the log of the moment it has told."""


@dataclass(frozen=True, slots=True)
class Island:
    """The worlds of one filter, and the logarithm of its evidence.

    Each world has the weight of one copy and the number of its copies; all copies together weigh 1. Evidence
    is the chance of all that the seat was told. Without a world it is 0, and its logarithm -inf.
    """

    worlds: tuple[tuple[float, int, Course], ...]
    evidence: float


class Particle(NamedTuple):
    """So many copies of a world, each with the same weight.

    `debts` are factors of the weight, each with the moment until which it does not count for resampling: a
    draw that was proposed because of what is seen later is not punished for it before.
    """

    course: Course
    weight: float
    number: int = 1
    debts: tuple[tuple[int, float], ...] = ()

    def priority(self) -> float:
        """The weight of one copy without debts."""
        if not self.debts:
            return self.weight
        return self.weight / prod([factor for _, factor in self.debts])

    def times(self, factor: float, until: int, course: Course, moment: int, number: int) -> Particle:
        """Some of the copies behind a choice or an outcome, with the factor of their weight."""
        debts = (*self.debts, (until, factor)) if until > moment else self.debts
        return Particle(course, self.weight * factor, number, debts)

    def settled(self, moment: int) -> Particle:
        """The particle with the debts that remain at a moment."""
        if not self.debts:
            return self
        kept = tuple([debt for debt in self.debts if debt[0] > moment])
        return self if len(kept) == len(self.debts) else Particle(self.course, self.weight, self.number, kept)


@dataclass(slots=True)
class Running:
    """A filter under way: its particles behind a moment, and the logarithm of its evidence so far."""

    generator: Choosing
    particles: list[Particle]
    evidence: float = 0.0


class ParticleFilter:
    """Samples the worlds of a simulation.

    Many particles are the same world. So what a choice or an outcome leads to is worked out once for each.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.foresight = Foresight(simulation)
        self._ways: dict[bytes, list[Way]] = {}
        self._outcomes: dict[Key, list[tuple[int, float]]] = {}
        self._courses: dict[tuple[Key, int], Course | None] = {}
        self._proposals: dict[Key, Proposal] = {}
        self._stops: dict[Key, Course] = {}
        self._fitting = 0
        begun = simulation.begin()
        self.start: Start | None = (0, begun) if begun is not None else None
        """Where filters begin: at the last known position that was found; none if nothing fits."""
        self.pilots: list[Island] = []
        """The small filters of `learn`: samples too, if small ones."""

    def islands(self, number: int, size: int, seed: int) -> list[Island]:
        """So many filters of so many particles. Nothing but the log, the rules and the arguments counts."""
        islands = [self._begun(_generator(seed, i), size) for i in range(number)]
        for moment in self._moments():
            self._forget()
            for island in islands:
                self._move(island, moment, size)
        return [_ended(island, size) for island in islands]

    def only_world(self) -> Course | None:
        """The only world that fits, if everything is known where the log ends; to be asked after `learn`."""
        if self.start is None or self._moments():
            return None
        course = self.start[1]
        return course if holds_no_values(self.simulation.game, course.state) else None

    def _begun(self, generator: Choosing, size: int) -> Running:
        """A filter before its first moment."""
        return Running(generator, [Particle(self.start[1], 1.0, size)] if self.start is not None else [])

    def _moments(self) -> range:
        """The moments that filters go through."""
        return range(self.start[0] if self.start is not None else 0, len(self.simulation.log.moments))

    def _forget(self) -> None:
        """Forgets what was worked out for the moment before."""
        for known in (self._ways, self._outcomes, self._courses, self._proposals, self._stops):
            known.clear()

    def _move(self, island: Running, moment: int, size: int) -> None:
        """Moves the particles of an island by a moment, and resamples them."""
        generator = island.generator
        particles = _joined(p for each in island.particles for p in self._moved(each, moment, generator))
        self._fitting = copies(particles)
        total = sum(particle.number * particle.priority() for particle in particles)
        if not total:
            island.particles = []
            return
        island.evidence += log(total / size)
        scale = size / total
        particles = [Particle(p.course, p.weight * scale, p.number, p.debts) for p in particles]
        island.particles = _resampled(particles, size, island.generator)

    # ---- learning from failures

    def learn(self, seed: int, most: int) -> float:
        """Looks for known positions, and learns from choices of others that few worlds of small filters fit.

        It ends after about `most` steps, or some more as long as a filter ends early. Whatever is learnt
        changes proposals alone. Returns how many steps a particle takes, at most.
        """
        self._scout(seed)
        self.foresight.begin_at(self._moments().start)
        simulation, cost, begun = self.simulation, 1.0, self.simulation.steps
        for pilot in range(MOST_PILOTS):
            found, before = set[Ban](), simulation.steps
            whole = self._pilot(_generator(seed, -1 - pilot), found)
            cost = max(cost, (simulation.steps - before) / PILOT)
            spent = simulation.steps - begun
            if not self.foresight.learn(found) or spent > (most if whole else IN_NEED * most):
                break
        return cost

    def _pilot(self, generator: Choosing, found: set[Ban]) -> bool:
        """Runs one small filter as far as it goes, and notes what choices seem to rule out."""
        island = self._begun(generator, PILOT)
        for moment in self._moments():
            self._forget()
            before = island.particles
            self._move(island, moment, PILOT)
            chose = moment and before and before[0].course.code != CHANCE
            if chose and 4 * self._fitting < 3 * copies(before):
                found.update(bans(self.simulation, before[0].course, moment))
            if not island.particles:
                break
        self.pilots.append(_ended(island, PILOT))
        return bool(island.particles)

    def _scout(self, seed: int) -> None:
        """Goes ahead with few particles, and begins again with more behind the last known position."""
        size, number = SCOUTS, 0
        while self.start is not None and size <= PILOT:
            start, number = self.start, number - 1
            island = self._begun(_generator(seed, f"scout/{number}"), size)
            for moment in self._moments():
                self._forget()
                self._move(island, moment, size)
                if not island.particles:
                    break
                self._note_known(island, moment)
            if island.particles:
                return
            size = size if _where(self.start) != _where(start) else 2 * size

    def _note_known(self, island: Running, moment: int) -> None:
        """Begins with the last position of a moment that all worlds have come through, if it is known."""
        game, seat = self.simulation.game, self.simulation.log.seat
        behind = {p.course.key(): (moment + 1, p.course) for p in island.particles}
        told: dict[tuple[int, int], list[Start]] = {}
        for (_, now, later), course in self._stops.items():
            told.setdefault((now, later), []).append((moment, course))
        for found in (list(behind.values()), *(told[time] for time in sorted(told, reverse=True))):
            if len(found) == 1 and is_known(game, found[0][1].state, seat):
                self.start = found[0]
                return

    # ---- one particle, one moment

    def _moved(self, particle: Particle, moment: int, generator: Choosing) -> Iterator[Particle]:
        """The copies of a particle behind a moment, as far as they fit the log."""
        begun = not moment or particle.course.code == CHANCE
        left = [particle] if begun else self._chosen(particle, moment, generator)
        while left:
            found = left.pop()
            if found.course.code == CHANCE:
                left += self._drawn(found, moment, generator)
            else:
                yield found.settled(moment)

    def _chosen(self, particle: Particle, moment: int, generator: Choosing) -> list[Particle]:
        world, state = particle.course, particle.course.key()
        if state not in self._ways:
            self._ways[state] = self.simulation.ways(world, moment)
        ways = self._ways[state]
        if not ways:
            return []
        chosen = (state, -1, -1)
        if chosen not in self._proposals:
            self._proposals[chosen] = self._choices(world, moment, chosen, ways)
        proposal = self._proposals[chosen]
        found: list[Particle] = []
        for i, number in allotted(proposal.chances, particle.number, generator):
            _, _, chance = ways[i]
            course = self._begun_with(world, moment, chosen, ways, i)
            if course is not None:
                factor = chance / proposal.chances[i]
                found.append(particle.times(factor, proposal.until, course, moment, number))
        return found

    def _choices(self, world: Course, moment: int, chosen: Key, ways: Sequence[Way]) -> Proposal:
        """How to choose one of some ways; all are tried where they write values that are told later."""
        if len(ways) == 1:
            return CERTAIN
        tried = (self._begun_with(world, moment, chosen, ways, i) for i in range(len(ways)))
        if not self.foresight.are_told(moment, (course.state for course in tried if course is not None)):
            return self.foresight.choices(world, moment, ways)
        found = [self._begun_with(world, moment, chosen, ways, i) for i in range(len(ways))]
        return self.foresight.written(
            moment, ways, [course.state if course is not None else None for course in found]
        )

    def _begun_with(
        self, world: Course, moment: int, chosen: Key, ways: Sequence[Way], i: int
    ) -> Course | None:
        """A world that begins a moment with one of some ways; none if it does not fit the log."""
        key = (chosen, i)
        if key not in self._courses:
            waiting, option, _ = ways[i]
            self._courses[key] = self.simulation.choose(world, moment, waiting, option)
        return self._courses[key]

    def _drawn(self, particle: Particle, moment: int, generator: Choosing) -> list[Particle]:
        world = particle.course
        key = (world.key(), world.now, world.later)
        if key not in self._outcomes:
            self._outcomes[key], self._stops[key] = self.simulation.outcomes(world, moment), world
        outcomes = self._outcomes[key]
        if not outcomes:
            return []
        if len(outcomes) == 1:
            return self._forced(particle, moment, key, outcomes[0])
        proposal = self._proposals.get(key)
        if proposal is None:
            proposal = self.foresight.throws(world, moment, outcomes)
        if proposal is None:
            if len(outcomes) <= MOST_LOOKED_AT and self.simulation.is_open(world, moment):
                return self._looked_at(particle, moment, key, generator)
            proposal = self.foresight.draws(world, moment, outcomes)
        self._proposals[key] = proposal
        found: list[Particle] = []
        for i, number in allotted(proposal.chances, particle.number, generator):
            outcome, chance = outcomes[i]
            course = self._resolved(world, moment, key, outcome)
            if course is not None:
                factor = chance / proposal.chances[i]
                found.append(particle.times(factor, proposal.until, course, moment, number))
        return found

    def _forced(self, particle: Particle, moment: int, key: Key, only: tuple[int, float]) -> list[Particle]:
        """All copies behind the only outcome, if it fits the log."""
        outcome, chance = only
        course = self._resolved(particle.course, moment, key, outcome)
        return [particle.times(chance, -1, course, moment, particle.number)] if course is not None else []

    def _resolved(self, world: Course, moment: int, key: Key, outcome: int) -> Course | None:
        known = (key, outcome)
        if known not in self._courses:
            self._courses[known] = self.simulation.resolve(world, moment, outcome)
        return self._courses[known]

    def _looked_at(self, particle: Particle, moment: int, key: Key, generator: Choosing) -> list[Particle]:
        """Those of the outcomes that fit what is told at once; their factor is the chance of all of them."""
        world = particle.course
        each = [(p, self._resolved(world, moment, key, outcome)) for outcome, p in self._outcomes[key]]
        fitting = [(chance, found) for chance, found in each if found is not None]
        total = sum(chance for chance, _ in fitting)
        if not fitting:
            return []
        parts = allotted([chance / total for chance, _ in fitting], particle.number, generator)
        return [particle.times(total, -1, fitting[i][1], moment, number) for i, number in parts]


def _where(start: Start) -> tuple[int, Key]:
    """The moment of a start, and its world within it."""
    moment, course = start
    return moment, (course.key(), course.now, course.later)


def _generator(seed: int, name: int | str) -> Choosing:
    low, high = stream_key(seed, f"beliefs/{name}")
    return Choosing(high << 32 | low)


def _joined(particles: Iterable[Particle]) -> list[Particle]:
    """Particles whose worlds and debts are equal become one, with their mean weight and all their copies."""
    found: dict[tuple[bytes, tuple[tuple[int, float], ...]], Particle] = {}
    for one in particles:
        key = one.course.key(), one.debts
        known = found.get(key)
        if known is not None:
            number = known.number + one.number
            weight = (known.number * known.weight + one.number * one.weight) / number
            one = Particle(known.course, weight, number, one.debts)
        found[key] = one
    return list(found.values())


def copies(particles: Iterable[Particle]) -> int:
    """How many copies some particles are together."""
    return sum(particle.number for particle in particles)


def _ended(island: Running, size: int) -> Island:
    total = sum(particle.number * particle.weight for particle in island.particles)
    if not total:
        return Island((), -inf)
    worlds = [(p.weight / total, p.number, p.course) for p in island.particles]
    return Island(tuple(worlds), island.evidence + log(total / size))


def _resampled(particles: list[Particle], size: int, generator: Choosing) -> list[Particle]:
    """So many copies, of each particle as often as its priority says, if few of them have most of it.

    Their weights are then their debts alone, so that every world keeps its chance.
    """
    priorities = [particle.priority() for particle in particles]
    masses = [p.number * priority for p, priority in zip(particles, priorities, strict=True)]
    squares = sum(mass * priority for mass, priority in zip(masses, priorities, strict=True))
    total = sum(masses)
    if total * total >= squares * size * SCARCE:
        return particles
    step = total / size
    found: list[Particle] = []
    for i, number in allotted([mass / total for mass in masses], size, generator):
        one = particles[i]
        weight = step * prod(factor for _, factor in one.debts)
        found.append(Particle(one.course, weight, number, one.debts))
    return found


def uniform(generator: Choosing) -> float:
    """A random number from 0 to 1, without 1."""
    return generator.below(1 << 32) / (1 << 32)


def picked(chances: Sequence[float], generator: Choosing) -> int:
    """An index by its chance; one with no chance is never picked. The chances sum to 1."""
    if len(chances) == 1:
        return 0
    at, last = uniform(generator), 0
    for i, chance in enumerate(chances):
        if chance > 0:
            last = i
            if at < chance:
                return i
        at -= chance
    return last


def allotted(chances: Sequence[float], number: int, generator: Choosing) -> list[tuple[int, int]]:
    """How many of some copies go to each index, by its chance: its expected part, rounded up or down.

    One with no chance gets none. The chances sum to 1.
    """
    if number == 1 or len(chances) == 1:
        return [(picked(chances, generator), number)]
    offset, reached, given = uniform(generator), 0.0, 0
    found: list[tuple[int, int]] = []
    for i, chance in enumerate(chances):
        if chance > 0:
            reached += chance * number
            until = min(number, max(given, ceil(reached - offset)))
            if until > given:
                found.append((i, until - given))
                given = until
    if given < number:
        last = max(i for i, chance in enumerate(chances) if chance > 0)
        found.append((last, number - given))
    return found


def effective(weights: Sequence[float]) -> float:
    """The effective size of a weighted sample (Kong 1992); 0 without weight."""
    squares = sum(weight * weight for weight in weights)
    return sum(weights) ** 2 / squares if squares else 0.0


def shares(islands: Sequence[Island]) -> list[float]:
    """The weight of each island, by its evidence; they sum to 1, or are all 0."""
    best = max((island.evidence for island in islands), default=-inf)
    if best == -inf:
        return [0.0] * len(islands)
    found = [exp(island.evidence - best) for island in islands]
    total = sum(found)
    return [share / total for share in found]
