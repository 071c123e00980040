"""What a line of the rules reads, and what it brings elsewhere: who may know that a later one refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from dsl import rules as r
from dsl.domains import ANY_INT
from dsl.source import Span
from interpreter.compile.refusing import can_fail

BLOCKS = ("block", "otherwise")


def ends_trials(line: r.Statement) -> bool:
    """Whether an action has been tried where it comes to a line: somebody must choose, or nothing can be."""
    match line:
        case r.Choose():
            return line.strength == "must" and not (line.if_any or line.if_several or line.several)
        case r.Offer(strength="must", targets=targets, seat=seat):
            return seat is not None or len(targets) > 1 or isinstance(targets[0], r.DoRoutine)
    return False


def looked_at(line: r.Statement) -> tuple[object, ...]:
    """What a line looks at by itself; what stands in its block does so for itself."""
    parts = tuple(getattr(line, part.name) for part in fields(line) if part.name not in BLOCKS)
    match line:
        case r.Transfer(counter=name) | r.Write(name=name):
            return (*parts, _store(line.span, name, line.of, line.at))
    return parts


def decides(rules: r.Rules, line: Any) -> object:
    """What a line reads by which later lines run or can read something else, or it is refused."""
    match line:
        case r.SetVar(value=value):
            return value
        case r.If(condition=condition) | r.While(condition=condition) | r.RepeatUntil(condition=condition):
            return condition
        case r.Repeat(number=number) | r.MoveCount(number=number) | r.MoveAlike(number=number):
            return number
        case r.For(binder=binder, keys=keys):
            return (binder, keys)
        case r.EachTurn(start=start, keys=keys, where=where):
            return (start, keys, where)
        case r.Write(name=name, value=value, of=of, at=at):
            return (value, of, at, *_failing(rules, line, name))
        case r.Swap():
            return (line.of, line.at, line.other_of, line.other_at)
        case r.Transfer(counter=name, amount=amount, of=of, at=at, to=to):
            return (amount, of, at, to, *_failing(rules, line, name))
        case r.Choose(binder=binder, seat=seat, most=most) if not ends_trials(line):
            return (binder, seat, most)
        case r.Offer(seat=seat, most=most):
            return (seat, most)
        case r.ChanceChooses(binder=binder, weight=weight):
            return (binder, weight)
    return ()


def brought(rules: r.Rules, line: Any) -> Iterator[tuple[object, str]]:
    """What a line takes, and the zones and stores to which it brings it, where it may be seen."""
    match line:
        case r.Transfer(counter=name) | r.Write(kind="counter", name=name):
            bank = rules.counters[name].bank
            if bank is not None:
                yield _store(line.span, name, line.of, line.at), bank
                yield _store(line.span, bank, None, None), name
        case r.Swap():
            yield _store(line.span, line.name, line.of, line.at), line.other
            yield _store(line.span, line.other, line.other_of, line.other_at), line.name
        case r.SwapPieces(one=one, other=other):
            yield one, other.zone
            yield other, one.zone
        case r.MovePiece(piece=source, to=to) | r.MoveAll(source=source, to=to):
            yield source, to.zone
        case r.MoveCount(source=source, to=to) | r.MoveAlike(source=source, to=to):
            yield source, to.zone


def _failing(rules: r.Rules, line: r.Write | r.Transfer, name: str) -> tuple[r.Expr, ...]:
    """The counter that a line changes, if its value can refuse the line."""
    return (_store(line.span, name, line.of, line.at),) if can_fail(rules, set(), line) else ()


def _store(span: Span, name: str, of: r.Expr | None, at: r.Expr | None) -> r.ReadStateVar:
    """A counter, mark or pointer as it is read; of its type nothing depends here."""
    return r.ReadStateVar(ANY_INT, span, "counter", name, of, at)
