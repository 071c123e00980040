"""Facts about a game that are worked out once, and forgotten with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from interpreter.game import Game

P = ParamSpec("P")
T = TypeVar("T")


def once_per_game(work: Callable[Concatenate[Game, P], T]) -> Callable[Concatenate[Game, P], T]:
    """Keep the results of a function as long as its game lives. They must not hold the game."""
    known: WeakKeyDictionary[Game, dict[object, T]] = WeakKeyDictionary()

    @wraps(work)
    def found(game: Game, /, *args: P.args, **kwargs: P.kwargs) -> T:
        of_game = known.setdefault(game, {})
        asked = (args, tuple(kwargs.items()))
        if asked not in of_game:
            of_game[asked] = work(game, *args, **kwargs)
        return of_game[asked]

    return found
