"""The words of a state that make its position: equal ones have the same future, but for chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from interpreter.ir import expressions as e, nodes as n
from interpreter.ir.cfg import FLOW, is_recursive, predecessors, regions, runs
from interpreter.ir.effects import effect_of
from interpreter.ir.program import Machine
from interpreter.ir.roles import FieldsWith, Role
from interpreter.ir.state import DECISIONS, SLOT
from interpreter.ir.visit import Tree, walk

USED_SLOTS = FieldsWith(Role.SLOT_READ | Role.SLOT_WRITE)
Frames = dict[int, set[int]]
"""For each routine, and the flow, where its frames may begin."""


def position_words(mc: Machine) -> tuple[int, ...]:
    """The addresses of all words but those on which play does not depend.

    Those are the number of decisions, the counters of random streams, who was shown what, and the copy for
    views within `together`.
    """
    gone = {
        DECISIONS,
        *range(mc.stream_base, mc.stream_base + len(mc.streams)),
        *mc.shown.values(),
        *mc.told_words(),
    }
    if mc.saved:
        gone.update(range(mc.saved, mc.saved + mc.saved_to - mc.saved_from))
    return tuple(i for i in range(mc.size) if i not in gone)


def deciding_words(mc: Machine) -> tuple[int, ...]:
    """The words of a position that matter where a seat decides, if no loop comes to its bound.

    The rounds of loops and the faces of dice that are rolled again before they are read do not.
    """
    gone = _loop_counters(mc) | set(_spent_dice(mc))
    return tuple(i for i in position_words(mc) if i not in gone)


def stretches(words: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Sorted addresses as stretches of words next to each other: the first, and the one behind the last."""
    begun: list[int] = []
    for word in words:
        if begun and begun[-1] + 1 != word:
            yield begun[0], begun[-1] + 1
            begun.clear()
        begun.append(word)
    if begun:
        yield begun[0], begun[-1] + 1


# ---- loops


def _loop_counters(mc: Machine) -> set[int]:
    """Where the rounds of a loop are counted, and no other frame has anything else."""
    if is_recursive(mc):
        return set()
    frames = _frames(mc)
    counters, others = set[int](), set[int]()
    for region in regions(mc)[0]:
        slots = _counting(mc, region.nodes)
        for base in frames[region.routine]:
            counters.update(base + slot for slot in slots)
            others.update(base + slot for slot in range(region.size) if slot not in slots)
    return counters - others


def _frames(mc: Machine) -> Frames:
    found: Frames = defaultdict(set)
    parts = {region.routine: region for region in regions(mc)[0]}
    waiting = [(FLOW, mc.stack)]
    while waiting:
        routine, base = waiting.pop()
        if base in found[routine] or routine not in parts:
            continue
        found[routine].add(base)
        inside = {inner for each in parts[routine].nodes for inner, _ in runs(mc, mc.nodes[each])}
        waiting.extend((inner, base + parts[routine].size) for inner in inside)
    return found


def _counting(mc: Machine, numbers: tuple[int, ...]) -> set[int]:
    """The slots of a region that count rounds of loops and are used for nothing else."""
    bounds, used = set[int](), set[int]()
    for node in (mc.nodes[number] for number in numbers):
        used.update(part.slot for part in walk(node) if isinstance(part, e.Local))
        match node:
            case n.Bound(slot=slot):
                bounds.add(slot)
            case n.ClearLocals() | n.SetLocal(value=e.Const(value=0)):
                pass
            case _:
                named = (getattr(node, name) for name in USED_SLOTS[type(node)])
                used.update(slot for slot in named if slot is not None)
    return bounds - used


# ---- dice


def _spent_dice(mc: Machine) -> Iterator[int]:
    """The words of single dice that no decision and nothing behind one reads before they are rolled."""
    before = predecessors(mc)
    rolled_at, rolls = _rolls(mc)
    for number, place in enumerate(mc.places):
        if place.kind != SLOT or mc.place_components[place.zone] != place.zone or number not in rolled_at:
            continue
        if any(_reads(mc, tree, number) for tree in _outside_nodes(mc)):
            continue
        readers = (i for i, node in enumerate(mc.nodes) if i not in rolls and _reads(mc, node, number))
        if all(_is_fresh(mc, before, i, rolled_at[number]) for i in readers):
            yield place.base


def _rolls(mc: Machine) -> tuple[dict[int, set[int]], set[int]]:
    """For each place of a die the nodes that turn it to a drawn face; and the nodes that take it up."""
    turned, taken = defaultdict[int, set[int]](set), set[int]()
    for number, node in enumerate(mc.nodes):
        if not isinstance(node, n.SetLocal):
            continue
        drawn = mc.nodes[node.next]
        last = mc.nodes[drawn.next] if isinstance(drawn, n.Chance) else None
        match node.value, last:
            case e.PieceAt(place=e.Const(value=place)), n.TurnDie(slot=slot) if slot == node.slot:
                assert isinstance(drawn, n.Chance)
                turned[place].add(drawn.next)
                taken.add(number)
    return turned, taken


def _outside_nodes(mc: Machine) -> Iterator[Tree]:
    """What is read besides nodes: scores and triggers."""
    yield tuple(score.value for score in mc.scores)
    yield tuple(trigger.condition for trigger in mc.triggers)


def _reads(mc: Machine, tree: Tree, number: int) -> bool:
    """Whether an expression, or a node, may read the piece on a place."""
    zone = mc.places[number].zone
    for part in walk(tree):
        match part:
            case e.PieceAt(place=e.Const(value=other)):
                if other == number:
                    return True
            case e.PieceAt(place=e.Spot(address=address)):
                if mc.places[address.base].zone == zone:
                    return True
            case e.Pieces(first=first):
                if mc.places[first].zone == zone:
                    return True
            case e.Times(history=history):
                if zone in mc.histories[history].parts:
                    return True
            case e.PieceAt() | n.Lift() | n.Take() | n.Drop() | n.MoveAll() | n.MoveSome():
                return True
            case n.MovePiece() | n.Exchange() | n.Swap() | n.AddRecord():
                return True
    return False


def _is_fresh(mc: Machine, before: list[list[int]], number: int, rolled: set[int]) -> bool:
    """Whether a die was rolled on every way to a node since the last decision."""
    node = mc.nodes[number]
    if isinstance(node, n.Decide | n.Offer):
        return False
    seen, waiting = set[int](), [number]
    while waiting:
        each = waiting.pop()
        if not before[each]:
            return False
        for earlier in before[each]:
            if earlier in rolled or earlier in seen:
                continue
            node = mc.nodes[earlier]
            if isinstance(node, n.Decide) or effect_of(node).calls:
                return False
            seen.add(earlier)
            waiting.append(earlier)
    return True
