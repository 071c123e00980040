"""What expressions of a machine read and what its nodes change: whether a value stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.effects import Store, effect_of, written_slots
from interpreter.ir.visit import Part, Tree, children, free_registers, walk

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


def reads(mc: ir.Machine, tree: Tree) -> Reach:
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


@dataclass(frozen=True, slots=True)
class HeavyPart:
    """An expression of a node that goes through a collection; `around` are the expressions around it.

    `sure`: whenever the node is executed, it is evaluated.
    """

    expr: ir.Expr
    around: tuple[Part, ...]
    sure: bool


def heavy_parts(node: ir.Step) -> Iterator[HeavyPart]:
    """The outermost expressions of a node that go through a collection and read no register from outside."""
    for part in children(node):
        yield from _heavy(part, (), not isinstance(node, ir.Snapshot | ir.ChoiceNode))


def _heavy(part: Part, around: tuple[Part, ...], sure: bool) -> Iterator[HeavyPart]:
    if isinstance(part, HEAVY) and not free_registers(part):
        yield HeavyPart(part, around, sure)
        return
    for i, inner in enumerate(children(part)):
        lazy = isinstance(part, HEAVY | ir.Can) or (_is_lazy(part) and i > 0)
        yield from _heavy(inner, (part, *around), sure and not lazy)


def _is_lazy(part: Part) -> bool:
    """Whether only the first part of an expression is evaluated in any case."""
    return isinstance(part, ir.If) or (isinstance(part, ir.Op) and part.op in ("and", "or"))
