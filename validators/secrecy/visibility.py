"""Visibility by the declarations alone: who may see and count what.

It is independent of the referee's views, which are what the test of noninterference examines.
"""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.game import Game

SPECTATOR = -1


class Visibility:
    """What each seat and the spectators may see of the zones of one game."""

    def __init__(self, game: Game) -> None:
        self.game, self.machine = game, game.machine
        zones = game.rules.zones
        self._zones = [zones.get(place.zone) for place in self.machine.places]

    def owner(self, place: int) -> int | None:
        """The seat that owns a place, if one does."""
        zone = self._zones[place]
        return self.machine.places[place].of if zone is not None and zone.var.of == "seat" else None

    def declared(self, place: int, seat: int) -> bool:
        """Whether a seat always sees the pieces on a place."""
        zone = self._zones[place]
        if zone is None or zone.seen_by == "all":
            return True
        return zone.seen_by == "owner" and self.owner(place) == seat

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees a place now: by declaration, or because it is shown."""
        return self.declared(place, seat) or self.shown(s, place, seat)

    def shown(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a place is shown to a seat, now or before `together`."""
        word = self.machine.shown.get(place)
        if word is None or seat < 0:
            return False
        mask = s[word]
        if s[ir.FORKED]:
            mask |= s[self.saved(word)]
        return bool(mask >> seat & 1)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows the number of pieces on a place."""
        zone = self._zones[place]
        if zone is None or self.sees(s, place, seat):
            return True
        if zone.seen_by == "count" or zone.counted_by == "all":
            return True
        return zone.counted_by == "owner" and self.owner(place) == seat

    def saved(self, word: int) -> int:
        """The address of the copy of a word from before `together`."""
        return self.machine.saved + word - self.machine.saved_from
