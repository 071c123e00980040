"""What pairs a ruleset of ours with a game of OpenSpiel's: whose choice is whose."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.agree import ours
from interpreter.match import Match

Key = Hashable
"""What a choice is called by both sides."""

PASS: Key = "pass"
"""The key of having nothing to do. OpenSpiel makes a decision of it; we do not ask."""


class StateAround:
    """A state of OpenSpiel's in which something is otherwise; it is asked what is not."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)


def no_chance(state: Any, outcomes: list[str]) -> int:
    raise ValueError(f"OpenSpiel wants an outcome, and nothing is paired with it: {outcomes}\n{state}")


def returns(state: Any) -> tuple[float, ...]:
    return tuple(state.returns())


def written(state: Any, action: int) -> Key:
    return str(state.action_to_string(state.current_player(), action))


@dataclass(frozen=True)
class Pairing:
    """How choices, chance and results of the two sides are told to be the same.

    `our_key` names a complete choice of ours, `their_key` an action of theirs; several may share a key.
    `chance` takes what it needs from the front of our outcomes and gives their outcome. `theirs` is the name
    of a game of OpenSpiel's, or makes one. `ruleset` is ours, if it is not called like the pairing, which is
    so where several settings of one ruleset are held against several of theirs. `last_outcomes` is how many
    of ours theirs does not ask for at the end, because nothing else is left. `steer` picks those among which
    chance chooses, so that playouts get to what random play hardly ever reaches.
    `in_any_order`: the decisions of one of our choices come in any order, as of dice that are kept.
    """

    theirs: str | Callable[[], Any]
    our_key: Callable[[Match, ours.Path], Key]
    their_key: Callable[[Any, int], Key] = written
    chance: Callable[[Any, list[str]], int] = no_chance
    result: Callable[[Match], tuple[float, ...]] = ours.by_winners
    goes_on: ours.GoesOn = ours.parameters
    small: bool = False
    last_outcomes: int = 0
    ruleset: str = ""
    seats: int = 2
    options: Mapping[str, str | int] = field(default_factory=dict)
    their_result: Callable[[Any], tuple[float, ...]] = returns
    steer: Callable[[list[Key]], list[Key]] = list
    in_any_order: bool = False

    def load(self) -> Any:
        """Their game."""
        import pyspiel

        return pyspiel.load_game(self.theirs) if isinstance(self.theirs, str) else self.theirs()
