"""Proposals: hidden draws and choices with what is seen later in mind.

A sampler that draws hidden pieces by their chance alone loses most of its worlds when one of them is laid
open. So draws are proposed by the fates of pieces, and the weights make up for it: importance sampling with
an informed proposal (Doucet, Godsill and Andrieu 2000). Which piece goes where is a table with given sums of
rows and columns and with entries that are nearly impossible; its expected entries are found by scaling rows
and columns (Sinkhorn 1967), and the table is drawn piece by piece (Chen, Diaconis, Holmes and Liu 2005).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import mul

from dsl.domains import NONE, PieceType
from interpreter.beliefs.fates import Ban, Fates, Message, Sighting
from interpreter.beliefs.flows import Flows, PieceCounter, PieceFlow, Time
from interpreter.beliefs.opponents import mixed
from interpreter.beliefs.reveals import Reveals
from interpreter.beliefs.simulation import Course, Simulation, Way
from interpreter.events import Moved, Thrown
from interpreter.redacted_log import Entry

PLAIN_SHARE, PLAIN_DRAWS = 0.1, 0.25
"""The part of proposals that follow the chances alone: no world is left out (a defensive mixture: Hesterberg
1995). It is that of a match with few hidden draws; where there are many, about so many of all draws of a
match do."""
EAGERNESS = 20.0
"""How much likelier a choice is proposed of a piece which is seen to move next."""
MOST_ODDS = 1e3
"""How much likelier or less likely a choice is proposed because of what is seen later, at most."""
SCALINGS = 8
"""How often rows and columns are scaled for a draw."""
MOST_COLUMNS = 12
"""How many destinations of pieces are told apart; later ones count as if they stayed."""
LEAST = 1e-12

Row = tuple[dict[int, int], Sequence[float]]
"""Pieces with the same fate: how many of each class, and the weight of one for each column."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The chance with which each of some alternatives is to be proposed; they sum to 1.

    Until the moment `until`, -1 for none, it is not known whether what was proposed was right.
    """

    chances: list[float]
    until: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of the pieces at a place from which one is drawn at a time, whatever the world is.

    `columns` are the destinations, the present one first: how many pieces are still drawn to each. `fates`
    are, by class, the sightings to come: the weight for each column and, the likeliest first, the other
    places where such a piece may be. `unseen` are the weights of pieces that are never seen, by class, or
    with -1 of all that are ruled out nowhere.
    """

    columns: list[int]
    fates: dict[int, list[tuple[Sequence[float], list[int]]]]
    until: int
    unseen: dict[int, Sequence[float]]
    _parts: dict[tuple[tuple[int, int], ...], list[float]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def parts(self, rows: Sequence[Row]) -> list[float]:
        """The part of the pieces of each row that is drawn now.

        The weights of rows are those of the plan itself; what is worked out is kept.
        """
        key = tuple([(id(weights), sum(pieces.values())) for pieces, weights in rows])
        found = self._parts.get(key)
        if found is None:
            sizes = [number for _, number in key]
            found = self._parts[key] = shares_of_rows([weights for _, weights in rows], sizes, self.columns)
        return found


class Foresight:
    """Proposes draws and choices for the worlds of one simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self.game = simulation, simulation.game
        game, seat = simulation.game, simulation.log.seat
        self._hidden = {i for i in range(len(game.machine.places)) if not game.views.may_see(i, seat)}
        self._counted = PieceCounter(game)
        self._flows = Flows.of(game, simulation.log, simulation.opening()[0])
        self._reveals = Reveals.of(game, simulation.log, self._flows)
        self.begin_at(0)
        self._told: dict[int, dict[int, tuple[int, int]]] = {}
        self.bans: frozenset[Ban] = frozenset()
        self.learn(())

    def begin_at(self, moment: int) -> None:
        """Takes into account that nothing before a moment is drawn."""
        hidden = self._flows.unseen(moment) + self._reveals.thrown(moment)
        self._plain_share = min(PLAIN_SHARE, PLAIN_DRAWS / max(1, hidden))

    def learn(self, bans: Iterable[Ban]) -> bool:
        """Takes into account where pieces seem not to have been; whether that was new."""
        known, self.bans = self.bans, self.bans.union(bans)
        if known != self.bans or not hasattr(self, "_fates"):
            self._fates = Fates(self._flows, self._hidden, self.bans)
            self._plans: dict[tuple[int, Time], Plan | None] = {}
        return known != self.bans

    # ---- draws

    def throws(self, course: Course, number: int, outcomes: Sequence[tuple[int, float]]) -> Proposal | None:
        """How to throw a die unseen of which the log shows the face later; none if it is no such die."""
        if not self._reveals.throws:
            return None
        due = self.simulation.due(course, number)
        match due:
            case (at, Entry(stream=str(), events=(Thrown(face=-1, place=place), *_))):
                there = self._counted.numbers(course.state, place)
                faces = self._reveals.next_faces(place, (number, at, 0), there)
                if faces is None:
                    return None
                total = sum(chance for _, chance in outcomes)
                plain = [chance / total for _, chance in outcomes]
                wanted = [
                    faces.left.get(face, 0) + faces.free * p
                    for (face, _), p in zip(outcomes, plain, strict=True)
                ]
                wanted = [each if p > 0.0 else 0.0 for each, p in zip(wanted, plain, strict=True)]
                return Proposal(mixed(plain, wanted, self._plain_share), faces.until)
        return None

    def draws(self, course: Course, number: int, outcomes: Sequence[tuple[int, float]]) -> Proposal:
        """How to draw one of some outcomes."""
        total = sum(chance for _, chance in outcomes)
        plain = [chance / total for _, chance in outcomes]
        due = self.simulation.due(course, number) if len(outcomes) > 1 else None
        match due:
            case (at, Entry(stream=str(), events=(Moved(class_=-1, source=source), *_))):
                plan = self._plan(source, (number, at, 0))
                if plan is None:
                    return Proposal(plain, -1)
                wanted = self._wanted(plan, course.state, source)
                found = [wanted.get(class_, 0.0) for class_, _ in outcomes]
                return Proposal(mixed(plain, found, self._plain_share), plan.until)
        return Proposal(plain, -1)

    def _wanted(self, plan: Plan, s: array[int], source: int) -> dict[int, float]:
        """How likely each class is drawn now, as far as it can be told; the scale is arbitrary."""
        there = self._counted.numbers(s, source)
        rows = self._rows(plan, s, there)
        found: dict[int, float] = {}
        for (there, _), part in zip(rows, plan.parts(rows), strict=True):
            for class_, number in there.items():
                found[class_] = found.get(class_, 0.0) + number * part
        return found

    def _rows(self, plan: Plan, s: array[int], there: dict[int, int]) -> list[Row]:
        """The pieces at the place by fate: those seen later, unless others are seen, and the rest."""
        elsewhere: dict[int, dict[int, int]] = {}
        rows: list[Row] = []
        rest: dict[int, Row] = {}
        for class_, number in there.items():
            left = number
            for weights, places in plan.fates.get(class_, ()):
                if self._is_elsewhere(class_, places, s, elsewhere):
                    continue
                if left:
                    left -= 1
                    rows.append(({class_: 1}, weights))
            if left:
                key = class_ if class_ in self._fates.banned else -1
                rest.setdefault(key, ({}, plan.unseen[key]))[0][class_] = left
        return [*rows, *rest.values()]

    def _is_elsewhere(
        self, class_: int, places: Sequence[int], s: array[int], left: dict[int, dict[int, int]]
    ) -> bool:
        """Whether a piece of a class is `left` at one of some places; it is not left there then."""
        for place in places:
            if place not in left:
                left[place] = self._counted.numbers(s, place)
            if left[place].get(class_, 0) > 0:
                left[place][class_] -= 1
                return True
        return False

    def _plan(self, source: int, time: Time) -> Plan | None:
        """What is known of draws from a place, none if nothing is."""
        key = source, time
        if key not in self._plans:
            self._plans[key] = self._planned(source, time)
        return self._plans[key]

    def _planned(self, source: int, time: Time) -> Plan | None:
        """What is known of the pieces of a place just before one is drawn from it."""
        ways = self._destinations(source, time)
        columns = [number for _, _, number in ways]
        at = [(place, when) for place, when, _ in ways]
        last = max([time, *(when for _, when in at)])
        at.append((source, last))

        def weights(message: Message) -> list[float]:
            return [message.at(place, when) for place, when in at]

        fates: dict[int, list[tuple[Sequence[float], list[int]]]] = {}
        until = self._fates.last_ban()
        for class_, sightings in self._fates.sightings.items():
            for one in sightings:
                if one.time > time and (one.known is None or one.known <= time):
                    message = self._fates.messages[one]
                    others = self._others(message, source, time)
                    fates.setdefault(class_, []).append((weights(message), others))
                    until = max(until, one.time[0])
        if not fates and not self._fates.banned:
            return None
        unseen: dict[int, Sequence[float]]
        unseen = {class_: weights(self._fates.unseen(class_)) for class_ in (-1, *self._fates.banned)}
        return Plan(columns, fates, until, unseen)

    def _destinations(self, source: int, time: Time) -> list[tuple[int, Time, int]]:
        """Where pieces of a place go to unseen from a time on, and how many, moment by moment."""
        found: dict[tuple[int, int], tuple[int, Time, int]] = {}
        for flow in self._flows.leaving.get(source, ()):
            if flow.class_ < 0 and flow.time >= time:
                key = flow.to, flow.time[0]
                _, _, number = found.get(key, (0, time, 0))
                if not number and len(found) == MOST_COLUMNS:
                    break
                found[key] = flow.to, flow.time, number + flow.number
        return list(found.values())

    def _others(self, message: Message, source: int, time: Time) -> list[int]:
        """Where else a piece with a fate may be at a time, the likeliest place first."""
        before = (time[0], time[1], time[2] - 1)
        found = [(message.at(place, before), place) for place in message.places() if place != source]
        return [place for chance, place in sorted(found, reverse=True) if chance > 0.0]

    # ---- choices

    def are_told(self, moment: int, ends: Iterator[array[int]]) -> bool:
        """Whether the choice of a moment writes hidden values that are told later, by two of its ends.

        If it has not got so many `ends` that fit, all were looked for, and are as good as told.
        """
        told = self._told_after(moment)
        if not told:
            return False
        some = list(islice(ends, 2))
        return len(some) < 2 or any(some[0][word] != some[1][word] for word in told)

    def written(self, moment: int, ways: Sequence[Way], ends: Sequence[array[int] | None]) -> Proposal:
        """How to choose one of some ways by the values with which they end; none has no end that fits.

        The values are those of hidden words that the log tells later.
        """
        told, fitting = self._told_after(moment), [end for end in ends if end is not None]
        if not fitting:
            return Proposal([1.0, *[0.0] * (len(ways) - 1)], -1)
        varied = [word for word in told if any(end[word] != fitting[0][word] for end in fitting)]
        plain = [0.0 if end is None else chance for (_, _, chance), end in zip(ways, ends, strict=True)]
        total = sum(plain)
        plain = [chance / total for chance in plain]
        wanted = [
            0.0 if end is None or any(end[word] != told[word][1] for word in varied) else chance
            for chance, end in zip(plain, ends, strict=True)
        ]
        until = max((told[word][0] for word in varied), default=-1)
        return Proposal(mixed(plain, wanted, PLAIN_SHARE), until)

    def _told_after(self, moment: int) -> dict[int, tuple[int, int]]:
        if moment not in self._told:
            self._told = {moment: self._reveals.next_values(moment)}
        return self._told[moment]

    def choices(self, world: Course, number: int, ways: Sequence[Way]) -> Proposal:
        """How to choose one of some ways."""
        plain: list[float] = []
        found: list[float] = []
        odds: dict[int, dict[int, float]] = {}
        seen = -1
        for waiting, option, chance in ways:
            plain.append(chance)
            node = self.game.machine.decision(waiting.node)
            kind = self.game.names.value_type(node, option, waiting.what)
            if isinstance(kind, PieceType) and option[1] != NONE:
                place, class_ = divmod(option[1], self.game.machine.component_classes[kind.component])
                if place not in odds:
                    odds[place], until = self._odds(world.state, place, number)
                    seen = max(seen, until)
                chance *= odds[place].get(class_, 1.0)
            found.append(chance)
        total = sum(plain)
        plain = [chance / total for chance in plain]
        return Proposal(mixed(plain, found, self._plain_share) if odds else plain, seen)

    def _odds(self, s: array[int], place: int, number: int) -> tuple[dict[int, float], int]:
        """How much likelier each class at a place is the next to leave it than by chance alone.

        With the moment at which the last of them is seen, -1 if nothing is known.
        """
        time = (number, -1, 0)
        leaving = (flow for flow in self._flows.leaving.get(place, ()) if flow.time > time)
        first = next(leaving, None)
        if first is None:
            return {}, -1
        if first.class_ >= 0:
            return {first.class_: EAGERNESS}, first.time[0]
        return self._odds_of(s, place, time, first)

    def _odds_of(
        self, s: array[int], place: int, time: Time, first: PieceFlow
    ) -> tuple[dict[int, float], int]:
        """The same where a piece moves unseen."""
        found: dict[int, float] = {}
        until = self._fates.last_ban()
        for class_, number in self._counted(s, place).items():
            each: list[float] = []
            for one in self._fates.sightings.get(class_, ()):
                if one.time <= time or (one.known is not None and one.known > time):
                    continue
                message = self._fates.messages[one]
                if len(each) < number and self._is_here(message, one, s, place, time):
                    each.append(_ratio(message.at(first.to, first.time), message.at(place, first.time)))
                    until = max(until, one.time[0])
            free = self._fates.unseen(class_)
            rest = _ratio(free.at(first.to, first.time), free.at(place, first.time))
            each += [rest] * (number - len(each))
            found[class_] = sum(each) / number
        return found, until

    def _is_here(self, message: Message, one: Sighting, s: array[int], place: int, time: Time) -> bool:
        """Whether the piece of a sighting is likeliest the one at a place."""
        here = message.at(place, time)
        if here <= 0.0:
            return False
        others = (other for other in message.places() if other != place and message.at(other, time) > here)
        return not any(self._counted(s, other)[one.class_] for other in others)


def shares_of_rows(
    rows: Sequence[Sequence[float]], sizes: Sequence[int], columns: Sequence[int]
) -> list[float]:
    """The part of each row that comes to the first column, if rows of such sizes are dealt to the columns.

    What is in no column comes to one more, the last. A row that has a weight in one column alone is dealt
    first.
    """
    left = [float(number) for number in (*columns, sum(sizes) - sum(columns))]
    found = [0.0] * len(rows)
    open_: list[int] = []
    for i, weights in enumerate(rows):
        ways = [j for j, weight in enumerate(weights) if weight > 0.0]
        if len(ways) == 1:
            left[ways[0]] -= sizes[i]
            found[i] = float(ways[0] == 0)
        else:
            open_.append(i)
    left = [max(0.0, number) for number in left]
    scaled = _scaled([(sizes[i], rows[i]) for i in open_], left)
    for i in open_:
        found[i] = scaled[0] * rows[i][0] / max(sumprod(scaled, rows[i]), LEAST)
    return found


def _scaled(rows: Sequence[tuple[int, Sequence[float]]], numbers: Sequence[float]) -> Sequence[float]:
    """Factors of the columns with which about so many pieces come to each, if rows are scaled too."""
    scaled = numbers
    for _ in range(SCALINGS):
        reached = [0.0] * len(numbers)
        for size, weights in rows:
            part = size / max(sumprod(scaled, weights), LEAST)
            for j, weight in enumerate(weights):
                reached[j] += part * weight
        # so many pieces come to a column that `number` is `scaled * reached`
        scaled = [number / max(each, LEAST) for number, each in zip(numbers, reached, strict=True)]
    return scaled


def sumprod(some: Sequence[float], others: Sequence[float]) -> float:
    """The sum of products, as `math.sumprod` of later versions of Python."""
    total: float = sum(map(mul, some, others))
    return total


def _ratio(moved: float, stayed: float) -> float:
    """How much likelier a fate is for a piece that moves than for one that stays, within bounds."""
    return min(MOST_ODDS, max(1 / MOST_ODDS, (moved + LEAST) / (stayed + LEAST)))
