"""What expressions of a machine read and what its nodes change, as far as it decides whether a value stays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.effects import Store, effect_of, written_slots
from interpreter.ir.visit import children, free_registers, walk

HEAVY = ir.Fold | ir.Best | ir.Size | ir.Contains | ir.Times | ir.Mask
"""What goes through a collection."""
ANY_PIECE, HEAD, ANYTHING = "any piece", "the head", "anything"
"""Instead of a name: what is read or changed is not known."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The words of the frame, and the counters, marks, pointers and histories, that are read or changed."""

    slots: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()

    def __or__(self, other: Reach) -> Reach:
        return Reach(self.slots | other.slots, self.names | other.names)

    def meets(self, other: Reach) -> bool:
        """Whether something that one of them reads may be what the other changes."""
        if self.slots & other.slots or self.names & other.names:
            return True
        names = self.names | other.names
        return ANYTHING in names and bool(self.names or self.slots) and bool(other.names or other.slots)


def reads(mc: ir.Machine, tree: ir.Tree) -> Reach:
    """What an expression reads."""
    slots: set[int] = set()
    names: set[str] = set()
    for part in walk(tree):
        match part:
            case ir.Local(slot=slot):
                slots.add(slot)
            case ir.Head():
                names.add(HEAD)
            case ir.Load(address=address):
                words = mc.words_at(address.base)
                names.add(ANYTHING if words is None else words.name)
            case ir.PieceAt() | ir.Pieces():
                names.add(ANY_PIECE)
            case ir.Can() | ir.Times() | ir.Bits():
                names.add(ANYTHING)
    return Reach(frozenset(slots), frozenset(names))


def changes(mc: ir.Machine, node: ir.Step) -> Reach:
    """What a node changes; everything if something else may happen before the next one."""
    effect = effect_of(node)
    names: set[str] = set()
    if effect.calls or effect.waits or effect.ends or isinstance(node, ir.NextTrigger):
        names.add(ANYTHING)
    if effect.writes & Store.PIECES:
        names.add(ANY_PIECE)
    if effect.writes & Store.HISTORIES:
        names.add(ANYTHING)
    if effect.writes & Store.WORDS:
        names |= set(_words(mc, node))
    slots = {slot for some in written_slots(mc, node) for slot in some}
    if isinstance(node, ir.SetMe):
        slots.add(ir.ME)
    return Reach(frozenset(slots), frozenset(names))


def _words(mc: ir.Machine, node: ir.Step) -> Iterator[str]:
    """The counters, marks and pointers that a node writes."""
    match node:
        case ir.SetWord(address=address):
            yield _name(mc, address)
        case ir.Transfer(address=address, bank=bank, to=to):
            yield from (_name(mc, x) for x in (address, bank, to) if x is not None)
        case _:
            yield ANYTHING


def _name(mc: ir.Machine, address: ir.Address) -> str:
    words = mc.words_at(address.base)
    return ANYTHING if words is None else words.name


# ---- heavy expressions


def heavy_parts(tree: ir.Tree, sure: bool = False) -> Iterator[ir.Expr]:
    """The outermost expressions that go through a collection and read no register from outside.

    `sure`: only those that are evaluated in any case.
    """
    if isinstance(tree, tuple):
        for part in tree:
            yield from heavy_parts(part, sure)
        return
    if tree is None:
        return
    for part in children(tree) if isinstance(tree, ir.Step) else (tree,):
        yield from _heavy(part, sure)


def _heavy(part: ir.Part | ir.Step, sure: bool) -> Iterator[ir.Expr]:
    if isinstance(part, HEAVY) and not free_registers(part):
        yield part
        return
    inner = children(part)
    if sure and (isinstance(part, ir.Fold | ir.Best) or isinstance(part, ir.If)):
        inner = inner[:1]
    if sure and isinstance(part, ir.Op) and part.op in ("and", "or"):
        inner = [part.left]
    for x in inner:
        yield from _heavy(x, sure)
