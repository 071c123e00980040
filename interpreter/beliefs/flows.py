"""What a log says of the ways of pieces: which came and went where, as far as the seat was told."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from interpreter import ir
from interpreter.beliefs.seat_log import SeatLog
from interpreter.events import Event, Moved, Shown
from interpreter.game import Game
from interpreter.reference import pieces
from interpreter.reference.closures import ListFn

Time = tuple[int, int, int]
"""The numbers of a moment, of an entry in it, and of an event in that."""


@dataclass(frozen=True, slots=True)
class PieceFlow:
    """So many pieces moved; the class is -1 if the seat did not see it. Shown pieces stay: `to` is `source`.

    `there` is how many pieces lay at the source before, as far as that can be counted, at least `number`.
    """

    time: Time
    class_: int
    number: int
    source: int
    to: int
    there: int

    @property
    def part(self) -> float:
        """The part of the pieces at the source that moved."""
        return self.number / self.there


@dataclass(frozen=True)
class Flows:
    """All flows of a log, in order."""

    all: tuple[PieceFlow, ...]

    @classmethod
    def of(cls, game: Game, log: SeatLog, start: array[int]) -> Flows:
        """The flows of a log that begins with a state."""
        counted, places = PieceCounter(game), range(len(game.machine.places))
        there = Counter({place: counted(start, place).total() for place in places})
        found: list[PieceFlow] = []
        for time, class_, number, source, to in sorted(_moves(log)):
            found.append(PieceFlow(time, class_, number, source, to, max(there[source], number)))
            there[source] -= number
            there[to] += number
        return cls(tuple(found))

    @cached_property
    def leaving(self) -> dict[int, list[PieceFlow]]:
        """For each place what leaves it, in order."""
        found: dict[int, list[PieceFlow]] = {}
        for flow in self.all:
            if flow.source != flow.to:
                found.setdefault(flow.source, []).append(flow)
        return found

    def unseen(self, moment: int) -> int:
        """How many pieces moved unseen from a moment on, one after the other."""
        return sum(flow.class_ < 0 for flow in self.all if flow.time[0] >= moment)


def _moves(log: SeatLog) -> Iterator[tuple[Time, int, int, int, int]]:
    for time, event in timed(log):
        match event:
            case Moved(class_=class_, number=number, source=source, to=to):
                yield time, class_, number, source, to
            case Shown(pieces=tuple() as shown):
                for place, class_, number in shown:
                    yield time, class_, number, place, place


def timed(log: SeatLog) -> Iterator[tuple[Time, Event]]:
    """All events of a log with their times, in order."""
    for number, moment in enumerate(log.moments):
        for entries in (moment.now, moment.later or ()):
            for i, entry in enumerate(entries):
                yield from (((number, i, j), event) for j, event in enumerate(entry.events))


class PieceCounter:
    """Counts the pieces on places by class."""

    def __init__(self, game: Game) -> None:
        places = enumerate(game.machine.places)
        self._readers = [_counting(where, pieces.place_reader(where, i)) for i, where in places]

    def __call__(self, s: array[int], place: int) -> Counter[int]:
        return Counter(self._readers[place](s))

    def numbers(self, s: array[int], place: int) -> dict[int, int]:
        """The number of pieces of each class that lies there."""
        return self._readers[place](s)


def _counting(where: ir.Place, read: ListFn) -> Callable[[array[int]], dict[int, int]]:
    """The closure of the numbers of pieces on a place by class."""
    base, end, classes = where.base, where.base + where.classes, where.classes
    if where.kind == ir.COUNTS:
        return lambda s: {class_: n for class_, n in enumerate(s[base:end]) if n}

    def counted(s: array[int]) -> dict[int, int]:
        found: dict[int, int] = {}
        for reference, number in read(s, []):
            class_ = reference % classes
            found[class_] = found.get(class_, 0) + number
        return found

    return counted
