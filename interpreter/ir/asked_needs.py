"""Preconditions that an offer has already tested when the choice is made, and that are not tested again.

The fast executor asks them again only if the offer met a fault. A need that is listed by mistake would be
ignored in play, so whatever is in doubt is left to be tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from interpreter.ir.cfg import behind_needs, done, predecessors, runs
from interpreter.ir.expressions import Can, Expr
from interpreter.ir.nodes import Branch, ClearLocals, Decide, Offer, Precondition, SetLocal
from interpreter.ir.program import Machine
from interpreter.ir.trials import TriedChoice
from interpreter.ir.visit import Tree, holds, walk


def asked_needs(
    mc: Machine,
    trial_of_path: Callable[[int], tuple[Expr, bool]],
    trial_of_choice: Callable[[Decide], TriedChoice],
) -> frozenset[int]:
    """The needs that are reached in one way only: behind an offer that has asked them in place.

    Where nothing happens between an offer and the choice, they hold, unless the offer faulted. The
    functions are those of `TrialConditions`.
    """
    before = predecessors(mc)
    offered, entered = _entries(mc)
    tested: set[int] = set()
    for number, node in enumerate(mc.nodes):
        if isinstance(node, Decide) and node.trial and trial_of_choice(node).exact:
            tested.update(_asked_from(mc, before, offered | entered, node.next, [number]))
    for entry in offered - entered:
        needs = frozenset(_asked_from(mc, before, entered, entry, []))
        if not trial_of_path(behind_needs(mc, entry))[1]:
            needs &= frozenset(_first_needs(mc, entry))
        tested |= needs
    return frozenset(tested)


def _asked_from(
    mc: Machine, before: Sequence[list[int]], entered: frozenset[int], first: int, ways: list[int]
) -> Iterator[int]:
    """The needs of a stretch that only looks, as far as no other way leads into it."""
    waiting = [(first, ways)]
    while waiting:
        number, ways = waiting.pop()
        if before[number] != ways or number in entered:
            continue
        node = mc.nodes[number]
        if isinstance(node, Precondition):
            yield number
        if isinstance(node, Precondition | SetLocal | ClearLocals):
            waiting.append((node.next, [number]))
        elif isinstance(node, Branch):
            waiting += [(node.then, [number]), (node.otherwise, [number])]


def _first_needs(mc: Machine, number: int) -> Iterator[int]:
    while isinstance(node := mc.nodes[number], Precondition):
        yield number
        number = node.next


def _entries(mc: Machine) -> tuple[frozenset[int], frozenset[int]]:
    """Where routines begin that are offered, and where those that are called or tried."""
    offered: set[int] = set()
    entered = {mc.start, *(entry.node for entry in mc.entries.values())}
    for node in mc.nodes:
        (offered if isinstance(node, Offer) else entered).update(_begun(mc, runs(mc, node)))
    outside: Tree = (
        *(trigger.condition for trigger in mc.triggers),
        *(score.value for score in mc.scores),
        *(promise.condition for promise in (*mc.invariants, *mc.goals)),
    )
    for tree in (*mc.nodes, outside):
        for part in walk(tree) if holds(tree, (Can,)) else ():
            if isinstance(part, Can):
                entered.update(_begun(mc, done(mc, part.what)))
    return frozenset(offered), frozenset(entered)


def _begun(mc: Machine, given: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Where routines begin, each with a number of given arguments."""
    return (mc.routines[routine].entry(number) for routine, number in given)
