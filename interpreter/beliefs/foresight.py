"""What is seen later in a log: which pieces must have come to a hidden place, and until when.

A sampler that draws hidden pieces by their chance alone loses most of its worlds when one of them is laid
open. So draws are proposed with what is seen later in mind, and the weights make up for it: importance
sampling with an informed proposal (Doucet, Godsill and Andrieu 2000).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl.domains import NONE, PieceType
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Course, Simulation, Way
from interpreter.events import Event, Moved, Shown
from interpreter.game import Game
from interpreter.redacted_log import Entry
from interpreter.reference import pieces

CANDOUR = 0.1
"""The part of every proposal that follows the chances alone: no world is left out."""
EAGERNESS = 20.0
"""How much likelier a choice is proposed that moves a piece which is seen to move next."""

DEEPEST = 3
"""How many unseen moves of a piece are followed back from where it is seen."""

Time = tuple[int, int, int]
"""The numbers of a moment, of an entry in it, and of an event in that."""


@dataclass(frozen=True, slots=True)
class PieceFlow:
    """Pieces that came to a place, or left it (`number` below 0); the class is -1 if the seat did not see it.

    `other` is the place that they came from, or went to.
    """

    time: Time
    class_: int
    number: int
    other: int


@dataclass(frozen=True, slots=True)
class Need:
    """A piece that must be at a place until a time, because it is seen later: there, or where it went unseen.

    `seen` is when it is seen. `route` are the places from the one where it is seen, back to the one that
    needs it. `strength` is how likely it has come by this route, below 1 where it may have come by another.
    """

    time: Time
    seen: Time
    class_: int
    strength: float
    route: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The chance with which each of some alternatives is to be proposed; they sum to 1.

    Until the moment `until`, -1 for none, it is not known whether what was proposed was right.
    """

    chances: list[float]
    until: int


