"""What is written down while matches are played: which choices were offered and taken, and how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from interpreter.game import Game
from validators.experiments.choice_names import ChoiceNames
from validators.experiments.playing import Ended, Ints
from validators.experiments.tallies import ChoiceTally, FaultTally, MatchTally, Moments, unit

PLACES = 10
"""Places from the first decision of a match to its last, near which the number of choices is told."""
ROOM = 64
"""How many names there is room for at first."""


class Recorder:
    """An observer of the matches of a block, which tallies them when they have ended."""

    def __init__(self, names: ChoiceNames, n: int, seats: int) -> None:
        self.names, self.n, self.seats = names, n, seats
        self.offered = np.zeros((n, seats, ROOM), dtype=np.int32)
        self.taken = np.zeros((n, seats, ROOM), dtype=np.int32)
        self.openings = np.full((n, seats), -1, dtype=np.int64)
        self.rows: list[Ints] = []
        self.widths: list[Ints] = []

    def decided(self, rows: Ints, seats: Ints, taken: Ints, offered: Ints, place_offered: Ints) -> None:
        """As `Observer` has it. A name of several options is offered once; alone it is not a choice."""
        self._grow()
        widths = np.bincount(place_offered, minlength=len(rows))
        self.rows.append(rows.copy())
        self.widths.append(widths)
        size = len(self.names.names)
        place, number = np.divmod(np.unique(place_offered * size + offered), size)
        open_to = np.bincount(place, minlength=len(rows)) > 1
        beside = open_to[place]
        self.offered[rows[place[beside]], seats[place[beside]], number[beside]] += 1
        self.taken[rows[open_to], seats[open_to], taken[open_to]] += 1
        first = (widths > 1) & (self.openings[rows, seats] < 0)
        self.openings[rows[first], seats[first]] = taken[first]

    def _grow(self) -> None:
        size, room = len(self.names.names), self.offered.shape[2]
        if size > room:
            more = ((0, 0), (0, 0), (0, max(room, size - room)))
            self.offered, self.taken = np.pad(self.offered, more), np.pad(self.taken, more)

    # ---- after the matches

    def tally(self, ended: Ended, game: Game, seeds: range) -> MatchTally:
        """The tally of the matches that have an end, and of the faults of the others."""
        whole = np.flatnonzero(ended.complete)
        shares = seat_shares(ended, self.seats)[whole]
        totals, lengths = ended.totals[whole], ended.lengths[whole]
        places = _places(shares, totals, game.machine.best)
        widths, course = self._widths(ended)
        return MatchTally(
            matches=len(whole),
            shares=tuple(Moments.of(shares[:, seat]) for seat in range(self.seats)),
            places=tuple(_counts(places[:, seat]) for seat in range(self.seats)),
            scores=tuple(_counts(totals[:, seat]) for seat in range(self.seats)),
            winners=_counts(ended.winners[whole]),
            lengths=_counts(lengths),
            widths=widths,
            course=course,
            endings=_counts(ended.endings[whole][ended.endings[whole] > 0]),
            choices=self._choices(whole, shares),
            openings=self._openings(whole, shares, game),
            margins=_margins(totals, game.machine.best),
            faults=fault_tallies(ended, seeds),
        )

    def _widths(self, ended: Ended) -> tuple[Mapping[int, int], Mapping[int, Moments]]:
        """How many choices decisions have, and by the nearest place of the match."""
        if not self.rows:
            return {}, {}
        rows, widths = np.concatenate(self.rows), np.concatenate(self.widths).astype(np.int64)
        kept = ended.complete[rows]
        rows, widths = rows[kept], widths[kept]
        order = np.argsort(rows, kind="stable")
        rows, widths = rows[order], widths[order]
        number = np.bincount(rows, minlength=self.n)
        at = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number)
        last = np.maximum(1, number[rows] - 1)
        part = (2 * (PLACES - 1) * at + last) // (2 * last)
        course = {int(k): _moments(widths[part == k]) for k in np.unique(part)}
        return _counts(widths), course

    def _choices(self, whole: Ints, shares: Ints) -> Mapping[str, ChoiceTally]:
        size = len(self.names.names)
        taken = self.taken[whole][:, :, :size].astype(np.int64)
        declined = self.offered[whole][:, :, :size].astype(np.int64) - taken
        worth = shares[:, :, None]
        parts = [(taken * worth).sum(1), taken.sum(1), (declined * worth).sum(1), declined.sum(1)]
        sums = [part.sum(0) for part in parts]
        products = [[(a * b).sum(0) for b in parts] for a in parts]
        seen = (parts[1] + parts[3] > 0).sum(0)
        return {
            self.names.names[k]: ChoiceTally(
                int(seen[k]),
                tuple(int(s[k]) for s in sums),
                tuple(tuple(int(p[k]) for p in row) for row in products),
            )
            for k in np.flatnonzero(seen)
        }

    def _openings(self, whole: Ints, shares: Ints, game: Game) -> Mapping[str, Moments]:
        found: dict[str, Moments] = {}
        for seat in range(self.seats):
            opened = self.openings[whole, seat]
            for number in np.unique(opened[opened >= 0]):
                name = f"{game.names.seat(seat)}: {self.names.names[number]}"
                found[name] = _moments(shares[opened == number, seat])
        return found


def seat_shares(ended: Ended, seats: int) -> Ints:
    """[n, seats]: the share of the win of each seat, in parts of `unit(seats)`."""
    won = ended.winners[:, None] >> np.arange(seats) & 1
    shares: Ints = won * (unit(seats) // np.maximum(1, won.sum(axis=1)))[:, None]
    return shares


def fault_tallies(ended: Ended, seeds: range) -> Mapping[str, FaultTally]:
    """The faults by their text, with the seeds and lengths of the matches that came to them."""
    found: dict[str, dict[int, int]] = {}
    for row, text in ended.faults.items():
        found.setdefault(text, {})[seeds[row]] = int(ended.lengths[row])
    return {text: FaultTally(by_seed) for text, by_seed in found.items()}


def _places(shares: Ints, totals: Ints, best: str) -> Ints:
    """The places of all seats: who has a share of the win is first, others follow by their totals."""
    sign = {"highest": 1, "lowest": -1}.get(best, 0)
    won, score = shares > 0, sign * totals
    ahead = won[:, None, :] & ~won[:, :, None]
    level = won[:, None, :] == won[:, :, None]
    ahead |= level & ~won[:, None, :] & (score[:, None, :] > score[:, :, None])
    places: Ints = 1 + ahead.sum(axis=2)
    return places


def _margins(totals: Ints, best: str) -> Mapping[int, int]:
    """How far the best total is from the next; nothing where totals decide nothing."""
    if best == "none" or totals.shape[1] < 2:
        return {}
    ordered = np.sort(totals, axis=1)
    first, second = (-1, -2) if best == "highest" else (0, 1)
    return _counts(np.abs(ordered[:, first] - ordered[:, second]))


def _counts(values: Ints) -> Mapping[int, int]:
    return dict(Counter(values.tolist()))


def _moments(values: Ints) -> Moments:
    return Moments(len(values), int(values.sum()), int((values * values).sum()))
