"""The moments that a seat recalls: the decisions on the way to a position, and what was done there."""

from __future__ import annotations

from interpreter import ir
from rulewright.learn.positions import Key, Position, PositionTree

UNKNOWN = -1
"""Instead of an action that a seat does not know."""


def recalled(tree: PositionTree, at: Position, seat: int) -> list[tuple[int, Position]]:
    """The decisions on the way and the position now, in order, each with the action that was taken there.

    It is the seat's own, or one of another that it could read; else `UNKNOWN`.
    """
    found = [(UNKNOWN, at)]
    position = at
    while position.origin is not None:
        position, key = position.origin
        if tree.seats_asked(position):
            found.append((_known(tree, position, key, seat), position))
    return found[::-1]


def _known(tree: PositionTree, at: Position, key: Key, seat: int) -> int:
    """The action that was taken at a position, as far as a seat knows."""
    if isinstance(key, int):
        return UNKNOWN
    pairs = [key] if isinstance(key[0], int) else key
    taken = {pair[0]: pair[1] for pair in pairs if isinstance(pair, tuple)}
    if seat in taken:
        return taken[seat]
    if at.state[ir.FORKED] or len(taken) > 1:  # others are told when all have chosen, and then it is seen
        return UNKNOWN
    ((chooser, action),) = taken.items()
    return action if tree.reads(at, chooser, action, seat) else UNKNOWN
