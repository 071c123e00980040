"""A position of a tree in lines for people: who acts, and all that is not zero."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from dsl.domains import NONE, is_optional
from interpreter import ir
from interpreter.sights import REFEREE
from interpreter.wasm.batches.observe import HEAD
from rulewright.learn.positions import Position, PositionTree
from rulewright.learn.tables import FIRST_COLUMNS

FIRST: Final = len(FIRST_COLUMNS) + HEAD
"""The column of the first stored word."""
MARK: Final = 4
"""The bytes of the hash that stands behind what the lines do not show."""


def position_text(tree: PositionTree, at: Position) -> str:
    """Who acts and what is stored, secrets too. Positions that differ in what may follow have other texts."""
    mark = hashlib.blake2b(_rest(tree, at).encode(), digest_size=MARK).hexdigest()
    return "\n".join([*_acting(tree, at), *_stored(tree, at), f"[{mark}]"])


def _acting(tree: PositionTree, at: Position) -> Iterator[str]:
    mc, names = tree.game.machine, tree.game.names
    if at.over:
        yield "over"
    elif at.pick is not None:
        yield f"chance: one of {len(at.pick[1])} unseen pieces"
    elif at.chance:
        yield f"chance: {mc.streams[mc.node(at.state[ir.PC], ir.Chance).stream]}"
    for asked in at.asked if at.pick is None else ():
        yield f"{names.seat(asked.seat)} decides: {mc.decision(asked.node).name}"
    if not at.over:
        yield f"phase: {mc.phases[at.state[ir.PHASE]]}"


def _stored(tree: PositionTree, at: Position) -> Iterator[str]:
    """Stored values and numbers of pieces under the names that observations have."""
    mc, value = tree.game.machine, tree.game.names.value
    types = {
        word: layout.type
        for layout in mc.variables.values()
        for word in range(layout.base, layout.base + layout.size)
    }
    names = (name for name, _, _ in tree.space.catalogue.columns[FIRST:])
    for name, word in zip(names, range(mc.saved_from, tree.stops.stored_to), strict=False):
        number = at.state[word]
        if number not in (0, NONE) or (word in types and is_optional(types[word]) and number != NONE):
            yield f"{name}: {value(types[word], number) if word in types else number}"


def _rest(tree: PositionTree, at: Position) -> str:
    """What the lines do not show: who was shown what, where the rules stand, what was chosen so far."""
    mc, state = tree.game.machine, at.state
    chosen = [(node.name, value) for node, value in tree.views.chosen(state, REFEREE)]
    words = state[tree.stops.stored_to : mc.saved_to].tolist()
    return repr(
        (words, at.due, at.pick, at.asked, state[ir.PC] if at.chance else 0, state[ir.ACTIVE], chosen)
    )
