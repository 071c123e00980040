"""How much is evaluated: the parts of an expression, and of what is asked of each value of a collection."""

from __future__ import annotations

from typing import Final

from interpreter.ir.expressions import Best, Expr, Filtered, Fold, Prefix, Ranked
from interpreter.ir.nodes import ClearLocals, Decide, LookAway, Reset, Snapshot, Step
from interpreter.ir.program import TriggerCode
from interpreter.ir.visit import Part, Tree, children

PARTS_OF_ONE: Final = 8
"""Parts whose evaluation costs as much as a value of a collection that is taken."""
SMALL: Final = 64
"""Parts of a node up to which it costs no work: the number of steps bounds these."""
WORDS_OF_ONE: Final = 256
"""Words written side by side that cost as much as a value of a collection."""


def asked_of_each(part: Part | Step) -> tuple[Expr, ...]:
    """The expressions that a part evaluates for each value of a collection."""
    match part:
        case Fold(where=where, body=body):
            asked: tuple[Expr | None, ...] = (where, body)
        case Best(where=where, keys=keys) | Ranked(where=where, keys=keys) | Snapshot(where=where, keys=keys):
            asked = (where, *keys)
        case Filtered(where=where) | Prefix(where=where) | Decide(where=where):
            asked = (where,)
        case _:
            asked = ()
    return tuple(e for e in asked if e is not None)


def parts_at_once(tree: Tree) -> int:
    """The parts that one evaluation of a tree comes to, without what is asked of each value within."""
    found, waiting = 0, [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif part is not None:
            found += 1
            each = {id(e) for e in asked_of_each(part)}
            waiting.extend(child for child in children(part) if id(child) not in each)
    return found


def cost_of_each(part: Part | Step) -> int:
    """The work of one value of the collection of a part: 1, and one more for each `PARTS_OF_ONE` parts."""
    return 1 + parts_at_once(asked_of_each(part)) // PARTS_OF_ONE


def cost_of_step(node: Step) -> int:
    """The work of a node beside that of collections: 0 if it is small, as most are."""
    parts, words = parts_at_once(node), _words_written(node)
    return (parts // PARTS_OF_ONE if parts > SMALL else 0) + words // WORDS_OF_ONE


def cost_of_tests(trigger: TriggerCode) -> int:
    """The work of testing all bindings of a trigger; those of one piece that has moved need no test."""
    if trigger.condition is None:
        return 0
    return len(trigger.bindings) * (1 + parts_at_once(trigger.condition) // PARTS_OF_ONE)


def _words_written(node: Step) -> int:
    match node:
        case Reset(ranges=ranges):
            return sum(len(values) for _, values in ranges)
        case LookAway(count=count):
            return count
        case ClearLocals(first=first, last=last):
            return last - first
        case _:
            return 0
