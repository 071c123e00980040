"""Scratch state: what rules write down for themselves, as a search or a union of groups does.

It is told by what it gives, not how it is found: where summaries tell all that is done with it, the
statements that only keep it are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from dsl import rules as r
from dsl.rules.visit import walk


def untold_scratch(rules: r.Rules, summaries: Collection[str]) -> frozenset[str]:
    """The counters, marks and pointers that nobody sees, and that only clauses with summaries read."""
    declared = (*rules.counters.values(), *rules.marks.values(), *rules.pointers.values())
    scratch = {d.var.name for d in declared if d.var.seen_by == "nobody" or d.var.is_scratch}
    open_parts = (*rules.phases.values(), *rules.triggers, *rules.scores, *rules.invariants)
    scratch -= _read((*open_parts, *rules.collections.values()))
    for value in rules.values.values():
        if not set(value.clauses) & set(summaries):
            scratch -= _read(value)
    while True:
        untold = scratch - {
            name
            for routine in rules.routines.values()
            for line in routine.block
            if not keeps_scratch(line, scratch, rules)
            if not {*routine.clauses, *_cited(line)} & set(summaries)
            for name in _read(line)
        }
        if untold == scratch:
            return frozenset(scratch)
        scratch = untold


def keeps_scratch(
    line: Any, scratch: Collection[str], rules: r.Rules, inside: frozenset[str] = frozenset()
) -> bool:
    """Whether a statement does nothing but keep scratch state, alone or by the procedures that it calls."""
    match line:
        case r.Write(name=name):
            return name in scratch
        case r.SetVar():
            return True
        case r.Record(history=name) | r.ClearHistory(history=name):
            return rules.histories[name].is_scratch
        case r.CallLine(routine=name):
            block = rules.routines[name].block
            return name in inside or _all_keep(block, scratch, rules, inside | {name})
        case r.If(block=block, otherwise=otherwise):
            return _all_keep((*block, *otherwise), scratch, rules, inside)
        case r.For(block=block) | r.While(block=block) | r.Repeat(block=block) | r.RepeatUntil(block=block):
            return _all_keep(block, scratch, rules, inside)
        case r.Recall(block=block):
            return _all_keep(block, scratch, rules, inside)
    return False


def clauses_inside(line: Any, rules: r.Rules, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The clauses of a statement, of the statements in it, and of the procedures that these call."""
    for node in walk(line):
        if isinstance(node, r.Line):
            yield from node.clauses
        if isinstance(node, r.CallLine) and node.routine not in seen:
            routine = rules.routines[node.routine]
            yield from routine.clauses
            yield from clauses_inside(routine.block, rules, seen | {node.routine})


def _all_keep(block: r.Block, scratch: Collection[str], rules: r.Rules, inside: frozenset[str]) -> bool:
    return all(keeps_scratch(line, scratch, rules, inside) for line in block)


def _cited(line: Any) -> set[str]:
    return {c for node in walk(line) if isinstance(node, r.Line) for c in node.clauses}


def _read(tree: Any) -> set[str]:
    return {node.name for node in walk(tree) if isinstance(node, r.ReadStateVar)}
