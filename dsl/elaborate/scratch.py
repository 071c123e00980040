"""Working memory, `lasts: moment`: it is read only where it can be anything but as at the start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from dsl import rules as r
from dsl.declare.symbol_table import SymbolTable
from dsl.messages.statements import ReadWhileWaiting
from dsl.rules.look import ShownValue
from dsl.rules.visit import walk, walk_values
from dsl.source import Span

KEEP = "keep what is needed with `let` before, and read that"
RULES = "write what is needed into a counter, mark or pointer that lasts"


class _Wait(NamedTuple):
    """What is read where the rules wait, where that is, and what helps."""

    tree: Any
    where: str
    hint: str


def check_scratch(symbols: SymbolTable, rules: r.Rules, shown: tuple[ShownValue, ...]) -> None:
    """Report where working memory is read while the rules wait, each place once; `shown` by the look."""
    names = symbols.scratch
    for wait in _waits(rules) if names else ():
        for name, span in dict.fromkeys(reads(rules, names, wait.tree)):
            symbols.fail(ReadWhileWaiting(span, name, wait.where, wait.hint))
    for one in shown if names else ():
        parts = rules.values[one.name].parts if one.name in rules.values else ()
        for name in dict.fromkeys(name for name, _ in reads(rules, names, parts)):
            symbols.fail(ReadWhileWaiting(one.span, name, "where the table shows it", RULES))


def reads(rules: r.Rules, names: frozenset[str], tree: Any) -> Iterator[tuple[str, Span]]:
    """Which of some counters, marks and pointers a tree reads, and where, also by a value that it uses."""
    for part in walk(tree):
        match part:
            case r.ReadStateVar(name=name, span=span) if name in names:
                yield name, span
            case r.UseValue(value=value, span=span):
                for inner in walk_values(rules.values, rules.values[value].parts):
                    if isinstance(inner, r.ReadStateVar) and inner.name in names:
                        yield inner.name, span


def _waits(rules: r.Rules) -> Iterator[_Wait]:
    yield _Wait(tuple(rules.phases.values()), "in the flow", RULES)
    for trigger in rules.triggers:
        yield _Wait((trigger.condition, trigger.zone), "where a trigger is checked", RULES)
        yield from _in_block(trigger.block)
    yield _Wait(tuple(line.value for line in rules.scores), "in the account", RULES)
    promises = (*rules.invariants, *rules.goals)
    yield _Wait(tuple(promise.condition for promise in promises), "where a promise is checked", RULES)
    for routine in rules.routines.values():
        chosen = tuple((parameter.binder, parameter.several) for parameter in routine.parameters)
        yield _Wait(chosen, "where a parameter is chosen", "choose it within the action, from a local")
        yield from _in_block(routine.block)


def _in_block(block: r.Block) -> Iterator[_Wait]:
    for line in walk(block):
        match line:
            case r.Choose(seat=seat, binder=binder, several=several):
                yield _Wait((seat, binder, several), "where somebody chooses", KEEP)
            case r.Offer(seat=seat, targets=targets):
                yield _Wait((seat, targets), "where something is done by choice or by a cell", KEEP)
            case r.ChanceChooses(binder=binder, weight=weight):
                yield _Wait((binder, weight), "where chance decides", KEEP)
            case r.MoveCount() | r.MoveAlike() | r.RollPiece() | r.RollZone() | r.Shuffle():
                yield _Wait(line, "where chance decides", KEEP)
