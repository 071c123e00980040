"""What bots have planned for the next decisions of a move."""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from interpreter.executor_protocol import Option
from interpreter.game import Game

KEPT: Final = 1_024
"""Of how many decisions it is remembered what was planned, those planned last."""


class Plans:
    """What a seat will choose in the next decisions of a move, by the states in which they wait.

    Whoever plans has a key of its own. Any number of threads may note and ask.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, object, bytes], tuple[Game, Option]] = OrderedDict()
        self._guard = threading.Lock()

    def note(self, game: Game, key: object, plan: Iterable[tuple[array[int], Option]]) -> None:
        with self._guard:
            for state, option in plan:
                place = id(game), key, state.tobytes()
                self._kept[place] = game, option  # the game stays, so nothing else has its id
                self._kept.move_to_end(place)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def find(self, game: Game, key: object, state: array[int]) -> Option | None:
        with self._guard:
            found = self._kept.get((id(game), key, state.tobytes()))
        return None if found is None else found[1]
