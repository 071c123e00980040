"""What pairs a ruleset of ours with a game of OpenSpiel's: whose choice is whose."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from benchmarks.agree import ours
from interpreter.match import Match

Key = Hashable
"""What a choice is called by both sides."""

PASS: Key = "pass"
"""The key of having nothing to do. OpenSpiel makes a decision of it; we do not ask."""


def no_chance(state: Any, outcomes: list[str]) -> int:
    raise ValueError(f"OpenSpiel wants an outcome, and nothing is paired with it: {outcomes}\n{state}")


def written(state: Any, action: int) -> Key:
    return str(state.action_to_string(state.current_player(), action))


@dataclass(frozen=True)
class Pairing:
    """How choices, chance and results of the two sides are told to be the same.

    `our_key` names a complete choice of ours, `their_key` an action of theirs; several may share a key.
    `chance` takes what it needs from the front of our outcomes and gives their outcome. `opening_chance`
    does so at the first chance node, if that one is different.
    """

    theirs: str
    our_key: Callable[[Match, ours.Path], Key]
    their_key: Callable[[Any, int], Key] = written
    chance: Callable[[Any, list[str]], int] = no_chance
    result: Callable[[Match], tuple[float, ...]] = ours.by_winners
    goes_on: ours.GoesOn = ours.parameters
    small: bool = False
