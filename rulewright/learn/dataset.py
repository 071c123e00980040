"""Matches as tables: a row for each decision, what its seat saw, was offered and chose, and the result."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from interpreter.bots.number_search import NumbersInParts
from interpreter.executor_protocol import Option
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.libraries import library, required
from rulewright.learn.opponents import BotPlayer, Player
from rulewright.learn.play import LearnMatch
from rulewright.learn.rewards import Rewards
from rulewright.learn.space import Space
from rulewright.processes.early_end import EarlyEnd
from rulewright.processes.interrupts import postponed

ROWS_PER_GROUP: Final = 20_000
MOST_CHOICES: Final = 100_000
"""The most choices of a match."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision: who decided what, what it saw, which actions were offered, which one it took."""

    step: int
    seat: int
    decision: str
    observation: np.ndarray
    offered: np.ndarray
    action: int


@dataclass(frozen=True, slots=True)
class MatchRows:
    """The decisions of a match, and for each seat whether it has won, its total and its reward."""

    match: str
    seed: int
    players: tuple[str, ...]
    rows: tuple[DecisionRow, ...]
    won: tuple[bool, ...]
    totals: tuple[int, ...]
    rewards: tuple[float, ...]


def played(space: Space, players: Sequence[Player], names: Sequence[str], seed: int) -> MatchRows:
    """A match by players, one for each seat. Raises the `Fault` that it comes to."""
    play, beside = LearnMatch(space), any(isinstance(player, BotPlayer) for player in players)
    rng = np.random.default_rng(seed)
    match = Match(space.game, seed).start() if beside else None
    play.reset(seed, match)
    rows: list[DecisionRow] = []
    while play.seat >= 0 and len(rows) < MOST_CHOICES:
        seat, seen, mask = play.seat, play.observation(), play.mask()
        action = players[seat].act_in(play, rng)
        rows.append(_row(space, len(rows), seat, seen, mask, action))
        play.step(action)
    scores, winners = play.stepper.scores, play.stepper.winners
    won = tuple(bool(x) for x in winners)
    totals = tuple(int(x) for x in scores)
    rewards = tuple(float(x) for x in play.rewards_now())
    return MatchRows(str(seed), seed, tuple(names), tuple(rows), won, totals, rewards)


def _row(space: Space, step: int, seat: int, seen: np.ndarray, mask: np.ndarray, action: int) -> DecisionRow:
    name = space.catalogue.decisions[int(seen[0]) - 1]
    return DecisionRow(step, seat, name, seen, mask.nonzero()[0].astype(np.int32), action)


def from_match(space: Space, match: Match, name: str, players: Sequence[str]) -> MatchRows:
    """The decisions of a match that was played, or replayed from its log."""
    play = LearnMatch(space)
    rows: list[DecisionRow] = []
    for state, first in match.history:
        step = match.steps[first]
        assert step.seat is not None
        seat = match.game.seat_number(step.seat)
        for at, option in _chosen(match.game, state, seat, step):
            play.place(at)
            play.ask(seat)
            seen, mask = play.observation(), play.mask()
            rows.append(_row(space, len(rows), seat, seen, mask, play.action_of(option)))
    return _with_result(space, match, name, players, rows)


def _chosen(game: Game, state: array[int], seat: int, step: MatchStep) -> Iterator[tuple[array[int], Option]]:
    """The options by which something was chosen, each with its state: of a number from ranges its parts."""
    waiting = next(w for w in game.executor.waiting(state) if w.seat == seat and w.node == step.node)
    node, told = game.machine.decision(waiting.node), game.including(waiting, step.text)
    option = next(o for o in told.options if " ".join(game.names.choice(node, o, told.what)) == step.text)
    numbers = NumbersInParts(game, waiting)
    if not any(one.has(option[1]) for one in numbers.ranges(option[0])):
        yield state, option
        return
    part = option[0]
    for place in numbers.places(option):
        yield state, (part, place)
        found = numbers.entered([state], (part, place))
        if found is None:
            return
        part, [state] = 0, found[1]


