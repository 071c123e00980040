"""Decisions that are solved: where few positions can follow, all are found, and what each is worth.

Source: Bertsekas, "Dynamic Programming and Optimal Control" II (2012): value iteration, by Gauss and Seidel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from interpreter.bots.kept_batches import KeptBatches
from interpreter.bots.settings import SearchSettings, most_positions, sides_of
from interpreter.bots.successors import ROWS, Level, NoProspect, Reached, Successors, joined
from interpreter.executor_protocol import Option
from interpreter.game import Game
from interpreter.ir.position_words import deciding_words
from interpreter.wasm.batch_module import batch_module
from interpreter.wasm.batches.recall import recall

TOLERANCE: Final = 1e-6
MOST_SWEEPS: Final = 500
LASTING: Final = 1.0 - 2.0**-20
"""What is behind a choice counts a little less than what is there at once: who wins for sure hastens it."""
STEPS_A_POSITION: Final = 16
"""How many steps a position may have taken on average, besides some to begin with."""
POSITIONS_A_STEP: Final = 8
"""For so many positions that there may be, one of those steps."""
LEVELS_AHEAD: Final = 2
"""If so many more levels that grow as the last one pass the bound, there is no prospect."""
GROWN: Final = 128
"""The positions before which nothing is said of growth."""

Array = npt.NDArray[Any]

_batches: Final = KeptBatches(observations=False)


@dataclass(frozen=True, slots=True)
class Solution:
    """What each option is worth for the side that decides, 0 to 1, and how many positions can follow."""

    values: dict[Option, float]
    positions: int


@dataclass(frozen=True, slots=True)
class _Layer:
    """Positions that were found together, and all that follows from their choices.

    `begin`: the number of the first one. `first_side`: whether it decides, by position. `choices`: the first
    choice of each position; `ways`: the first outcome of each choice. Each outcome has its chance and its
    target, a position or an end, counted down from -1.
    """

    begin: int
    first_side: Array
    choices: Array
    ways: Array
    chances: Array
    targets: Array

    def worths(self, values: Array) -> Array:
        """What each choice is worth for the first side."""
        return np.add.reduceat(self.chances * values[self.targets], self.ways)

    def best(self, values: Array) -> Array:
        """What each position is worth for the first side, if all choose what is best for them."""
        worths = self.worths(values)
        most, least = (f.reduceat(worths, self.choices) for f in (np.maximum, np.minimum))
        return np.where(self.first_side, most, least)


def solution(
    game: Game, state: Sequence[int], settings: SearchSettings, iterations: int, late: Callable[[], bool]
) -> Solution | None:
    """What the options of a decision are worth, if so few positions can follow that a search of so many
    iterations may find all of them. None if there are more, or the rules do not allow to say.

    Raises `Aborted` if it is stopped from outside.
    """
    remembered = recall(game.machine, batch_module(game).observed)
    most = most_positions(game, remembered, 1, settings, iterations)
    if not most:
        return None
    batch = _batches.take(game, ROWS, 0)
    try:
        found = solved(game, Successors(batch), state, most, late)
    except NoProspect:
        found = None
    _batches.give(batch, 0)
    return found


def solved(
    game: Game, rows: Successors, state: Sequence[int], most: int, late: Callable[[], bool] = lambda: False
) -> Solution:
    """What the options of a decision are worth, if no more than `most` positions can follow.

    For at most two sides without secrets; equal positions are those of `deciding_words`. Raises `NoProspect`
    if there are more, if one comes to a fault, if all ends are the same, or if it is `late`; `Aborted` if it
    is stopped from outside.
    """
    positions, root = _Positions(game, rows, most, late), rows.first(state)
    positions.explore(root)
    opposed = len(set(sides_of(game))) == 2
    ends, endless = _ends(np.array(list(positions.ends)), opposed)
    values = np.concatenate((np.full(len(positions.ids), endless), ends[::-1]))
    _iterate(positions.layers, values, endless, late)
    worths = positions.layers[0].worths(values)
    if opposed and not positions.layers[0].first_side[0]:
        worths = 1.0 - worths
    node, actions = int(root.nodes[0]), np.flatnonzero(root.masks[0]).tolist()
    options = [rows.batch.option(node, action) for action in actions]
    return Solution(dict(zip(options, worths.tolist(), strict=True)), len(positions.ids))


def _iterate(layers: list[_Layer], values: Array, endless: float, late: Callable[[], bool]) -> None:
    """The values of positions become those of the best choices, from the last layer to the first, until they
    stay."""
    for _ in range(MOST_SWEEPS):
        change = 0.0
        for layer in reversed(layers):
            if late():
                raise NoProspect
            here = slice(layer.begin, layer.begin + len(layer.choices))
            now = endless + LASTING * (layer.best(values) - endless)
            change = max(change, float(np.abs(now - values[here]).max()))
            values[here] = now
        if change < TOLERANCE:
            return
    raise NoProspect


def _ends(ends: Array, opposed: bool) -> tuple[Array, float]:
    """What ends, [n, 2] half wins and margins, are worth for the first side, and what a match without end is.

    The share of the win; margins where that is always the same.
    """
    shares, margins = ends.T
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
    """All positions that can follow from one, breadth first; and their ends, as half wins and margins of the
    first side."""

    def __init__(self, game: Game, rows: Successors, most: int, late: Callable[[], bool]) -> None:
        self.rows, self.most, self.late = rows, most, late
        self.sign = {"highest": 1, "lowest": -1, "none": 0}[game.machine.best]
        self.mine = np.array([bool(sides_of(game)[0] >> seat & 1) for seat in range(game.machine.seats)])
        self.words = np.array(deciding_words(game.machine))
        numbers = np.random.default_rng(0).integers(0, 1 << 63, len(self.words))
        self.factors = 2 * numbers.astype(np.uint64) + np.uint64(1)
        self.ids: dict[int, int] = {}
        self.ends: dict[tuple[int, int], int] = {}
        self.layers: list[_Layer] = []

    def explore(self, root: Level) -> None:
        level, _ = self._met(root)
        while level.size:
            level = self._follow(level)

    def _follow(self, level: Level) -> Level:
        """The positions that are new behind a level, which becomes a layer."""
        begin = len(self.ids) - level.size
        choices, chances, targets, found = [], [], [], []
        for reached in self.rows.after(level):
            fresh, to = self._targets(reached)
            choices.append(reached.choices)
            chances.append(reached.chances)
            targets.append(to)
            found.append(fresh)
            self._check(level.size, len(self.ids) - begin - level.size)
        which = np.concatenate(choices)
        order = np.argsort(which, kind="stable")
        offered = level.masks.sum(axis=1)
        self.layers.append(
            _Layer(
                begin,
                self.mine[level.seats],
                np.cumsum(offered) - offered,
                np.searchsorted(which[order], np.arange(offered.sum())),
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
        allowed = self.most // POSITIONS_A_STEP + STEPS_A_POSITION * known
        if max(known, expected) > self.most or self.rows.steps > allowed or self.late():
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
        numbers = np.array([self.ids.setdefault(key, len(self.ids)) for key in keys.tolist()], np.int64)
        _, firsts = np.unique(numbers, return_index=True)
        return level.chosen(firsts[numbers[firsts] >= known]), numbers

    def _ended(self, reached: Reached) -> Array:
        won, totals = reached.winners, reached.scores.astype(np.int64) * self.sign
        shares = np.where(won[:, self.mine].any(1), 2, 0)
        margins = totals[:, self.mine].max(1)
        if not self.mine.all():
            shares = 1 + won[:, self.mine].any(1) - won[:, ~self.mine].any(1)
            margins = margins - totals[:, ~self.mine].max(1)
        pairs, which = np.unique(np.stack((shares, margins), 1), axis=0, return_inverse=True)
        numbers = [self.ends.setdefault(pair, len(self.ends)) for pair in map(tuple, pairs.tolist())]
        return -1 - np.array(numbers, np.int64)[which.reshape(-1)]
