"""What becomes of a hidden piece: it is seen later, as one of a class, or never.

Each sighting in a log is the fate of one piece. How likely a piece that lies somewhere has a fate follows
from the log backwards, as the backward messages of a hidden Markov model do (Rabiner 1989): of the pieces at
a place, any may be the one that moves unseen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from interpreter.beliefs.flows import Flows, PieceFlow, Time

END: Time = (1 << 30, 0, 0)
RARE = 0.01
"""The factor of what seems to be ruled out: that is a guess from one position, and may be wrong."""


@dataclass(frozen=True, slots=True)
class Ban:
    """A piece of a class seems not to have been at a place at a time."""

    time: Time
    place: int
    class_: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """A piece of a class is seen at a place that was hidden; before, so many pieces were there.

    From `known` on the seat knew of the piece; none if it was hidden from the beginning.
    """

    time: Time
    class_: int
    place: int
    there: int
    known: Time | None = None


class Message:
    """The chance of one fate, by where a piece is and when; `rest` where nothing is known of it."""

    __slots__ = ("_notes", "rest")

    def __init__(self, rest: float) -> None:
        self.rest = rest
        self._notes: dict[int, tuple[list[Time], list[float]]] = {}

    def note(self, place: int, time: Time, chance: float) -> None:
        """Until a time this is the chance at a place. Notes come with falling times."""
        times, chances = self._notes.setdefault(place, ([], []))
        times.append(_backwards(time))
        chances.append(chance)

    def at(self, place: int, after: Time) -> float:
        """The chance of a piece that is at a place just after a time."""
        if place not in self._notes:
            return self.rest
        times, chances = self._notes[place]
        number = bisect_left(times, _backwards(after))
        return chances[number - 1] if number else self.rest

    def places(self) -> Collection[int]:
        """The places of which something is known."""
        return self._notes.keys()


class Fates:
    """The fates of the pieces in a log, and how likely a piece has each of them."""

    def __init__(self, flows: Flows, hidden: Collection[int], bans: Iterable[Ban] = ()) -> None:
        """`hidden` are the places that the seat does not see by their declaration."""
        self._flows, self._hidden = flows, hidden
        self._bans: dict[int, list[Ban]] = {}
        for ban in bans:
            self._bans.setdefault(ban.class_, []).append(ban)
        self._unseen: dict[int, Message] = {}
        self.sightings: dict[int, list[Sighting]] = {}
        self.messages: dict[Sighting, Message] = {}
        self._see()

    @property
    def banned(self) -> Collection[int]:
        """The classes that are ruled out somewhere."""
        return self._bans.keys()

    def last_ban(self) -> int:
        """The last moment at which something is ruled out, -1 if nothing is."""
        return max((ban.time[0] for bans in self._bans.values() for ban in bans), default=-1)

    def unseen(self, class_: int) -> Message:
        """How likely a piece of a class that is never seen may be somewhere."""
        key = class_ if class_ in self._bans else -1
        if key not in self._unseen:
            self._unseen[key] = self._message({}, 1.0, key, END)
        return self._unseen[key]

    # ---- sightings

    def _see(self) -> None:
        for flow in self._flows.all:
            if flow.class_ >= 0 and flow.source in self._hidden:
                for _ in range(flow.number):
                    self._add(Sighting(flow.time, flow.class_, flow.source, flow.there))
        for found in self.sightings.values():
            self._note_known(found)

    def _add(self, sighting: Sighting) -> None:
        self.sightings.setdefault(sighting.class_, []).append(sighting)

    def _note_known(self, found: list[Sighting]) -> None:
        """Joins each sighting of a class to the last one before it that may have been of the same piece."""
        class_ = found[0].class_
        came = [
            (flow.time, flow.to)
            for flow in self._flows.all
            if flow.class_ == class_ and flow.to in self._hidden
            for _ in range(flow.number)
        ]
        for i, one in enumerate(found):
            message = self._message({one.place: 1.0 / one.there}, 0.0, class_, one.time)
            before = [(message.at(to, time), time, to) for time, to in came if time < one.time]
            chance, time, to = max(before, default=(0.0, one.time, -1))
            if chance > 0.0:
                came.remove((time, to))
                found[i] = replace(one, known=time)
            # equal sightings have equal messages
            self.messages[found[i]] = message

    # ---- messages

    def _message(self, begun: dict[int, float], rest: float, class_: int, until: Time) -> Message:
        """The chances of a fate, back from a time at which they have `begun`, elsewhere at `rest`."""
        message, now = Message(rest), dict(begun)
        for place, chance in begun.items():
            message.note(place, until, chance)
        for event in self._before(class_, until):
            place = event.place if isinstance(event, Ban) else event.source
            known = now.get(place, rest)
            match event:
                case Ban():
                    chance = known * RARE
                case PieceFlow(class_=-1, part=part, to=to):
                    chance = part * now.get(to, rest) + (1 - part) * known
                case PieceFlow(part=part):
                    chance = (1 - part) * known
            if chance != known or place in now:
                now[place] = chance
                message.note(place, event.time, chance)
        return message

    def _before(self, class_: int, until: Time) -> Iterator[PieceFlow | Ban]:
        """What happened to hidden pieces before a time, backwards."""
        bans = sorted(self._bans.get(class_, ()), key=lambda ban: ban.time)
        for flow in reversed(self._flows.all):
            while bans and bans[-1].time >= flow.time:
                if bans[-1].time < until:
                    yield bans[-1]
                bans.pop()
            if flow.time < until and flow.source in self._hidden:
                yield flow
        yield from (ban for ban in reversed(bans) if ban.time < until)


def _backwards(time: Time) -> Time:
    return -time[0], -time[1], -time[2]
