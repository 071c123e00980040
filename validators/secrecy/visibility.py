"""Visibility by the declarations alone: who may see and count what.

It is independent of the referee's views, which are what the test of noninterference examines.
"""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.game import Game

SPECTATOR = -1


def _may(sight: str, owner: int | None, seat: int, teams: tuple[int, ...]) -> bool:
    """Whether a seat, or the spectator, is one of those whom a declaration names."""
    if sight == "team":
        return SPECTATOR not in (seat, owner) and owner is not None and teams[seat] == teams[owner]
    if sight == "others":
        return seat != SPECTATOR and seat != owner
    return sight == "all" or (sight == "owner" and seat == owner)


class Visibility:
    """What each seat and the spectators may see of the zones of one game."""

    def __init__(self, game: Game) -> None:
        self.game, self.machine = game, game.machine
        self.teams = game.rules.teams
        zones = game.rules.zones
        self._zones = [zones.get(place.zone) for place in self.machine.places]

    def owner(self, place: int) -> int | None:
        """The seat that owns a place, if one does."""
        zone = self._zones[place]
        return self.machine.places[place].of if zone is not None and zone.var.of == "seat" else None

    def declared(self, place: int, seat: int) -> bool:
        """Whether a seat always sees the pieces on a place."""
        zone = self._zones[place]
        return zone is None or _may(zone.seen_by, self.owner(place), seat, self.teams)

    def is_open_top(self, place: int) -> bool:
        """Whether everybody always sees the topmost piece on a place."""
        zone = self._zones[place]
        return zone is not None and zone.seen_by == "top"

    def reads(self, s: array[int], words: ir.VarLayout, offset: int, seat: int) -> bool:
        """Whether a seat sees one word of a counter, mark or pointer: by declaration, or as it was told."""
        sight = self.game.rules.hidden_words.get(words.name, "all")
        owner = words.of_lo + offset // words.at_size if words.of == "seat" else None
        if _may(sight, owner, seat, self.teams):
            return True
        if words.name not in self.machine.told:
            return False
        word = self.machine.told[words.name] + offset
        masks = [s[word], s[self.saved(word)]] if s[ir.FORKED] else [s[word]]
        return any(mask < 0 or (seat >= 0 and mask >> seat & 1) for mask in masks)

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees a place now: by declaration, or because it is shown."""
        return self.declared(place, seat) or self.shown(s, place, seat)

    def shown(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a place is shown to a seat, or remembered by it, now or before `together`."""
        word = self.machine.shown.get(place)
        if word is None or seat < 0:
            return False
        mask = s[word]
        if s[ir.FORKED]:
            mask |= s[self.saved(word)]
        return bool((mask | mask >> ir.REMEMBERED) >> seat & 1)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows the number of pieces on a place."""
        zone = self._zones[place]
        if zone is None or self.sees(s, place, seat):
            return True
        return zone.seen_by == "count" or _may(zone.counted_by, self.owner(place), seat, self.teams)

    def saved(self, word: int) -> int:
        """The address of the copy of a word from before `together`."""
        return self.machine.saved + word - self.machine.saved_from
