"""Working memory, `lasts: moment`: it is read only where it can be anything but as at the start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from dsl import rules as r
from dsl.declare.symbol_table import SymbolTable
from dsl.messages.statements import CannotRecall, ReadWhileWaiting
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


def check_recalls(symbols: SymbolTable, rules: r.Rules) -> None:
    """Report what cannot be done while the records of a history are recalled, each line once."""
    blocks = (*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))
    for recall in (part for part in walk(blocks) if isinstance(part, r.Recall)):
        for line in dict.fromkeys(_reachable(rules, recall.block)):
            why = ""
            match line:
                case r.Recall(history=name) | r.ClearHistory(history=name) if name == recall.history:
                    why = f"the records of `{name}` are being recalled here"
                case _ if _may_wait(rules, line):
                    why = f"the rules may wait here, and what is recalled of `{recall.history}` is gone then"
            if why:
                symbols.fail(
                    CannotRecall(line.span, why, "keep what is needed in locals, and go on behind the block")
                )


def _reachable(rules: r.Rules, block: r.Block) -> Iterator[r.Line]:
    """The lines of a block and of the procedures that it calls."""
    called, waiting = set[str](), [block]
    while waiting:
        for part in walk(waiting.pop()):
            if isinstance(part, r.Line):
                yield part
            if isinstance(part, r.CallLine) and part.routine not in called:
                called.add(part.routine)
                waiting.append(rules.routines[part.routine].block)


def _may_wait(rules: r.Rules, line: r.Line) -> bool:
    """Whether somebody must choose at a line, or chance, or all together."""
    match line:
        case (
            r.Choose()
            | r.Offer()
            | r.ChanceChooses()
            | r.Together()
            | r.RollPiece()
            | r.RollZone()
            | r.Shuffle()
        ):
            return True
        case r.MoveCount(source=r.InZone(zone=name)):
            return rules.zones[name].order in ("shuffled", "bag") or rules.zones[name].refill is not None
    return False


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
