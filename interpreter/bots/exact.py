"""Decisions that are solved: where few positions can follow, all are found, and what each is worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from interpreter.bots.kept_batches import KeptBatches
from interpreter.bots.settings import SearchSettings, most_positions, sides_of
from interpreter.bots.successors import ROWS, Level, NoProspect, Reached, Successors, joined
from interpreter.bots.value_iteration import NoValues, ValueGraph, values_of
from interpreter.executor_protocol import Option
from interpreter.game import Game
from interpreter.ir.position_words import deciding_words
from interpreter.wasm.batch_module import batch_module
from interpreter.wasm.batches.recall import recall

STEPS_A_POSITION: Final = 16
"""How many steps a position may have taken on average, besides some to begin with."""
POSITIONS_A_STEP: Final = 8
"""For so many positions that there may be, one of those steps."""
LEVELS_AHEAD: Final = 2
"""If so many more levels that grow as the last one pass the bound, there is no prospect."""
GROWN: Final = 128
"""The positions before which nothing is said of growth."""
MOST_BYTES: Final = 128 << 20
"""What the rows of a batch may take, and the records of positions that wait to be followed."""
MOST_STEPS: Final = 1 << 23
"""The most steps, each of which takes some thirty bytes."""

Array = npt.NDArray[Any]

_batches: Final = KeptBatches(observations=False)


@dataclass(frozen=True, slots=True)
class Solution:
    """What each option is worth for the side that decides, 0 to 1, and how many positions can follow."""

    values: dict[Option, float]
    positions: int


def solution(
    game: Game, state: Sequence[int], settings: SearchSettings, iterations: int, late: Callable[[], bool]
) -> Solution | None:
    """What the options of a decision are worth, if so few positions can follow that a search of so many
    iterations may find all of them. None if there are more, or the rules do not allow to say.

    Raises `Aborted` if it is stopped from outside.
    """
    common = batch_module(game)
    remembered = recall(game.machine, common.observed)
    most = most_positions(game, remembered, 1, settings, iterations)
    if not most or ROWS * common.map["stride"] > MOST_BYTES:
        return None
    batch = _batches.take(game, ROWS, 0)
    try:
        found = solved(game, Successors(batch), state, most, late)
    except (NoProspect, NoValues):
        found = None
    _batches.give(batch, 0)
    return found


def solved(
    game: Game, rows: Successors, state: Sequence[int], most: int, late: Callable[[], bool] = lambda: False
) -> Solution:
    """What the options of a decision are worth, if no more than `most` positions can follow.

    For at most two sides without secrets; equal positions are those of `deciding_words`. Raises `NoProspect`
    if there are more, if one faults, if all ends are the same or there is none, or if it is `late`;
    what `values_of` raises; and `Aborted` if it is stopped from outside.
    """
    positions, root = _Positions(game, rows, most, late), rows.first(state)
    positions.explore(root)
    opposed = len(set(sides_of(game))) == 2
    ends, endless = _ends(np.array(list(positions.ends), np.int64), opposed)
    graph = ValueGraph(*map(np.concatenate, zip(*positions.layers, strict=True)))
    values = values_of(game, graph, ends, endless, late)
    first = positions.layers[0]
    begins = np.cumsum(first.ways) - first.ways
    worths = np.add.reduceat(first.chances * values[first.targets], begins)
    if opposed and first.signs[0] < 0.0:
        worths = 1.0 - worths
    node, actions = int(root.nodes[0]), np.flatnonzero(root.masks[0]).tolist()
    options = [rows.batch.option(node, action) for action in actions]
    return Solution(dict(zip(options, worths.tolist(), strict=True)), len(positions.ids))


def _ends(ends: Array, opposed: bool) -> tuple[Array, float]:
    """What ends, four times the margin and the half wins, are worth for the first side; and no end.

    The share of the win; margins where that is always the same.
    """
    if not len(ends):
        raise NoProspect
    margins, shares = ends >> 2, ends & 3
    if shares.min() < shares.max():
        return shares / 2.0, 0.5 if opposed else 0.0
    least, greatest = margins.min(), margins.max()
    if opposed:
        greatest = max(-least, greatest)
        least = -greatest
    if least == greatest:
        raise NoProspect
    return (margins - least) / (greatest - least), 0.5 if opposed else 0.0


class _Positions:
    """All positions that can follow from one, breadth first; and their ends, as four times the margin of
    the first side and its half wins."""

    def __init__(self, game: Game, rows: Successors, most: int, late: Callable[[], bool]) -> None:
        self.rows, self.most, self.late = rows, most, late
        self.sign = {"highest": 1, "lowest": -1, "none": 0}[game.machine.best]
        self.mine = np.array([bool(sides_of(game)[0] >> seat & 1) for seat in range(game.machine.seats)])
        self.words = np.array(deciding_words(game.machine))
        numbers = np.random.default_rng(0).integers(0, 1 << 63, len(self.words))
        self.factors = 2 * numbers.astype(np.uint64) + np.uint64(1)
        self.ids = defaultdict[int, int](count().__next__)
        self.ends: dict[int, int] = {}
        self.layers: list[ValueGraph] = []

    def explore(self, root: Level) -> None:
        level, _ = self._met(root)
        while level.size:
            level = self._follow(level)

    def _follow(self, level: Level) -> Level:
        """The positions that are new behind a level, which becomes a layer."""
        known = len(self.ids)
        choices, chances, targets, found = [], [], [], []
        for reached in self.rows.after(level):
            fresh, to = self._targets(reached)
            choices.append(reached.choices)
            chances.append(reached.chances)
            targets.append(to)
            found.append(fresh)
            self._check(level.size, len(self.ids) - known)
        which = np.concatenate(choices)
        order = np.argsort(which, kind="stable")
        self.layers.append(
            ValueGraph(
                np.where(self.mine[level.seats], 1.0, -1.0),
                level.masks.sum(axis=1),
                np.bincount(which),
                np.concatenate(chances)[order],
                np.concatenate(targets)[order],
            )
        )
        return joined(found)

    def _check(self, before: int, found: int) -> None:
        """Raises `NoProspect` if it takes too long, or will: behind so many positions there are so many new
        ones."""
        known = len(self.ids)
        expected = found * max(1.0, found / before) ** LEVELS_AHEAD if known > GROWN else known
        allowed = min(self.most // POSITIONS_A_STEP + STEPS_A_POSITION * known, MOST_STEPS)
        full = found * self.rows.batch.map["stride"] > MOST_BYTES
        if max(known, expected) > self.most or self.rows.steps > allowed or full or self.late():
            raise NoProspect

    def _targets(self, reached: Reached) -> tuple[Level, Array]:
        """The positions that are new, and where each step has led."""
        targets = np.empty(len(reached.choices), np.int64)
        fresh, targets[~reached.over] = self._met(reached.waiting)
        targets[reached.over] = self._ended(reached)
        return fresh, targets

    def _met(self, level: Level) -> tuple[Level, Array]:
        """Those positions that are new, in order, and the numbers of all."""
        words = self.rows.words(level)[:, self.words]
        keys = (words.astype(np.uint64) * self.factors).sum(axis=1)
        known = len(self.ids)
        numbers = np.fromiter(map(self.ids.__getitem__, keys.tolist()), np.int64, len(keys))
        greatest = np.maximum.accumulate(np.concatenate(([known - 1], numbers)))[:-1]
        return level.chosen(np.flatnonzero(numbers > greatest)), numbers

    def _ended(self, reached: Reached) -> Array:
        won, totals = reached.winners, reached.scores.astype(np.int64) * self.sign
        shares: Array = np.where(won[:, self.mine].max(1), 2, 0)
        margins: Array = totals[:, self.mine].max(1)
        if not self.mine.all():
            shares = 1 + won[:, self.mine].max(1) - won[:, ~self.mine].max(1)
            margins = margins - totals[:, ~self.mine].max(1)
        ends, which = np.unique(4 * margins + shares, return_inverse=True)
        numbers = [self.ends.setdefault(end, len(self.ends)) for end in ends.tolist()]
        return -1 - np.array(numbers, np.int64)[which]
