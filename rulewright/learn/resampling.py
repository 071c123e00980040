"""Other histories that a seat cannot tell from the one of a position: what ISMCTS searches from.

The way to the position is walked again. Where chance or another seat has decided, another outcome or action
is drawn, and it stands if the seat is told the same; where the way cannot go on, the last draw is taken back.
So each history that comes out is possible, and the seat has the same information state. It is not asked how
likely others would have acted like that.

Source of the interface: Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search" (2012).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from rulewright.learn.positions import Key, Position, PositionTree

MOST_STEPS: Final = 5_000
"""How many steps a resampling may try."""
Drawn = Callable[[], float]
"""Gives numbers in 0..1."""


def resampled(tree: PositionTree, at: Position, seat: int, drawn: Drawn) -> Position:
    """A position that the seat cannot tell from this one.

    Raises `ValueError` if none is found within `MOST_STEPS` steps.
    """
    way: list[tuple[Position, Key, Position]] = []
    child = at
    while child.origin is not None:
        parent, key = child.origin
        way.append((parent, key, child))
        child = parent
    way.reverse()
    wanted = tree.information(at, seat)
    reached, open_ways = [tree.root], list[Iterator[Position]]()
    for _ in range(MOST_STEPS):
        depth = len(reached) - 1
        if depth == len(way):
            if tree.information(reached[-1], seat) == wanted:
                return reached[-1]
            depth -= 1
            reached.pop()
        elif depth == len(open_ways):
            open_ways.append(_following(tree, reached[-1], *way[depth], seat, drawn))
        found = next(open_ways[depth], None) if depth < len(open_ways) else None
        if found is not None:
            reached.append(found)
            continue
        open_ways.pop()
        reached.pop()
        if not reached:
            break
    raise ValueError(f"no other history was found in {MOST_STEPS} steps that player {seat} cannot tell apart")


def _following(
    tree: PositionTree, at: Position, real: Position, key: Key, child: Position, seat: int, drawn: Drawn
) -> Iterator[Position]:
    """Positions behind another one by steps of which the seat is told what it was told, in any order."""
    if (at.chance, at.pick is None) != (real.chance, real.pick is None):
        return
    if tree.seats_asked(at) != tree.seats_asked(real):
        return
    tree.tell(child)
    assert child.told is not None
    wanted = child.told[seat]
    for each in _shuffled(_alternatives(tree, at, key, seat), drawn):
        found = tree.follow(at, each)
        tree.tell(found)
        if found.told is not None and found.told[seat] == wanted:
            yield found


def _alternatives(tree: PositionTree, at: Position, key: Key, seat: int) -> list[tuple[Key, float]]:
    """What may have been instead of a step, each with a weight; the seat has done what it did."""
    if isinstance(key, int):
        return [(outcome, chance) for outcome, chance in tree.outcomes(at)]
    pairs = (key,) if isinstance(key[0], int) else key
    options: list[list[tuple[int, int]]] = []
    for pair in pairs:
        assert isinstance(pair, tuple)
        who, action = pair
        offered = tree.actions(at, who)
        options.append([(who, a) for a in offered if who != seat or a == action])
    if isinstance(key[0], int):
        return [(pair, 1.0) for pair in options[0]]
    return [(several, 1.0) for several in product(*options)]


def _shuffled(weighted: list[tuple[Key, float]], drawn: Drawn) -> Iterator[Key]:
    """All of them, drawn one after the other by their weights."""
    left = list(weighted)
    while left:
        at = drawn() * sum(weight for _, weight in left)
        for number, (_, weight) in enumerate(left):
            at -= weight
            if at < 0 or number == len(left) - 1:
                break
        yield left.pop(number)[0]
