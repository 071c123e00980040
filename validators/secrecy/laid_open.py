"""Values that are chosen secretly while all choose at once, and that the rules lay open themselves."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import ir
from interpreter.game import Game
from interpreter.ir.cfg import owners, reached
from interpreter.ir.effects import Access, place_access, writes
from interpreter.ir.visit import walk

Slot = tuple[int, int]
"""A routine and a slot of its frame."""


def laid_open(game: Game) -> frozenset[int]:
    """The secret decisions whose value is written openly, or says where a piece openly comes or goes.

    What is merely computed from a value does not lay it open.
    """
    owner = owners(game.machine)
    return frozenset(
        number
        for number, node in enumerate(game.machine.nodes)
        if isinstance(node, ir.Decide) and node.secret and _is_shown(game, owner, number, node)
    )


def _is_shown(game: Game, owner: list[int], number: int, node: ir.Decide) -> bool:
    """Whether a node that holds the value of a decision shows it."""
    nodes = game.machine.nodes
    behind = set(reached(game.machine, (node.next,)))
    held = _held(game, owner, (owner[number], node.slot), behind)
    inner = {routine for routine, _ in held} - {owner[number]}
    return any(
        _shows(game, nodes[i], {slot for routine, slot in held if routine == owner[i]})
        for i in range(len(nodes))
        if i in behind or owner[i] in inner
    )


def _held(game: Game, owner: list[int], first: Slot, behind: set[int]) -> set[Slot]:
    """The slots that hold a value as it was chosen, behind the decision and in what is called there."""
    found, todo = {first}, [first]
    while todo:
        routine, slot = todo.pop()
        for number, node in enumerate(game.machine.nodes):
            if owner[number] == routine and (routine != first[0] or number in behind):
                new = set(_passed_on(node, routine, slot)) - found
                found |= new
                todo += new
    return found


def _passed_on(node: ir.Step, routine: int, slot: int) -> Iterator[Slot]:
    """The slots to which a node copies a slot."""
    match node:
        case ir.SetLocal(slot=to, value=ir.Local(slot=read)) if read == slot:
            yield routine, to
        case ir.Call(routine=called, arguments=arguments):
            yield from ((called, ir.FRAME + i) for i, x in enumerate(arguments) if x == ir.Local(slot))


def _shows(game: Game, node: ir.Step, slots: set[int]) -> bool:
    """Whether a node writes the value of one of some slots openly, or at the place that it names."""
    match node:
        case ir.SetWord(name=name, op="=", value=ir.Local(slot=slot)) if slot in slots:
            if _is_open(game, name):
                return True
    return any(_is_open(game, name) and _names(indices, slots) for name, indices in _touched(game, node))


def _touched(game: Game, node: ir.Step) -> Iterator[Access]:
    yield from writes(game.machine, node)
    if isinstance(node, ir.MovePiece) and isinstance(node.piece, ir.PieceAt):
        yield from place_access(game.machine, node.piece.place)


def _names(indices: tuple[ir.Expr, ...], slots: set[int]) -> bool:
    return any(isinstance(part, ir.Local) and part.slot in slots for part in walk(indices))


def _is_open(game: Game, name: str) -> bool:
    """Whether everybody sees a zone, or a counter, mark or pointer."""
    zone = game.rules.zones.get(name)
    return zone.seen_by == "all" if zone is not None else name not in game.rules.hidden_words
