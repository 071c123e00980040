"""What a tree search is told: its constants and its worlds, and what it has found."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import Final

from interpreter.game import Game

MOST_ITERATIONS: Final = 4_000_000
"""The most iterations for one choice; the table of logarithms and the counts of a node reach so far."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`exploration` is the constant of UCB1, for values whose range is made 1. The value of an end for a seat
    is its share of the win and, with the weight `margin`, how far it is before the others. `worlds` is how
    many positions are searched that the seat cannot tell apart. `most_bytes`: what a tree may grow to; when
    it is full, iterations go on and add no nodes."""

    exploration: float = 0.7
    margin: float = 0.1
    worlds: int = 32
    most_bytes: int = 256 << 20


@dataclass(frozen=True, slots=True)
class EdgeStats:
    """What is known of an action: how often it was taken, could have been, and the sum of its values."""

    action: int
    taken: int
    offered: int
    total: float

    @property
    def mean(self) -> float:
        return self.total / self.taken if self.taken else 0.0


@dataclass(frozen=True, slots=True)
class NodeStats:
    """A node of a tree: what the deciding seat knows as a hash, the seat, visits, edges by action."""

    key: int
    seat: int
    visits: int
    edges: tuple[EdgeStats, ...]


def sides_of(game: Game) -> tuple[int, ...]:
    """For each seat the seats of its side, as bits: its team, or itself alone."""
    teams, seats = game.rules.teams, range(game.machine.seats)
    if not teams:
        return tuple(1 << seat for seat in seats)
    return tuple(sum(1 << other for other in seats if teams[other] == teams[seat]) for seat in seats)


_logs = array("d", [0.0, 0.0])


def logarithms(most: int) -> array[float]:
    """Natural logarithms by number, at least up to `most`; of 0 it says 0."""
    for number in range(len(_logs), most + 1):
        _logs.append(math.log(number))
    return _logs
