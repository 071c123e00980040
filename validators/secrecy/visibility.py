"""Who may see and count what, read from the declarations alone.

The views of the referee are what the law examines, so it does not ask them.
"""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.game import Game

SPECTATOR = -1


class Visibility:
    """What the zones of one game promise to each seat and to those who only watch."""

    def __init__(self, game: Game) -> None:
        self.game, self.machine = game, game.machine
        zones = game.rules.zones
        self._zones = [zones.get(place.zone) for place in self.machine.places]

    def owner(self, place: int) -> int | None:
        """The seat that a place belongs to, if it belongs to one."""
        zone = self._zones[place]
        return self.machine.places[place].of if zone is not None and zone.var.of == "seat" else None

    def declared(self, place: int, seat: int) -> bool:
        """Whether a seat always sees what lies on a place."""
        zone = self._zones[place]
        if zone is None or zone.seen_by == "all":
            return True
        return zone.seen_by == "owner" and self.owner(place) == seat

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees it now: by declaration, or because it is shown it."""
        return self.declared(place, seat) or self.shown(s, place, seat)

    def shown(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat is shown it, now or when what is done at once began."""
        word = self.machine.shown.get(place)
        if word is None or seat < 0:
            return False
        mask = s[word]
        if s[ir.FORKED]:
            mask |= s[self.saved(word)]
        return bool(mask >> seat & 1)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows how many pieces lie there."""
        zone = self._zones[place]
        if zone is None or self.sees(s, place, seat):
            return True
        if zone.seen_by == "count" or zone.counted_by == "all":
            return True
        return zone.counted_by == "owner" and self.owner(place) == seat

    def saved(self, word: int) -> int:
        """Where a word is kept as it was before all began to choose at once."""
        return self.machine.saved + word - self.machine.saved_from
