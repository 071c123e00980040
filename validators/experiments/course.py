"""The course of matches: how likely each seat is to win, from point to point, and what follows from that.

The chances at a position are estimated by random playouts from it with other chance to come. They are those
of the position as it is, hidden pieces too, between players who choose at random from then on. What nobody
wins is shared by all: so even chances are even in games, too, in which random play seldom comes to a win.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from interpreter.wasm.batch import FINISHED, Batch
from validators.experiments.playing import Ended, Ints, Line
from validators.experiments.tallies import Moments, Tally

POINTS = 12
"""The parts into which a match is divided; its chances are estimated at the beginning of each."""
MILLE = 1000
"""Parts of a whole in which chances and parts of a match are told."""
MOST_KEPT = 96
"""How many positions of a match are kept at most; half of them are, at least, once it is long."""
SURE = 2.0
"""A lead counts if it is so many times its standard error."""


@dataclass(frozen=True)
class CourseTally(Tally):
    """How matches with one winner went. Chances and parts of a match are in thousandths.

    `curve`: by point, of which each match has all, the chances of the later winner. `drama`: how far the
    winner was behind the leader, on the mean of all points. `decided`: from which part of the match on the
    winner was ahead. `lead_changes`: how often the lead passed to another seat. `comebacks`: in how many
    matches the winner's chances were less than half of an even share at some point.
    """

    matches: int = 0
    curve: Mapping[int, Moments] = field(default_factory=dict)
    drama: Moments = field(default_factory=Moments)
    decided: Moments = field(default_factory=Moments)
    lead_changes: Mapping[int, int] = field(default_factory=dict)
    comebacks: int = 0


class Positions:
    """Keeps positions of some matches, spread evenly over their decisions, however many those come to be."""

    def __init__(self, rows: Iterable[int]) -> None:
        self.kept: dict[int, dict[int, npt.NDArray[np.int32]]] = {row: {} for row in rows}
        self._strides = dict.fromkeys(self.kept, 1)

    def reached(self, rows: Ints, made: Ints, states: npt.NDArray[np.int32]) -> None:
        """As `PositionObserver` has it."""
        for i, (row, number) in enumerate(zip(rows.tolist(), made.tolist(), strict=True)):
            if row in self.kept and number % self._strides[row] == 0 and number not in self.kept[row]:
                self.kept[row][number] = states[i].copy()
                if len(self.kept[row]) > MOST_KEPT:
                    self._thin_out(row)

    def _thin_out(self, row: int) -> None:
        self._strides[row] *= 2
        kept, stride = self.kept[row], self._strides[row]
        self.kept[row] = {number: state for number, state in kept.items() if number % stride == 0}

    def points(self, row: int, length: int) -> list[int]:
        """At which decisions the parts of a match of so many begin: for each the last that was kept.

        A short match has the same decision at several points.
        """
        kept = sorted(self.kept[row])
        return [kept[max(0, bisect_right(kept, length * k // POINTS) - 1)] for k in range(POINTS)]


def courses(line: Line, seeds: range, ended: Ended, positions: Positions, playouts: int) -> CourseTally:
    """The courses of the matches whose positions were kept, of those with one winner."""
    found = CourseTally()
    for row in positions.kept:
        winner = _only(int(ended.winners[row]))
        length = int(ended.lengths[row])
        if winner is not None and ended.complete[row] and positions.kept[row]:
            states = [positions.kept[row][number] for number in positions.points(row, length)]
            found += _course(line, states, (winner, seeds[row]), playouts)
    return found


def _only(winners: int) -> int | None:
    """The winner, if there is one alone."""
    return winners.bit_length() - 1 if winners.bit_count() == 1 else None


def _course(
    line: Line, states: Sequence[npt.NDArray[np.int32]], match: tuple[int, int], playouts: int
) -> CourseTally:
    winner, seed = match
    seats = line.game.machine.seats
    batch = Batch(line.game, playouts, seed << 1 | 1, observations=False)
    known: list[npt.NDArray[np.float64]] = []
    for k, state in enumerate(states):
        again = k > 0 and state is states[k - 1]
        known.append(known[-1] if again else _shares(batch, state, (seed, k), seats))
    chances = np.array([shares.mean(axis=0) for shares in known])
    behind = chances.max(axis=1) - chances[:, winner]
    leaders = [lead for lead in map(_leader, known) if lead is not None]
    passed = [*leaders, winner]
    led = [k + 1 for k, gap in enumerate(behind.tolist()) if gap > 0]
    return CourseTally(
        matches=1,
        curve={k: _thousandths(chances[k, winner]) for k in range(len(states))},
        drama=_thousandths(behind.mean()),
        decided=_thousandths(max(led, default=0) / POINTS),
        lead_changes={sum(a != b for a, b in pairwise(passed)): 1},
        comebacks=int(chances[:, winner].min() < 0.5 / seats),
    )


def _shares(
    batch: Batch, state: npt.NDArray[np.int32], keys: tuple[int, int], seats: int
) -> npt.NDArray[np.float64]:
    """[playouts, seats]: the shares of the win of playouts from a position, faulty ones left out.

    What nobody wins is shared by all, and so is the win if all playouts are faulty.
    """
    seed, point = keys
    batch.put(0, state.tolist())
    for i in range(1, batch.n):
        batch.clone(0, i)
    for i in range(batch.n):
        batch.rekey(i, (seed * POINTS + point) * batch.n + i)
        batch.play_on(i)
    whole = batch.codes == FINISHED
    won = batch.winners.astype(np.int64)
    won[won.sum(axis=1) == 0] = 1
    shares: npt.NDArray[np.float64] = won / won.sum(axis=1)[:, None]
    return shares[whole] if whole.any() else np.full((1, seats), 1 / seats)


def _leader(shares: npt.NDArray[np.float64]) -> int | None:
    """The seat that is clearly ahead by its shares of the win [playouts, seats], if one is."""
    first, *rest = np.argsort(-shares.mean(axis=0), kind="stable").tolist()
    if not rest:
        return int(first)
    ahead = shares[:, first] - shares[:, rest[0]]
    error = np.sqrt(max(1e-9, ahead.var()) / len(ahead))
    return int(first) if ahead.mean() > SURE * error else None


def _thousandths(value: float) -> Moments:
    return Moments.of([round(float(value) * MILLE)])
