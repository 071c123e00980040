"""What a log says later of dice that were thrown unseen, and of hidden values: the faces and numbers to come.

It serves proposals alone: a value may have been written again before it was seen, and a die turned.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from interpreter import ir
from interpreter.beliefs.flows import Flows, Time, timed
from interpreter.beliefs.seat_log import SeatLog
from interpreter.events import Thrown, Told
from interpreter.game import Game


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces that are still to be thrown to a place: how many of each, and how many of any.

    Until the moment `until` it is not known whether that was right.
    """

    left: Mapping[int, int]
    free: int
    until: int


@dataclass(frozen=True)
class Reveals:
    """What comes to light in a log.

    `words` are, by address, the moments at which a hidden word is told, in order, and its values then.
    `throws` are, by place, the times at which dice were thrown to it unseen, in order; `faces` are the times
    at which dice there came to light, in order, and how many of each face did.
    """

    words: dict[int, list[tuple[int, int]]]
    throws: dict[int, list[Time]]
    faces: dict[int, list[tuple[Time, dict[int, int]]]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, log: SeatLog, flows: Flows) -> Reveals:
        hidden = set(_hidden_words(game, log.seat))
        words: dict[int, list[tuple[int, int]]] = {}
        throws: dict[int, list[Time]] = {}
        for time, event in timed(log):
            match event:
                case Told(word=word, value=int() as value) if word in hidden:
                    words.setdefault(word, []).append((time[0], value))
                case Thrown(face=-1, place=place):
                    throws.setdefault(place, []).append(time)
        return cls(words, throws, {place: _seen(flows, place) for place in throws})

    def thrown(self, moment: int) -> int:
        """How many dice were thrown unseen from a moment on."""
        return sum(time[0] >= moment for times in self.throws.values() for time in times)

    def next_faces(self, place: int, time: Time, there: Mapping[int, int]) -> Faces | None:
        """The faces that the dice must still show that are thrown to a place from a time on.

        `there` are the faces at the place now. None if they are not seen later.
        """
        found = next(((when, faces) for when, faces in self.faces.get(place, ()) if when > time), None)
        if found is None:
            return None
        when, faces = found
        left = {face: number - there.get(face, 0) for face, number in faces.items()}
        times = self.throws[place]
        throws = bisect_left(times, when) - bisect_left(times, time)
        missing = sum(faces.values()) - sum(there.values())
        kept = {face: number for face, number in left.items() if number > 0}
        return Faces(kept, max(0, throws - missing), when[0])

    def next_values(self, moment: int) -> dict[int, tuple[int, int]]:
        """By address of a hidden word the next moment from one on at which it is told, and its value."""
        found: dict[int, tuple[int, int]] = {}
        for word, told in self.words.items():
            later = next((each for each in told if each[0] >= moment), None)
            if later is not None:
                found[word] = later
        return found


def _hidden_words(game: Game, seat: int) -> Iterator[int]:
    """The addresses of all words that a seat does not see by their declaration."""
    for words in game.machine.variables.values():
        for address in _addresses(words):
            if not game.views.may_read(words, address, seat):
                yield address


def _addresses(words: ir.VarLayout) -> range:
    return range(words.base, words.base + words.size)


def _seen(flows: Flows, place: int) -> list[tuple[Time, dict[int, int]]]:
    """When pieces at a place came to light, and which: all that were shown at once, or moved in a moment."""
    found: list[tuple[Time, dict[int, int]]] = []
    last: Time | int | None = None
    for flow in flows.all:
        if flow.source == place and flow.class_ >= 0:
            now = flow.time if flow.to == place else flow.time[0]
            if now != last:
                found.append((flow.time, {}))
            last, faces = now, found[-1][1]
            faces[flow.class_] = faces.get(flow.class_, 0) + flow.number
    return found
