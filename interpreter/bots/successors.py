"""Every choice of many positions with every outcome of chance: rows of a batch whose dice are laid.

The numbers that a stream of chance draws next stand in front of a match (`interpreter.wasm.abi.STREAM`).
Where they are written from outside, the outcomes are known, and behind a step it says there among how many
each was drawn. A choice is made first with the first outcome of all that it draws, then with each other one,
so that all ways are taken once; each has the product of its chances.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from interpreter.wasm.abi import NUMBERS, STREAM
from interpreter.wasm.batch import FAULTED, FINISHED, RUNNING, Batch
from interpreter.wasm.batch_module import view, whole_memory
from interpreter.wasm.batches.rows import row_addresses, row_sizes
from interpreter.wasm.option_codec import row_bytes

ROWS: Final = 2048
AT_ONCE: Final = 1024
"""The choices that are taken together; each may have a good many outcomes."""
DRAWS: Final = 16
"""The most numbers that a stream may draw in one step, and more than are looked at."""
FIRST_OUTCOME: Final = 1 << 15
"""A number that means the first of up to `MOST_OUTCOMES`, and is never drawn again."""
MOST_OUTCOMES: Final = 1 << 12
PLACES: Final = np.array([(k & 3) << 2 | k >> 2 for k in range(DRAWS)]) + NUMBERS // 4
"""Where in its buffer, in words, the number of a counter stands."""

Array = npt.NDArray[Any]


class NoProspect(Exception):
    """These positions cannot be enumerated, or not within what one may take for that."""


class Level(NamedTuple):
    """Positions that wait: whole records [n, words], decisions and seats [n], masks [n, actions]."""

    records: Array
    nodes: Array
    seats: Array
    masks: Array

    @property
    def size(self) -> int:
        return len(self.nodes)

    def chosen(self, which: Array) -> Level:
        return Level(*(part[which] for part in self))


class Reached(NamedTuple):
    """What some steps have led to, each a row: which choice it was, how likely it is, and what is there.

    Those that are over have shares and totals of the seats, the others are in `waiting`, in the same order.
    """

    choices: Array
    chances: Array
    over: Array
    winners: Array
    scores: Array
    waiting: Level


class _Draws(NamedTuple):
    """Steps to be taken: the choice of each [n], the numbers that are laid [n, streams, DRAWS], and among how
    many outcomes each chooses, 0 where that is not known yet."""

    choices: Array
    numbers: Array
    totals: Array

    def chosen(self, which: Array | slice) -> _Draws:
        return _Draws(*(part[which] for part in self))


class Successors:
    """Rows in which positions of a game are stepped. For one thread at a time."""

    def __init__(self, batch: Batch) -> None:
        assert batch.n == ROWS
        self.batch, mc = batch, batch.machine
        stride, before = batch.map["stride"], batch.map["before"]
        self.streams, self.counters = len(mc.streams), slice(mc.stream_base, mc.stream_base + len(mc.streams))
        mask = row_bytes(self.batch.actions)
        at, _ = row_addresses(self.batch.map["end"], row_sizes(ROWS, mc.seats, stride, mask))
        with self.batch.opened() as instance:
            memory = whole_memory(instance)
        first = at["states"] + before
        self.records = view(memory, at["states"], np.uint64, (ROWS, stride // 8))
        self.states = view(memory, first, np.int32, (ROWS, mc.size), (stride, 4))
        buffers = (ROWS, self.streams, STREAM // 4), (stride, STREAM, 4)
        self.buffers = view(memory, first - STREAM * self.streams, np.uint32, *buffers)
        self.masks = view(memory, at["masks"], np.uint8, (ROWS, mask))
        self.nodes = view(memory, at["nodes"], np.int32, (ROWS,))
        self.codes = view(memory, at["codes"], np.int32, (ROWS,))
        self.steps = 0

    def first(self, state: Any) -> Level:
        """A position of a match, alone."""
        self.batch.put(0, state)
        return self._level(np.array([0]))

    def after(self, level: Level) -> Iterator[Reached]:
        """All that the choices of positions lead to, some at a time; they are numbered as in the masks.

        Raises `NoProspect` if a choice faults, draws too much, or in another order each time, and
        `Aborted` if the run is stopped from outside.
        """
        sources, actions = np.nonzero(level.masks)
        for begin in range(0, len(sources), AT_ONCE):
            choices = np.arange(begin, min(begin + AT_ONCE, len(sources)))
            shape = len(choices), self.streams, DRAWS
            waiting = _Draws(choices, np.full(shape, FIRST_OUTCOME, np.uint32), np.zeros(shape, np.uint32))
            while len(waiting.choices):
                now, later = waiting.chosen(slice(ROWS)), waiting.chosen(slice(ROWS, None))
                reached, others = self._step(level, sources[now.choices], actions[now.choices], now)
                yield reached
                waiting = _Draws(*map(np.concatenate, zip(later, *others, strict=True)))

    def _step(
        self, level: Level, sources: Array, actions: Array, draws: _Draws
    ) -> tuple[Reached, list[_Draws]]:
        """Takes steps; what they lead to, and the steps with other outcomes of what was drawn freely."""
        n = len(sources)
        self.steps += n
        self.records[:n] = level.records[sources]
        self.states[:n, self.counters] = 0
        self.buffers[:n, :, 2] = 0
        self.buffers[:n, :, PLACES] = draws.numbers
        self.masks[np.arange(n), actions] = 1
        self.nodes[:n] = level.nodes[sources]
        self.codes[:n], self.codes[n:] = RUNNING, FINISHED
        chosen = np.zeros(ROWS, np.int64)
        chosen[:n] = actions
        self.batch.step(chosen)
        drawn = self.states[:n, self.counters]
        if (self.codes[:n] == FAULTED).any() or drawn.max(initial=0) >= DRAWS:
            raise NoProspect
        made = np.arange(DRAWS) < drawn[:, :, None]
        totals = np.where(made, self.buffers[:n, :, PLACES], 0)
        if totals.max(initial=0) > MOST_OUTCOMES or (draws.totals != totals)[draws.totals > 0].any():
            raise NoProspect
        chances = 1.0 / np.where(made, totals, 1).reshape(n, -1).prod(axis=1, dtype=np.float64)
        over = self.codes[:n] == FINISHED
        reached = Reached(
            draws.choices,
            chances,
            over,
            self.batch.winners[:n][over],
            self.batch.scores[:n][over],
            self._level(np.flatnonzero(~over)),
        )
        return reached, list(_others(draws, totals))

    def _level(self, rows: Array) -> Level:
        masks = self.masks[rows, : self.batch.actions] != 0
        return Level(self.records[rows], self.nodes[rows], self.batch.seats[rows], masks)

    def words(self, level: Level) -> Array:
        """[n, words]: the states of positions."""
        first = self.batch.map["before"] // 4
        return level.records.view(np.int32)[:, first : first + self.states.shape[1]]


def _others(draws: _Draws, totals: Array) -> Iterator[_Draws]:
    """The steps that differ in an outcome which was not laid; what comes before that stays the first."""
    shape = totals.shape
    flat, known = totals.reshape(shape[0], -1), draws.totals.reshape(shape[0], -1)
    numbers = draws.numbers.reshape(shape[0], -1)
    free = (flat > 0) & (known == 0)
    for at in np.flatnonzero(free.any(axis=0)):
        which = np.flatnonzero(free[:, at])
        more = flat[which, at].astype(np.int64) - 1
        rows = np.repeat(which, more)
        outcomes = np.arange(len(rows)) - np.repeat(np.cumsum(more) - more, more) + 1
        total = flat[rows, at].astype(np.int64)
        laid, among = numbers[rows], known[rows]
        among[:, : at + 1] = flat[rows, : at + 1]
        laid[:, at] = ((outcomes << 32) + (1 << 31)) // total
        yield _Draws(draws.choices[rows], laid.reshape(-1, *shape[1:]), among.reshape(-1, *shape[1:]))


def joined(levels: list[Level]) -> Level:
    """The positions of some levels, one after the other."""
    return Level(*map(np.concatenate, zip(*levels, strict=True)))
