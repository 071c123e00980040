"""How many decisions of ours an action of OpenSpiel's is, where it is not one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Count = Callable[[Any, int], int]
"""Decisions of ours, from a state of OpenSpiel's and the action that is taken there."""


def one(_state: Any, _action: int) -> int:
    return 1


def unasked(*actions: int) -> Count:
    """Nothing for one of these if it is all that is offered: we do not ask then."""

    def count(state: Any, action: int) -> int:
        return int(action not in actions or len(state.legal_actions()) > 1)

    return count


CELLS = 100


def berths(state: Any, _action: int) -> int:
    """Battleship: a berth is a cell and a way, a shot is a cell."""
    return 2 if max(state.legal_actions()) >= CELLS else 1


GO, CARDS = 2756, 52


def crib(_state: Any, action: int) -> int:
    """Cribbage: two cards that are laid away are one action; whoever cannot play is not asked."""
    if action == GO:
        return 0
    return 1 + (action >= CARDS)


def field_and_cell(state: Any, _action: int) -> int:
    """Ultimate tic-tac-toe: a field is chosen first, with us by the cell that is chosen in it."""
    return int(str(state).rpartition("Forced board: ")[2].split()[0].isdigit())


def promotion(state: Any, action: int) -> int:
    """Chess: what a pawn becomes is chosen after its move."""
    return 1 + ("=" in state.action_to_string(action))