def _with_result(
    space: Space, match: Match, name: str, players: Sequence[str], rows: Sequence[DecisionRow]
) -> MatchRows:
    seats = [space.game.names.seat(seat) for seat in range(space.game.machine.seats)]
    winners = match.winners() if match.over else []
    won = tuple(seat in winners for seat in seats)
    totals = tuple(account.total for account in match.accounts()) if match.over else (0,) * len(seats)
    rewards = tuple(Rewards(space.game).of_match(match)) if match.over else (0.0,) * len(seats)
    return MatchRows(name, match.seed, tuple(players), tuple(rows), won, totals, rewards)


# ---- as Parquet


def check_library() -> None:
    """Raises `DiagnosticError` with `LibraryNotInstalled` without `pyarrow`."""
    required(library("pyarrow.parquet"), "pyarrow", "dataset")


def parquet(
    matches: Iterable[MatchRows], catalogue: SpaceCatalogue, about: dict[str, str], end: EarlyEnd
) -> tuple[bytes, int, int]:
    """The bytes of a Parquet file, and how many matches and rows are in it; `about` goes to its metadata.

    What ends it before its time is noted in `end`, and the matches that have ended by then are in the file.
    Raises `DiagnosticError` with `LibraryNotInstalled` without `pyarrow`.
    """
    table = MatchTable(catalogue, about)
    with end.noted():
        for match in matches:
            with postponed():
                table.add(match)
    return table.closed(end.why), table.matches, table.rows


class MatchTable:
    """A Parquet file in memory that grows by matches. Raises as `parquet` does."""

    def __init__(self, catalogue: SpaceCatalogue, about: dict[str, str]) -> None:
        self._arrow = required(library("pyarrow"), "pyarrow", "dataset")
        writing = required(library("pyarrow.parquet"), "pyarrow", "dataset")
        self.catalogue = catalogue
        self.schema = _schema(self._arrow, catalogue).with_metadata({**about, "catalogue": catalogue.text()})
        self.matches = self.rows = 0
        self._sink = self._arrow.BufferOutputStream()
        self._writer = writing.ParquetWriter(self._sink, self.schema, compression="zstd")
        self._group: list[tuple[Any, ...]] = []
        """The rows of some matches, until a group of rows is worth its room."""

    def add(self, match: MatchRows) -> None:
        self._group += _tuples(match, self.catalogue)
        self.matches, self.rows = self.matches + 1, self.rows + len(match.rows)
        if len(self._group) >= ROWS_PER_GROUP:
            self._write_group()

    def _write_group(self) -> None:
        columns = {name: [row[i] for row in self._group] for i, name in enumerate(self.schema.names)}
        self._writer.write_table(self._arrow.table(columns, schema=self.schema))
        self._group = []

    def closed(self, stopped: str = "") -> bytes:
        """The whole file. Why it was stopped goes to its metadata, if it was."""
        if self._group:
            self._write_group()
        if stopped:
            self._writer.add_key_value_metadata({"stopped": f"{stopped} after {self.matches} matches"})
        self._writer.close()
        data: bytes = self._sink.getvalue().to_pybytes()
        return data


def _schema(pa: Any, catalogue: SpaceCatalogue) -> Any:
    return pa.schema(
        [
            ("match", pa.string()),
            ("seed", pa.string()),
            ("step", pa.int32()),
            ("seat", pa.int8()),
            ("player", pa.string()),
            ("decision", pa.string()),
            ("observation", pa.list_(pa.int32(), len(catalogue.columns))),
            ("offered", pa.list_(pa.int32())),
            ("action", pa.int32()),
            ("words", pa.string()),
            ("won", pa.bool_()),
            ("total", pa.int32()),
            ("reward", pa.float32()),
        ]
    )


def _tuples(match: MatchRows, catalogue: SpaceCatalogue) -> Iterator[tuple[Any, ...]]:
    for row in match.rows:
        yield (
            match.match,
            str(match.seed),
            row.step,
            row.seat,
            match.players[row.seat] if row.seat < len(match.players) else "",
            row.decision,
            row.observation,
            row.offered,
            row.action,
            catalogue.actions[row.action],
            match.won[row.seat],
            match.totals[row.seat],
            match.rewards[row.seat],
        )
