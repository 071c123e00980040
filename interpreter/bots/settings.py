"""What a tree search is told: its constants and its worlds, and what it has found."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import Final

from interpreter.game import Game
from interpreter.wasm.batches.recall import Recall

MOST_ITERATIONS: Final = 4_000_000
"""The most iterations for one choice; the table of logarithms and the counts of a node reach so far."""
FEWEST_POSITIONS, MOST_POSITIONS = 5_000, 1 << 20
"""How many positions it is worth while to look for, to solve a decision; each takes some hundred bytes."""
LOST, DRAWN, WON = 0, 1, 2
"""Results in half wins."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`exploration` is the constant of UCB1, for values whose range is made 1. `variance_bonus`: with chance
    and without secrets a choice has a variance (UCB1-TUNED), and so much is added to it for not knowing it;
    with 100 it counts as the greatest, which is UCB1, as in all other games. The value of an end for a seat
    is its share of the win and, with the weight `margin`, how far it is before the others. `worlds` is how
    many positions are searched that the seat cannot tell apart. `most_bytes`: what a tree may grow to; when
    it is full, iterations go on and add no nodes. `solve`: whether results are proven, where that is possible
    (`interpreter/wasm/batches/proofs.py`). `trace`: how much of what goes up from a node is the result of the
    match, between 0 and 1; the rest is the mean of its best choice. `positions`: how many positions for each
    iteration may follow in a game with chance and without secrets, for a decision to be solved instead
    (`interpreter/bots/exact.py`); 0 for never. `open_numbers`: of many numbers so many are tried from the
    beginning, further ones as a decision is come to more often (`interpreter/wasm/batches/widening.py`)."""

    exploration: float = 0.7
    variance_bonus: float = 0.3
    margin: float = 0.1
    worlds: int = 32
    most_bytes: int = 256 << 20
    solve: bool = True
    trace: float = 0.8
    positions: int = 20
    open_numbers: int = 3


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proven of the result of a side, in half wins: the least and the greatest that it can come to.

    `length`: if they are equal, in how many choices at most that is.
    """

    floor: int = LOST
    ceiling: int = WON
    length: int = 0

    @property
    def solved(self) -> bool:
        return self.floor == self.ceiling


UNPROVEN: Final = Bounds()


@dataclass(frozen=True, slots=True)
class EdgeStats:
    """What is known of an action: how often it was taken, could have been, and the sum of its values."""

    action: int
    taken: int
    offered: int
    total: float
    bounds: Bounds = UNPROVEN

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
    bounds: Bounds = UNPROVEN


def sides_of(game: Game) -> tuple[int, ...]:
    """For each seat the seats of its side, as bits: its team, or itself alone."""
    teams, seats = game.rules.teams, range(game.machine.seats)
    if not teams:
        return tuple(1 << seat for seat in seats)
    return tuple(sum(1 << other for other in seats if teams[other] == teams[seat]) for seat in seats)


def bootstrap_of(game: Game, settings: SearchSettings) -> float:
    """The weight of the best choice in what goes up from a node.

    With three sides and more it is 0: what one of them gets says too little about the others.
    """
    return 1.0 - settings.trace if len(set(sides_of(game))) <= 2 else 0.0


def variance_bonus_of(game: Game, recall: Recall, settings: SearchSettings) -> float:
    """What is added to the variance of a choice; infinite where each has the greatest variance."""
    varies = recall == "position" and bool(game.machine.streams)
    return settings.variance_bonus if varies else math.inf


def can_solve(game: Game, recall: Recall, worlds: int, settings: SearchSettings) -> bool:
    """Whether a search proves results: nothing is hidden, and what one side wins the other loses.

    A side that is alone must be able to win and to lose; where its points are what counts, a match that is
    over is no proof of anything.
    """
    sides = len(set(sides_of(game)))
    opposed = sides == 2 or (sides == 1 and game.machine.best == "none")
    return settings.solve and recall != "history" and worlds == 1 and opposed


def most_positions(game: Game, recall: Recall, worlds: int, settings: SearchSettings, iterations: int) -> int:
    """The most positions that may follow for a decision to be solved; 0 where none is.

    Where there is no chance, proofs go up the tree instead.
    """
    random = recall == "position" and worlds == 1 and bool(game.machine.streams)
    if not random or not settings.solve or len(set(sides_of(game))) > 2:
        return 0
    most = min(settings.positions * iterations, MOST_POSITIONS)
    return most if most >= FEWEST_POSITIONS else 0


_logs = array("d", [0.0, 0.0])


def logarithms(most: int) -> array[float]:
    """Natural logarithms by number, at least up to `most`; of 0 it says 0."""
    for number in range(len(_logs), most + 1):
        _logs.append(math.log(number))
    return _logs
