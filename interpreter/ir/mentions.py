"""Which counters, marks, pointers and zones the code of a machine mentions where it can be reached."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.ir import expressions as e, nodes as n
from interpreter.ir.cfg import done, reached, runs
from interpreter.ir.program import Machine
from interpreter.ir.state import HEADER
from interpreter.ir.visit import Tree, walk


def reachable(mc: Machine) -> frozenset[int]:
    """The nodes that a match, a scenario or a trigger can reach, through calls too."""
    found: set[int] = set()
    waiting = [mc.start, *(entry.node for entry in mc.entries.values())]
    while waiting:
        fresh = [number for number in reached(mc, (waiting.pop(),)) if number not in found]
        found.update(fresh)
        for number in fresh:
            for routine, given in _run_by(mc, mc.nodes[number]):
                entry = mc.routines[routine].entry(given)
                if entry not in found:
                    waiting.append(entry)
    return frozenset(found)


def _run_by(mc: Machine, node: n.Step) -> Iterator[tuple[int, int]]:
    """The routines that a node or an expression in it runs, with the number of given arguments."""
    if isinstance(node, n.CheckTrigger) and mc.triggers[node.trigger].condition == e.Const(0):
        return
    yield from runs(mc, node)
    for part in walk(node):
        if isinstance(part, e.DoRoutine | e.DoCell):
            yield from done(mc, part)


def mentioned(mc: Machine) -> frozenset[str]:
    """The counters, marks, pointers and zones that reachable code, the account or a promise reads or writes.

    The end of a lifetime is not a mention: what is not written has its start value already. A trigger
    mentions what it waits for, whether or not it can run.
    """
    found: set[str] = set()
    for number in reachable(mc):
        found.update(_mentions(mc, mc.nodes[number]))
    for trigger in mc.triggers:
        found.update(mc.places[place].zone for place in trigger.watched)
        found.update(_in_tree(mc, trigger.condition))
    results = (*(x.value for x in mc.scores), *(x.condition for x in (*mc.invariants, *mc.goals)))
    found.update(_in_tree(mc, results))
    return frozenset(found)


def _mentions(mc: Machine, node: n.Step) -> Iterator[str]:
    yield from _in_tree(mc, node)
    match node:
        case n.SetWord(name=name) | n.SetWords(name=name) | n.Tell(name=name):
            yield name
        case n.SelectRecords(history=number):
            yield from (mc.histories[number].name, *mc.histories[number].parts)
        case n.Transfer(name=name, bank=bank):
            yield name
            if bank is not None:
                yield from _variable(mc, bank.base)


def _in_tree(mc: Machine, tree: Tree) -> Iterator[str]:
    for part in walk(tree):
        match part:
            case e.Load(address=address):
                yield from _variable(mc, address.base)
            case e.Head(word=word) if word >= HEADER:
                yield from _variable(mc, word)
            case e.Times(history=number):
                history = mc.histories[number]
                yield from (history.name, *history.parts)
            case e.Spot(address=address):
                yield mc.places[address.base].zone
            case e.Pieces(first=first):
                yield mc.places[first].zone
            case _:
                yield from (mc.places[place].zone for place in _fixed_places(part))


def is_outside(mc: Machine, node: n.Step) -> bool:
    """Whether a node, which cannot be reached, has an address outside of the state."""
    held = len(mc.places)
    for part in walk(node):
        match part:
            case e.Address(base=base) if base < 0:
                return True
            case e.Spot(address=address) if address.base >= held:
                return True
            case e.Pieces(first=first) if first >= held:
                return True
            case _ if any(place >= held for place in _fixed_places(part)):
                return True
    return isinstance(node, n.Transfer) and node.bank is not None and node.bank.base < 0


def _fixed_places(part: object) -> Iterator[int]:
    """The numbers of the places that a part names without an index."""
    for field in ("place", "source"):
        place = getattr(part, field, None)
        if isinstance(place, e.Const) and place.value >= 0:
            yield place.value


def _variable(mc: Machine, address: int) -> Iterator[str]:
    """The variable at an address; other words of the state, such as who has had a turn, have no name."""
    words = mc.words_at(address)
    if words is not None:
        yield words.name