class Foresight:
    """Proposes draws and choices for the worlds of one simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self.game = simulation, simulation.game
        self._flows = flows(simulation.log)
        self._needs: dict[tuple[int, Time, int], list[Need]] = {}

    # ---- draws

    def draws(self, course: Course, number: int, outcomes: Sequence[tuple[int, float]]) -> Proposal:
        """How to draw one of some outcomes."""
        total = sum(chance for _, chance in outcomes)
        plain = [chance / total for _, chance in outcomes]
        due = self.simulation.due(course, number) if len(outcomes) > 1 else None
        match due:
            case (at, Entry(stream=str(), events=(Moved(class_=-1, source=source, to=to), *_))):
                time, s = (number, at, 0), course.state
                wanted, seen = self._wanted(s, time, to)
                chances = _mixed(plain, [c for c, _ in outcomes], wanted, self._spare(s, time, source, to))
                return Proposal(chances, seen)
        return Proposal(plain, -1)

    def _wanted(self, s: array[int], time: Time, place: int) -> tuple[dict[int, float], int]:
        """The classes that are still to come to a place, with the chance that one of them comes now.

        Also the moment at which the last of them has been seen, -1 if there are none.
        """
        found: dict[int, float] = {}
        seen = -1
        for need in self._lacking(s, self.needs(place, time)):
            coming = sum(
                flow.number
                for flow in self._flows.get(place, ())
                if flow.class_ < 0 < flow.number and time <= flow.time <= need.time
            )
            found[need.class_] = found.get(need.class_, 0.0) + need.strength / max(1, coming)
            seen = max(seen, need.seen[0])
        return found, seen

    def _lacking(self, s: array[int], needs: Sequence[Need]) -> Iterator[Need]:
        """The needs that no piece meets which is on their way already."""
        there: dict[int, Counter[int]] = {}
        for need in needs:
            for place in need.route:
                if place not in there:
                    there[place] = counted(self.game, s, place)
                if there[place][need.class_] > 0:
                    there[place][need.class_] -= 1
                    break
            else:
                yield need

    def _spare(self, s: array[int], time: Time, place: int, to: int) -> dict[int, float]:
        """Of each class how many pieces of a place are not needed elsewhere than where they go to."""
        found: dict[int, float] = dict(counted(self.game, s, place))
        for need in self.needs(place, time):
            if to not in need.route and need.class_ in found:
                found[need.class_] -= need.strength
        return found

    def needs(self, place: int, time: Time, depth: int = 0) -> list[Need]:
        """What must be at a place, or come to it unseen, from a time on."""
        key = (place, time, depth)
        if key not in self._needs:
            self._needs[key] = self._found_needs(place, time, depth)
        return self._needs[key]

    def _found_needs(self, place: int, time: Time, depth: int) -> list[Need]:
        seen: dict[int, float] = {}
        found: dict[tuple[object, ...], Need] = {}
        for flow in self._flows.get(place, ()):
            if flow.time <= time:
                continue
            if flow.class_ >= 0:
                seen[flow.class_] = seen.get(flow.class_, 0.0) + flow.number
                while seen[flow.class_] < 0:
                    seen[flow.class_] += 1
                    found[flow.time, flow.class_, len(found)] = Need(
                        flow.time, flow.time, flow.class_, 1.0, (place,)
                    )
            elif flow.number < 0 and depth < DEEPEST:
                for i, need in enumerate(self.needs(flow.other, flow.time, depth + 1)):
                    key = (need.seen, need.class_, need.route, i)
                    known = found[key].strength if key in found else 0.0
                    part = -flow.number * need.strength / self._coming(flow.other, time, need.time)
                    known_there = min(part, seen.get(need.class_, 0.0))
                    if known_there > 0:
                        seen[need.class_] -= known_there
                        part -= known_there
                    if part <= 0:
                        continue
                    strength = min(1.0, known + part)
                    found[key] = Need(flow.time, need.seen, need.class_, strength, (*need.route, place))
        return list(found.values())

    def _coming(self, place: int, after: Time, until: Time) -> int:
        """How many pieces come to a place unseen in a time, at least 1."""
        unseen = (flow for flow in self._flows.get(place, ()) if flow.class_ < 0 < flow.number)
        return max(1, sum(flow.number for flow in unseen if after < flow.time <= until))

    # ---- choices

    def choices(self, world: Course, number: int, ways: Sequence[Way]) -> Proposal:
        """How to choose one of some ways."""
        found: list[float] = []
        wanted: dict[int, set[int]] = {}
        seen = -1
        for waiting, option, chance in ways:
            node = self.game.machine.decision(waiting.node)
            kind = self.game.names.value_type(node, option, waiting.what)
            if isinstance(kind, PieceType) and option[1] != NONE:
                place, class_ = divmod(option[1], self.game.machine.component_classes[kind.component])
                if place not in wanted:
                    needs = self._wanted_next(world.state, place, number)
                    wanted[place] = {need.class_ for need in needs}
                    seen = max([seen, *(need.seen[0] for need in needs)])
                chance *= EAGERNESS if class_ in wanted[place] else 1.0
            found.append(chance)
        total = sum(found)
        return Proposal([chance / total for chance in found], seen)

    def _wanted_next(self, s: array[int], place: int, number: int) -> list[Need]:
        """What is wanted where the next piece goes that leaves a place."""
        time = (number, -1, 0)
        leaving = (flow for flow in self._flows.get(place, ()) if flow.number < 0 and flow.time > time)
        first = next(leaving, None)
        if first is None:
            return []
        if first.class_ >= 0:
            return [Need(first.time, first.time, first.class_, 1.0, (place,))]
        return list(self._lacking(s, self.needs(first.other, first.time)))


def _mixed(
    plain: Sequence[float], classes: Sequence[int], wanted: dict[int, float], spare: dict[int, float]
) -> list[float]:
    """A proposal: now and then what is wanted, else what is to spare, and always a little of everything."""
    urgent = [wanted.get(c, 0.0) for c in classes]
    free = [max(0.0, spare.get(c, 0.0)) for c in classes]
    haste = min(1.0, sum(urgent))
    urgent = _scaled(urgent, plain)
    free = _scaled(free, plain)
    parts = zip(plain, urgent, free, strict=True)
    return [CANDOUR * p + (1 - CANDOUR) * (haste * u + (1 - haste) * f) for p, u, f in parts]


def _scaled(weights: Sequence[float], otherwise: Sequence[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights] if total else list(otherwise)


# ---- reading a log


def flows(log: SeatLog) -> dict[int, list[PieceFlow]]:
    """For each place what came and went, in order, as far as the seat was told."""
    found: dict[int, list[PieceFlow]] = {}
    for time, event in _timed(log):
        match event:
            case Moved(class_=class_, number=n, source=source, to=to):
                found.setdefault(source, []).append(PieceFlow(time, class_, -n, to))
                found.setdefault(to, []).append(PieceFlow(time, class_, n, source))
            case Shown(pieces=tuple() as shown):
                for place, class_, n in shown:
                    there = (PieceFlow(time, class_, -n, place), PieceFlow(time, class_, n, place))
                    found.setdefault(place, []).extend(there)
    return found


def _timed(log: SeatLog) -> Iterator[tuple[Time, Event]]:
    for number, moment in enumerate(log.moments):
        for entries in (moment.now, moment.later or ()):
            for i, entry in enumerate(entries):
                yield from (((number, i, j), event) for j, event in enumerate(entry.events))


def counted(game: Game, s: array[int], place: int) -> Counter[int]:
    """The pieces on a place by class."""
    where, found = game.machine.places[place], Counter[int]()
    for reference, number in pieces.place_reader(where, place)(s, []):
        found[reference % where.classes] += number
    return found
