"""Matches played to their ends by bots, many side by side where all are uniform, else one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.wasm.batch import FAULTED, Batch
from validators.experiments.choice_names import ChoiceNames
from validators.experiments.players import SeatedBot, bot_seed, uniform_keys, uniform_numbers

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint8]


class Observer(Protocol):
    """Watches decisions. All of one call are of different matches, by their row.

    `offered` are the numbers of the names of all options, behind each other, `rows_offered` the places in the
    call that they belong to; `taken` the numbers of the names of those taken.
    """

    def decided(self, rows: Ints, seats: Ints, taken: Ints, offered: Ints, place_offered: Ints) -> None: ...


class PositionObserver(Protocol):
    """Watches positions in which a choice is about to be made."""

    def reached(self, rows: Ints, made: Ints, states: npt.NDArray[np.int32]) -> None:
        """[k] rows, [k] how many decisions were made, [k, words] states, which the next step changes."""
        ...


@dataclass(frozen=True)
class Line:
    """How matches are played: the game, a bot for each seat, and by seat the names of what it may not choose.

    A choice that is forbidden is taken only where nothing else is offered. `salt` gives bots other seeds.
    """

    game: Game
    players: tuple[SeatedBot, ...]
    names: ChoiceNames
    forbidden: Mapping[int, frozenset[str]] = field(default_factory=dict)
    salt: int = 0


@dataclass(frozen=True)
class Ended:
    """How matches ended: [n] winners as bits, [n, seats] totals, [n] decisions, [n] the end with a name.

    `faults` has, by row, the text of the fault to which a match came; it has no end then.
    """

    winners: Ints
    totals: Ints
    lengths: Ints
    endings: Ints
    faults: Mapping[int, str]

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """[n]: which matches have an end."""
        found = np.ones(len(self.winners), dtype=bool)
        found[list(self.faults)] = False
        return found

    def row(self, i: int) -> Ended:
        """One of the matches alone."""
        here = slice(i, i + 1)
        faults = {0: self.faults[i]} if i in self.faults else {}
        winners, totals = self.winners[here], self.totals[here]
        return Ended(winners, totals, self.lengths[here], self.endings[here], faults)


@dataclass(frozen=True)
class Observers:
    """Those who watch; none need to."""

    choices: Observer | None = None
    positions: PositionObserver | None = None


NOBODY = Observers()


def play(line: Line, seeds: range, observers: Observers = NOBODY) -> Ended:
    """Plays a match for each seed to its end. Faults end their match only."""
    if all(player.uniform for player in line.players):
        return _play_together(line, seeds, observers)
    return _play_alone(line, seeds, observers)


def described(fault: Fault) -> str:
    """A fault as one line: its code, what it says, and where."""
    found = fault.diagnostic
    where = f" ({found.span.place})" if found.span.source.text else ""
    return f"{found.code} {found.message}{where}"


# ---- many side by side


def _play_together(line: Line, seeds: range, observers: Observers) -> Ended:
    n, seats = len(seeds), line.game.machine.seats
    batch = Batch(line.game, n, seeds.start, observations=False)
    keys = uniform_keys([bot_seed(seed, line.salt) for seed in seeds], seats)
    choices = np.zeros(n, dtype=np.int64)
    while len(rows := np.flatnonzero(batch.nodes >= 0)):
        nodes, deciding = batch.nodes[rows].copy(), batch.seats[rows].astype(np.int64)
        allowed = batch.masks[rows]
        if line.forbidden:
            allowed = _restricted(line, allowed, nodes, deciding)
        totals = allowed.sum(axis=1, dtype=np.uint64)
        made = batch.states[rows, ir.DECISIONS].astype(np.uint64)
        drawn = uniform_numbers(totals, made, keys[rows, deciding])
        reached = np.cumsum(allowed, axis=1, dtype=np.int32)
        choices[rows] = np.argmax(reached > drawn.astype(np.int64)[:, None], axis=1)
        if observers.positions is not None:
            observers.positions.reached(rows, made.astype(np.int64), batch.states[rows])
        if observers.choices is not None:
            _observe(line, observers.choices, rows, (nodes, deciding, choices[rows]), batch.masks[rows])
        batch.step(choices)
    return _ended(batch, seats)


def _ended(batch: Batch, seats: int) -> Ended:
    bits = np.int64(1) << np.arange(seats, dtype=np.int64)
    failed = ((i, batch.fault(int(i))) for i in np.flatnonzero(batch.codes == FAULTED))
    return Ended(
        batch.winners.astype(np.int64) @ bits,
        batch.scores.astype(np.int64),
        batch.states[:, ir.DECISIONS].astype(np.int64),
        batch.outcomes.astype(np.int64),
        {int(i): described(fault) for i, fault in failed if fault is not None},
    )


def _restricted(line: Line, masks: Bits, nodes: npt.NDArray[np.int32], seats: Ints) -> Bits:
    """The masks without what is forbidden, but where nothing else is offered."""
    found = masks.copy()
    for node in np.unique(nodes):
        table = line.names.table(int(node))
        for seat, names in line.forbidden.items():
            rows = np.flatnonzero((nodes == node) & (seats == seat))
            barred = [a for a, number in enumerate(table) if line.names.names[number] in names]
            if len(rows) and barred:
                found[rows[:, None], np.array(barred)] = 0
    empty = ~found.any(axis=1)
    found[empty] = masks[empty]
    return found


def _observe(
    line: Line,
    observer: Observer,
    rows: Ints,
    decided: tuple[npt.NDArray[np.int32], Ints, Ints],
    masks: Bits,
) -> None:
    nodes, seats, actions = decided
    place, action = np.nonzero(masks)
    offered = np.empty(len(place), dtype=np.int64)
    taken = np.empty(len(rows), dtype=np.int64)
    for node in np.unique(nodes):
        table = line.names.table(int(node))
        here = nodes[place] == node
        offered[here] = table[action[here]]
        there = nodes == node
        taken[there] = table[actions[there]]
    observer.decided(rows, seats, taken, offered, place)


# ---- one after the other


def _play_alone(line: Line, seeds: range, observers: Observers) -> Ended:
    n, seats = len(seeds), line.game.machine.seats
    none = np.zeros(n, dtype=np.int64)
    found = Ended(none, np.zeros((n, seats), dtype=np.int64), none.copy(), none.copy(), {})
    faults: dict[int, str] = {}
    for row, seed in enumerate(seeds):
        # where seats choose together, a search asks the history what the others have not chosen yet
        match = Match(line.game, seed, keep_history=bool(line.game.machine.branches))
        try:
            _play_one(line, match, bot_seed(seed, line.salt), row, observers)
            won = match.winners()
            found.totals[row] = [sheet.total for sheet in match.accounts()]
        except Fault as fault:
            faults[row] = described(fault)
            continue
        finally:
            found.lengths[row] = match.state[ir.DECISIONS]
        found.winners[row] = sum(1 << line.game.seat_number(name) for name in won)
        ending = match.outcome()
        found.endings[row] = line.game.machine.endings.index(ending) + 1 if ending is not None else 0
    return replace(found, faults=faults)


def _play_one(line: Line, match: Match, seed: int, row: int, observers: Observers) -> None:
    match.start()
    while not match.over:
        waiting = match.waiting()[0]
        asked = _permitted(line, waiting)
        option = asked.options[0]
        if len(asked.options) > 1 or line.players[waiting.seat].uniform:
            option = line.players[waiting.seat].choose(match, asked, seed)
        if observers.positions is not None:
            here = np.array([row]), np.array([match.state[ir.DECISIONS]])
            observers.positions.reached(*here, np.array([match.state], dtype=np.int32))
        if observers.choices is not None:
            observers.choices.decided(*_one(line.names, row, waiting, option))
        match.take(waiting, option)


def _permitted(line: Line, waiting: Waiting) -> Waiting:
    barred = line.forbidden.get(waiting.seat)
    if not barred:
        return waiting
    names = line.names
    left = tuple(o for o in waiting.options if names.names[names.number(waiting.node, o)] not in barred)
    return replace(waiting, options=left) if left else waiting


def _one(names: ChoiceNames, row: int, waiting: Waiting, option: Option) -> Sequence[Ints]:
    offered = [names.number(waiting.node, o) for o in waiting.options]
    taken = names.number(waiting.node, option)
    values = ([row], [waiting.seat], [taken], offered, [0] * len(offered))
    return [np.array(value, dtype=np.int64) for value in values]
