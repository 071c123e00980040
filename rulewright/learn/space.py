"""The spaces of a game ready for play: which action each number means, and where each column stands.

A `Space` joins a game to a catalogue, its own or one that was extended by it; `play` and `vector` play under
it. What a model learned depends on its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.game import Game
from interpreter.wasm.batch_module import batch_module
from rulewright.learn.arguments import refused
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.messages import ForeignModel
from rulewright.learn.tables import FIRST_COLUMNS, NodeActions, spaces_of

Mask = npt.NDArray[np.int8]
Row = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
HEAD: Final = len(FIRST_COLUMNS)
"""The columns of an observation before those of the state."""


class DecisionIndex:
    """The actions of one decision: numbers of a batch to numbers of the catalogue, and back."""

    def __init__(self, game: Game, actions: NodeActions, ids: dict[str, int], number: int) -> None:
        self.actions = actions
        self.number = number
        self.ids = np.array([ids[key] for key in actions.keys], dtype=np.int64)
        self.total = len(self.ids)
        self.straight = bool((self.ids == np.arange(self.total)).all()) and self.total == len(ids)
        self.locals: dict[int, tuple[int, ...]] = {}
        for local, action in enumerate(self.ids.tolist()):
            self.locals[action] = (*self.locals.get(action, ()), local)
        self.ordered = bool((np.diff(self.ids) > 0).all())
        """Whether the actions rise with the numbers of the batch."""
        self.unique = all(len(copies) == 1 for copies in self.locals.values())
        self.hidden = self._hidden(game)
        self.local_of = batch_module(game).numberings[actions.node].action

    def _hidden(self, game: Game) -> dict[int, npt.NDArray[np.int64]]:
        """For each seat the actions that name a piece on a place that it may not see."""
        by_seat = {}
        for seat in range(game.machine.seats):
            hidden = [i for i, x in enumerate(self.actions.places) if self.actions.hides(game, x, seat)]
            if hidden:
                by_seat[seat] = np.array(hidden, dtype=np.int64)
        return by_seat


@dataclass(frozen=True)
class Space:
    """The spaces of a game under a catalogue: sizes, bounds, and the index of each decision."""

    game: Game
    catalogue: SpaceCatalogue
    decisions: dict[int, DecisionIndex]
    ids: dict[str, int]
    columns: npt.NDArray[np.int64] | None
    """Where each word of an observation stands; none if the words stand there in order."""
    lows: Row
    highs: Row

    @property
    def actions(self) -> int:
        return len(self.catalogue.actions)

    @property
    def width(self) -> int:
        return len(self.catalogue.columns)

    @classmethod
    def of(cls, game: Game, catalogue: SpaceCatalogue | None = None) -> Space:
        """Under the game's own catalogue, or one that was extended by it.

        Raises `DiagnosticError` with `ForeignModel` if the catalogue lacks something, and with
        `BadEnvironmentSetting` if it is none.
        """
        own = spaces_of(game)
        game = game.in_parts
        if catalogue is not None and not isinstance(catalogue, SpaceCatalogue):
            hint = "read it with `SpaceCatalogue.read(text)`"
            raise refused("catalogue", catalogue, hint)
        used = catalogue if catalogue is not None else own.catalogue
        if (used.game, used.seats) != (own.catalogue.game, own.catalogue.seats) or not used.includes(
            own.catalogue
        ):
            name = f"a catalogue of {used.game} ({used.seats} seats)"
            why = "something that the game has is not in it: use `extended`"
            raise DiagnosticError(
                ForeignModel(NOWHERE, name, f"{game.machine.name} ({used.seats} seats)", why)
            )
        ids = {key: number for number, key in enumerate(used.actions)}
        numbers = {name: number for number, name in enumerate(used.decisions, 1)}
        decisions = {
            number: DecisionIndex(game, node, ids, numbers[node.decision])
            for number, node in own.nodes.items()
        }
        places = {column: number for number, column in enumerate(used.columns)}
        columns = np.array([places[column] for column in own.catalogue.columns], dtype=np.int64)
        straight = len(columns) == len(used.columns) and bool((columns == np.arange(len(columns))).all())
        lows = np.array([lo for _, lo, _ in used.columns], dtype=np.int32)
        highs = np.array([hi for _, _, hi in used.columns], dtype=np.int32)
        return cls(game, used, decisions, ids, None if straight else columns, lows, highs)

    def row(self, words: Row, decision: int, over: bool) -> Row:
        """A new observation from the words that a batch has: none becomes the least number of its column."""
        row = np.empty(len(words) + HEAD, dtype=np.int32)
        row[0] = decision
        row[1] = over
        if self.columns is None:
            np.maximum(words, self.lows[HEAD:], out=row[HEAD:])
            return row
        row[HEAD:] = words
        spread = np.zeros(self.width, dtype=np.int32)
        spread[self.columns] = row
        np.maximum(spread, self.lows, out=spread)
        return spread

    def rows(self, words: Row, decisions: npt.NDArray[np.int32], over: bool) -> Row:
        """[n, columns]: new observations from [n, words] of a batch and the decisions [n] that wait."""
        rows = np.empty((len(words), words.shape[1] + HEAD), dtype=np.int32)
        rows[:, 0] = decisions
        rows[:, 1] = over
        if self.columns is None:
            np.maximum(words, self.lows[HEAD:], out=rows[:, HEAD:])
            return rows
        rows[:, HEAD:] = words
        spread = np.zeros((len(words), self.width), dtype=np.int32)
        spread[:, self.columns] = rows
        np.maximum(spread, self.lows, out=spread)
        return spread
