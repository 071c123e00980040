"""What only the rules remember: flags and counters that nobody needs in order to choose or to count points.

A mark, pointer or counter is bookkeeping if the rules only ask whether it holds, to allow something or to
know what comes next, as the right to castle or who has spoken in a round: what is allowed lights up anyhow.
What is counted, paid, compared with what is chosen, read by a score or by an end of the game is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from dsl import rules as r
from dsl.rules.names import REFERENCES, Reference
from dsl.rules.visit import walk, walk_values

STATEMENTS = (
    *(r.Line, r.Routine, r.Trigger, r.Parameter, r.Several),
    *(r.Phase, r.Turn, r.Transition, r.CallStep, r.OfferStep, r.IfStep, r.SeatsStep),
)
ASKED = frozenset({"condition", "where"})
"""The fields of statements whose expressions are only asked whether they hold."""
ORDERS = frozenset({"<", "<=", ">", ">="})


def bookkeeping(rules: r.Rules) -> frozenset[str]:
    """The names of the marks, pointers and counters that are nothing but bookkeeping."""
    flags = {name for name, mark in rules.marks.items() if _is_unplaced(rules, mark.var)}
    flags |= {name for name, pointer in rules.pointers.items() if _is_brief(pointer)}
    tallies = {name for name, counter in rules.counters.items() if _is_tally(rules, counter)}
    needed = _needed(rules) if flags or tallies else set()
    return frozenset((tallies | (flags - _ending(rules) if flags else flags)) - needed)


def _is_unplaced(rules: r.Rules, state: r.StateVar) -> bool:
    """Whether it lies neither on places of a board nor on pieces, nor for long beside other values."""
    ways = {name for decl in rules.types.values() for name in decl.directions}
    return all(
        index is None or index in ("seat", *ways) or (state.lasts is not None and _is_plain(rules, index))
        for index in (state.of, state.at)
    )


def _is_plain(rules: r.Rules, index: str) -> bool:
    """Whether an index is a type that is neither a board nor the kinds of pieces that lie on the table."""
    decl = rules.types.get(index)
    if decl is None or decl.shape != "none" or index in rules.look.boards:
        return False
    return all(tuple(component.classes) != tuple(decl.names) for component in rules.components.values())


def _is_brief(pointer: r.Pointer) -> bool:
    """Whether it is forgotten in time, and does not name a seat, which people want to know."""
    return pointer.var.lasts is not None and pointer.var.at is None and pointer.to != "seat"


def _is_tally(rules: r.Rules, counter: r.Counter) -> bool:
    """Whether it counts what has happened in a time after which it is 0 again.

    What goes down is what is left of something; what is never reset is how far a match has come.
    """
    if any(line.counter == counter.name for line in _lines(rules, r.Transfer)):
        return False
    written = [line for line in _lines(rules, r.Write) if line.name == counter.name]
    up = [line for line in written if line.op == "+="]
    back = [line for line in written if line.op == "=" and isinstance(line.value, r.Const)]
    resets = counter.var.lasts is not None or bool(back)
    return bool(up) and resets and len(up) + len(back) == len(written)


def _lines(rules: r.Rules, kind: type) -> Iterator[Any]:
    return (line for line in walk(_blocks(rules)) if isinstance(line, kind))


def _blocks(rules: r.Rules) -> tuple[r.Block, ...]:
    return (*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))


def is_aside(rules: r.Rules, name: str, remembered: frozenset[str]) -> bool:
    """Whether a name stands aside: a look that names it decides, or else it is what only rules remember."""
    look = rules.look.states.get(name)
    return name in remembered if look is None else look.area == "aside"


def _names(rules: r.Rules, tree: Any) -> frozenset[str]:
    """What a tree reads, through values too; that it is in a position which may come again does not count."""
    return frozenset(
        getattr(part, field)
        for part in walk_values(rules.values, tree)
        if not isinstance(part, r.TimesRecorded)
        for field, reference in REFERENCES[type(part)].items()
        if reference is Reference.READS
    )


# ---- what is needed


def _needed(rules: r.Rules) -> set[str]:
    """What is read as a value, or asked where points are given."""
    bodies = (*rules.routines.values(), *rules.triggers, *rules.phases.values())
    found = {name for node in bodies for name in _read_by(rules, node)}
    scored = {name for line in rules.scores for name in _names(rules, line.value)}
    found |= {name for one in rules.look.shown if one.name in rules.values for name in _of_value(rules, one)}
    for condition, block in _conditions(rules):
        if scored & _written(rules, block):
            found |= _names(rules, condition)
    return found | scored


def _of_value(rules: r.Rules, shown: r.ShownValue) -> frozenset[str]:
    return _names(rules, rules.values[shown.name].parts)


def _read_by(rules: r.Rules, node: Any) -> Iterator[str]:
    """What a statement with all in it reads, unless it only asks whether it holds."""
    for field in fields(node):
        part = getattr(node, field.name)
        for each in part if isinstance(part, tuple) else (part,):
            if isinstance(each, STATEMENTS):
                yield from _read_by(rules, each)
            elif isinstance(each, r.Binder) and isinstance(node, r.Parameter | r.Choose | r.For):
                yield from _read_by_choice(rules, each)
            elif each is not None:
                yield from (_compared(rules, each) if field.name in ASKED else _names(rules, each))


def _read_by_choice(rules: r.Rules, binder: r.Binder) -> Iterator[str]:
    """What is chosen from is read; the conditions on it are only asked."""
    if binder.where is not None:
        yield from _compared(rules, binder.where)
    if isinstance(binder.collection, r.Filtered):
        yield from _read_by_choice(rules, binder.collection.binder)
    else:
        yield from _names(rules, binder.collection)


def _compared(rules: r.Rules, condition: Any) -> Iterator[str]:
    """What a condition sets against a number that is chosen, as a bid against the last one."""
    for part in walk(condition):
        if isinstance(part, r.Cmp) and part.op in ORDERS:
            sides = part.left, part.right
            if any(isinstance(each, r.Read) for side in sides for each in walk(side)):
                yield from _names(rules, sides)


# ---- ends


def _ending(rules: r.Rules) -> set[str]:
    """What is asked where the game ends."""
    found = {
        name
        for condition, block in _conditions(rules)
        if any(isinstance(line, r.Ending) for line in walk(_called(rules, block)))
        for name in _names(rules, condition)
    }
    scoring = {name for name, phase in rules.phases.items() if phase.scores is not None}
    for phase in rules.phases.values():
        for step in phase.then:
            if step.to in scoring and step.condition is not None:
                found |= _names(rules, step.condition)
    return found


def _conditions(rules: r.Rules) -> Iterator[tuple[r.Expr, r.Block]]:
    """Each condition with what is done where it holds."""
    for line in walk(_blocks(rules)):
        if isinstance(line, r.If):
            yield line.condition, line.block
    for trigger in rules.triggers:
        if trigger.condition is not None:
            yield trigger.condition, trigger.block


def _written(rules: r.Rules, block: r.Block) -> set[str]:
    lines = list(walk(_called(rules, block)))
    found = {line.name for line in lines if isinstance(line, r.Write)}
    return found | {line.counter for line in lines if isinstance(line, r.Transfer)}


def _called(rules: r.Rules, block: r.Block) -> tuple[r.Block, ...]:
    """A block, and those of the routines that it calls."""
    found, seen = [block], set[str]()
    for each in found:
        names = {line.routine for line in walk(each) if isinstance(line, r.CallLine)} - seen
        seen |= names
        found += [rules.routines[name].block for name in sorted(names) if name in rules.routines]
    return tuple(found)
