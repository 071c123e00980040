"""The choice of symmetries to use: the candidates that hold at the first positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter

from dsl.domains import NONE, EnumType
from interpreter import ir
from interpreter.game import Game
from interpreter.messages import Fault
from validators.explore.automorphisms import Symmetry, candidates, group
from validators.explore.search import SearchLook
from validators.explore.state_key import StateKey, key
from validators.explore.stepping import StepExecutor
from validators.explore.symmetry_reduction import SymmetryBroken, SymmetryReduction

FIRST = 300
"""How many positions are tested before the choice."""
FEWEST = 30
"""How many positions are tested in any case."""
FEWER = 0.9
"""The largest number of classes per position at which symmetry reduction pays off."""
MOVES = 20_000
"""The same limit in moves, those of the images included."""
DEAREST = 4
"""How many symmetries there may be for each position of a class, on average. More of them would take longer
than the images that they save: they are applied to each position, and most give one that was there already.
"""


@dataclass
class Choice:
    """The group of symmetries in use, and those that were dropped because they do not hold.

    `dear`: there were some, but they cost more than they saved. `always`: they are used even so.
    """

    group: list[Symmetry] = field(default_factory=list)
    dropped: list[Symmetry] = field(default_factory=list)
    dear: bool = False
    always: bool = False

    def drop(self, symmetry: Symmetry) -> None:
        self.dropped.append(symmetry)
        self.group = group(x for x in self.group if x != symmetry)


def choose(
    game: Game, steps: StepExecutor, outline: StateKey, until: float | None = None, always: bool = False
) -> Choice:
    """The symmetries that hold at the first positions and identify some of them.

    `until` is the time at which the search is given up. `always`: also if they cost more than they save.
    """
    left = candidates(game.rules, game.machine.seats, used(game))
    alone = {x: SymmetryReduction(game, steps, outline, [x], always=True) for x in left}
    seen: list[bytes] = []
    tested = 0
    for look in _first(steps, outline) if left else ():
        tested += len(look.moves) * len(left)
        if tested > MOVES and len(seen) >= FEWEST:
            break
        seen.append(outline.pack(look.state))
        left = [x for x in left if _holds(alone[x], look)]
        if not left:
            break
        if until is not None and perf_counter() >= until:
            return Choice()
    whole = group(left)
    without = group(x for x in whole if not x.moves("seat"))
    if len(without) < len(whole) and _classes(game, steps, outline, without, seen) == _classes(
        game, steps, outline, whole, seen
    ):
        whole = without
    if whole and _classes(game, steps, outline, whole, seen) > FEWER * len(seen):
        whole = []
    if whole and _is_dear(SymmetryReduction(game, steps, outline, whole), seen):
        return Choice(whole, always=True) if always else Choice(dear=True)
    return Choice(whole, always=always)


def _is_dear(folded: SymmetryReduction, positions: list[bytes]) -> bool:
    """Whether symmetries cost more than they save."""
    images = sum(folded.images(position) for position in positions)
    return (1 + len(folded.symmetries)) * len(positions) > DEAREST * images


def _fixed(mc: ir.Machine) -> set[str | None]:
    """The types by whose values working memory begins, which has the same start in each position."""
    found: set[str | None] = set()
    for words in mc.scratch.values():
        if len(set(words.start)) > 1:
            found |= {words.of, words.at}
        if isinstance(words.type, EnumType) and words.start != (NONE,):
            found.add(words.type.type)
    return found


def used(game: Game) -> set[str]:
    """The types of the values in positions that may be renamed: none if histories record positions."""
    mc, rules = game.machine, game.rules
    if any(not history.scratch for history in mc.histories):
        return set()
    found: set[str | None] = set()
    for words in mc.variables.values():
        found |= {words.of, words.at}
        found |= {words.type.type} if isinstance(words.type, EnumType) else set()
    for zone in rules.zones.values():
        found |= {zone.var.of, zone.var.at}
    found |= {part for name in tuple(found) if name in rules.types for _, part in rules.types[name].parts}
    found -= _fixed(mc)
    if mc.branches or mc.seats < 2:
        found.discard("seat")
    else:
        found.add("seat")
    return {name for name in found if name in rules.types}


def _first(steps: StepExecutor, outline: StateKey) -> Iterator[SearchLook]:
    """The first positions, breadth first."""
    try:
        left = [outline.pack(steps.first())]
    except Fault:
        return
    seen = {key(left[0])}
    moves = 0
    for position in left:
        look = looked(steps, outline, outline.unpack(position))
        yield look
        moves += len(look.moves)
        if moves >= MOVES:
            return
        for reached in look.after:
            if reached is not None and key(reached) not in seen and len(seen) < FIRST:
                seen.add(key(reached))
                left.append(reached)


def looked(steps: StepExecutor, outline: StateKey, state: bytes) -> SearchLook:
    """The moves at a position and where they lead; promises are not tested."""
    try:
        moves = steps.moves(state)
    except Fault:
        moves = ()
    after: list[bytes | None] = []
    for move in moves:
        try:
            after.append(outline.pack(steps.after(state, move)))
        except Fault:
            after.append(None)
    return SearchLook(state, moves, after, None)


def _holds(folded: SymmetryReduction, look: SearchLook) -> bool:
    try:
        folded.prove(look)
    except SymmetryBroken:
        return False
    return True


def _classes(
    game: Game, steps: StepExecutor, outline: StateKey, symmetries: list[Symmetry], positions: list[bytes]
) -> int:
    folded = SymmetryReduction(game, steps, outline, symmetries)
    return len({folded.key(position) for position in positions})
