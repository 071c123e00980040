"""Observations laid out for networks: planes for boards, and a row of numbers for all else.

What a board holds becomes planes [rows, columns], one for each value that a place can have. Seats are
relative to the one that looks: its own things come first, then those of the next seat, and so on. Numbers of
few values have a place for each value, others are scaled to 0..1. A layout is worked out from the columns of
a catalogue, in their order, so it is as stable as the catalogue is; a model keeps the one that it was trained
with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from dsl.domains import EnumType, FlagType
from interpreter import ir
from interpreter.game import Game
from interpreter.wasm.batch import Batch
from interpreter.wasm.batches.observe import HEAD
from rulewright.learn.arguments import demand
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.features import MOST_VALUES
from rulewright.learn.space import Row, Space
from rulewright.learn.tables import FIRST_COLUMNS, spaces_of

FIRST: Final = len(FIRST_COLUMNS)
SEAT: Final = FIRST
"""The column of the seat that looks."""
SEAT_TYPE: Final = "seat"
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BoardPlanes:
    """The planes of one board: what each is, and how many rows and columns they have."""

    board: str
    planes: tuple[str, ...]
    rows: int
    columns: int

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.planes), self.rows, self.columns

    @property
    def size(self) -> int:
        return len(self.planes) * self.rows * self.columns


@dataclass(frozen=True, slots=True)
class _Feature:
    """A number of a layout: for each seat that looks, a column and a value that it is 1 for.

    With a scale it is the distance from the value instead, multiplied with that. A column of -1 is no column.
    """

    name: str
    columns: tuple[int, ...]
    values: tuple[int, ...]
    scale: float = 0.0


@dataclass(frozen=True, slots=True)
class _Lookup:
    """What one seat looks at: a column and a value for each number, and which of them are scaled."""

    columns: npt.NDArray[np.int64]
    values: npt.NDArray[np.int32]
    """[size]: -1 at the first column, which is never negative, for a number that is always 0."""
    scaled: npt.NDArray[np.int64]
    """[scaled]: the numbers that are scaled."""
    least: Floats
    scales: Floats
    """[scaled]: the least value, and what the distance from it is multiplied with."""

    def numbers(self, rows: Row) -> Floats:
        """[..., size] from [..., columns]."""
        numbers: Floats = (rows.take(self.columns, axis=-1) == self.values).astype(np.float32)
        if len(self.scaled):
            apart = rows.take(self.columns[self.scaled], axis=-1).astype(np.float32)
            apart -= self.least
            apart *= self.scales
            numbers[..., self.scaled] = np.clip(apart, 0, 1, out=apart)
        return numbers


@dataclass(frozen=True)
class NetworkLayout:
    """How rows of observations become planes and numbers: `NetworkLayout.of(game)`."""

    game: str
    seats: int
    boards: tuple[BoardPlanes, ...]
    flat: tuple[str, ...]
    """What each of the numbers is that are in no plane."""
    columns: npt.NDArray[np.int64]
    """[seats, size]: the column that each number looks at, for each seat that looks; -1 for none."""
    values: Floats
    """[seats, size]: the value that it is 1 for, or the least of a scaled one."""
    scales: Floats
    """[size]: 0 for a value of few, else what the distance from the least value is multiplied with."""

    @property
    def size(self) -> int:
        """The numbers of a row: all planes, one after the other, then the flat ones."""
        return len(self.scales)

    @classmethod
    def of(cls, game: Game, catalogue: SpaceCatalogue | None = None) -> NetworkLayout:
        """The layout of a game under its own catalogue, or another one that includes it.

        Raises `DiagnosticError` with `BadEnvironmentSetting` for what is no game or no catalogue, and with
        `ForeignModel` for a catalogue that lacks something of the game.
        """
        demand("game", game, Game, 'give a game as `open_game("pig")` makes it')
        used = Space.of(game, catalogue).catalogue
        return _Layouts(game.in_parts, spaces_of(game).catalogue, used).made()

    def text(self) -> str:
        """What each number is, as JSON: to stand beside a model, with its digest."""
        boards = [[x.board, x.rows, x.columns, list(x.planes)] for x in self.boards]
        found = {"game": self.game, "seats": self.seats, "boards": boards, "flat": list(self.flat)}
        return json.dumps({**found, "digest": self.digest}, indent=1, ensure_ascii=False)

    @property
    def digest(self) -> str:
        """A hash of all that the layout says, as 32 hexadecimal digits."""
        known = repr((self.game, self.seats, self.boards, self.flat)).encode()
        tables = self.columns.tobytes() + self.values.tobytes() + self.scales.tobytes()
        return hashlib.blake2b(known + tables, digest_size=16).hexdigest()

    def of_rows(self, rows: Row) -> Floats:
        """[n, size] from observations [n, columns], each as the seat in it looks."""
        seats = np.clip(rows[:, SEAT], 0, self.seats - 1)
        numbers = np.zeros((len(rows), self.size), dtype=np.float32)
        for seat, lookup in enumerate(self._lookups):
            which = np.flatnonzero(seats == seat)
            numbers[which] = lookup.numbers(rows[which])
        return numbers

    def of_row(self, row: Row) -> Floats:
        """[size] from one observation [columns]."""
        return self._lookups[min(max(int(row[SEAT]), 0), self.seats - 1)].numbers(row)

    @cached_property
    def _lookups(self) -> tuple[_Lookup, ...]:
        """For each seat that looks."""
        scaled = np.flatnonzero(self.scales)
        return tuple(
            _Lookup(
                np.maximum(columns, 0),
                np.where(columns >= 0, values, -1).astype(np.int32),
                scaled,
                values[scaled],
                self.scales[scaled],
            )
            for columns, values in zip(self.columns, self.values, strict=True)
        )

    def of_batch(self, batch: Batch) -> Floats:
        """[n, size] of what the deciding seat of each match of a batch sees."""
        assert batch.game is not None
        space = Space.of(batch.game)
        nodes = np.zeros(len(batch.machine.nodes) + 1, dtype=np.int32)
        for node, index in space.decisions.items():
            nodes[node] = index.number
        return self.of_rows(space.rows(batch.observations, nodes[batch.nodes], False))

    def parted(self, numbers: Floats) -> tuple[dict[str, Floats], Floats]:
        """Planes [n, planes, rows, columns] by board, and the flat numbers [n, flat], as views."""
        planes, at = {}, 0
        for board in self.boards:
            planes[board.board] = numbers[:, at : at + board.size].reshape(-1, *board.shape)
            at += board.size
        return planes, numbers[:, at:]


class _Layouts:
    """Works out a layout: features of planes by board, and flat ones."""

    def __init__(self, game: Game, own: SpaceCatalogue, catalogue: SpaceCatalogue) -> None:
        self.game, self.mc, self.own, self.catalogue = game, game.machine, own, catalogue
        self.seats = game.machine.seats
        numbers = {column: number for number, column in enumerate(catalogue.columns)}
        self.number = [numbers[column] for column in own.columns]
        """Where each of the game's own columns stands in the catalogue."""
        self.planes: dict[str, dict[str, list[list[_Feature]]]] = {}
        self.flat: list[_Feature] = []
        self.done: set[int] = set()

    def made(self) -> NetworkLayout:
        for words in self.mc.variables.values():
            if words.size:
                self._variable(words)
        self._places()
        for number in range(len(self.own.columns)):
            if number not in self.done:
                self.flat += self._numbers((number,) * self.seats, self.own.columns[number][0])
        boards, features = [], list[_Feature]()
        for board, planes in self.planes.items():
            decl = self.game.rules.types[board]
            rows, columns = decl.sides if len(decl.sides) == 2 else (1, decl.size)
            boards.append(BoardPlanes(board, tuple(planes), rows, columns))
            features += [feature for plane in planes.values() for feature in _in_order(plane, rows, columns)]
        features += self.flat
        seats = range(self.seats)
        return NetworkLayout(
            self.own.game,
            self.seats,
            tuple(boards),
            tuple(feature.name for feature in self.flat),
            np.array([[f.columns[seat] for f in features] for seat in seats], dtype=np.int64),
            np.array([[f.values[seat] for f in features] for seat in seats], dtype=np.float32),
            np.array([f.scale for f in features], dtype=np.float32),
        )

    # ---- which columns belong together

    def _variable(self, words: ir.VarLayout) -> None:
        """The words of a counter, mark or pointer, those of a seat by its distance from who looks."""
        mine = words.of == SEAT_TYPE and words.of_size == self.seats
        for row in range(self.seats if mine else words.of_size):
            of = "" if words.of is None else self._whose(row) if mine else self._index(words.of, row, words)
            for k in range(words.at_size):
                rows = [(row + seat) % self.seats if mine else row for seat in range(self.seats)]
                found = tuple(self._column(words.base + r * words.at_size + k) for r in rows)
                name = f"{words.name}{of}"
                at = words.at_lo + k if words.at is not None else None
                self._add(found, name, words.at, at, words.type)

    def _places(self) -> None:
        """The places of zones, those of a seat by how far it is from the one that looks."""
        found: dict[tuple[str, int | None], dict[int | None, ir.Place]] = {}
        for place in self.mc.places:
            found.setdefault((place.zone, place.at), {})[place.of] = place
        for (zone, at), places in found.items():
            decl = self.game.rules.zones.get(zone)
            var = decl.var if decl is not None else None
            mine = var is not None and var.of == SEAT_TYPE and set(places) == set(range(self.seats))
            for number, of in enumerate(places):
                looked = [(number + seat) % self.seats if mine else of for seat in range(self.seats)]
                owner = self._whose(number) if mine else "" if of is None else f" of {of}"
                for k in range(places[of].words):
                    columns = tuple(self._column(places[each].base + k) for each in looked)
                    part = self.own.columns[columns[0]][0].partition(": ")[2]
                    name = f"{zone}{owner}: {part}" if part else f"{zone}{owner}"
                    self._add(columns, name, var.at if var is not None else None, at, None)

    def _whose(self, distance: int) -> str:
        return " of me" if not distance else f" of the next {distance}" if self.seats > 2 else " of the other"

    def _index(self, of: str, row: int, words: ir.VarLayout) -> str:
        return f" of {self.game.names.index(of, words.of_lo + row)}"

    def _column(self, word: int) -> int:
        """The game's own column of a word of the state."""
        return FIRST + HEAD + word - self.mc.saved_from

    # ---- features

    def _add(
        self, columns: tuple[int, ...], name: str, board: str | None, at: int | None, kind: object
    ) -> None:
        if max(columns) >= len(self.own.columns):
            return
        self.done.update(columns)
        found = list(self._numbers(columns, name, kind))
        decl = self.game.rules.types.get(board) if board is not None else None
        if decl is None or at is None or decl.shape == "none":
            where = f" at {self.game.names.index(board, at)}" if board is not None and at is not None else ""
            self.flat += [_named(feature, f"{feature.name}{where}") for feature in found]
            return
        cells = {place: cell for cell, place in decl.cells.items()} or {at: (0, at - decl.lo)}
        planes = self.planes.setdefault(board or "", {})
        for feature in found:
            planes.setdefault(feature.name, []).append([_named(feature, "{} {}".format(*cells[at]))])

    def _numbers(self, columns: tuple[int, ...], name: str, kind: object = None) -> Iterator[_Feature]:
        """The features of a column: one for each value but the least of those that mean nothing, or one."""
        if columns[0] == SEAT:
            name, kind = "seat", None
        found = tuple(self.number[column] for column in columns)
        _, low, high = self.own.columns[columns[0]]
        low = min(self.own.columns[column][1] for column in columns)
        high = max(self.own.columns[column][2] for column in columns)
        if isinstance(kind, EnumType) and kind.type == SEAT_TYPE:
            for distance in range(self.seats):
                values = tuple((seat + distance) % self.seats for seat in range(self.seats))
                yield _Feature(f"{name} is{self._whose(distance).replace(' of', '')}", found, values)
        elif high - low < MOST_VALUES:
            for value in range(low, high + 1) if high - low > 1 else (high,):
                yield _Feature(f"{name}: {self._called(kind, value)}", found, (value,) * self.seats)
        else:
            yield _Feature(name, found, (low,) * self.seats, 1.0 / (high - low))

    def _called(self, kind: object, value: int) -> str:
        """A value in words; one that a type does not have is none, or nothing."""
        if not isinstance(kind, EnumType | FlagType):
            return str(value)
        if isinstance(kind, EnumType):
            decl = self.game.rules.types[kind.type]
            return decl.label(value) if decl.lo <= value <= decl.hi else "none"
        return str(bool(value)).lower()


def _named(feature: _Feature, name: str) -> _Feature:
    return _Feature(name, feature.columns, feature.values, feature.scale)


def _in_order(plane: Sequence[Sequence[_Feature]], rows: int, columns: int) -> list[_Feature]:
    """The features of a plane, row by row; nothing where the board has no place."""
    seats = len(plane[0][0].columns)
    nothing = _Feature("", (-1,) * seats, (0,) * seats)
    found = [nothing] * (rows * columns)
    for (feature,) in plane:
        row, column = map(int, feature.name.split())
        found[row * columns + column] = feature
    return found
