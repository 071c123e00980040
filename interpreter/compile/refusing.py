"""Analysis of which lines can refuse the action that they are part of.

An action is tried up to its first stop. The lines after a choice come after a stop; a trial continues only
where there was nothing to choose, through `else`. Behind `if any(x in point where C(x))` there is something
to choose from `point where C(y)`, as long as nothing has been written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from dsl import rules as r
from dsl.cycles import post_order
from dsl.rules.needs import conjuncts


def failing(rules: r.Rules) -> set[str]:
    """The routines that can refuse, by themselves or by a call."""
    callers: defaultdict[str, list[str]] = defaultdict(list)
    direct: list[str] = []
    for routine in rules.routines.values():
        for callee in _refusals(rules, routine.block):
            if callee is None:
                direct.append(routine.name)
            else:
                callers[callee].append(routine.name)
    found: set[str] = set()
    for name in direct:
        post_order(name, callers, found)
    return found


def can_fail(rules: r.Rules, failing_routines: set[str], line: r.Statement) -> bool:
    """Whether a line can refuse, given the routines that can."""
    return any(callee is None or callee in failing_routines for callee in _refusals(rules, (line,)))


def _refusals(rules: r.Rules, block: r.Block, present: tuple[r.Binder, ...] = ()) -> Iterator[str | None]:
    """How the lines of a block can refuse: by themselves (none), or by the call of a routine.

    `present`: what has a value at the beginning.
    """
    for line in block:
        if isinstance(line, r.Choose) and any(_is_among(binder, line.binder) for binder in present):
            line = replace(line, if_any=True)
        match line:
            case r.CallLine(routine=name):
                yield name
            case r.If(condition=condition, block=inner, otherwise=otherwise):
                yield from _refusals(rules, inner, (*present, *_present(condition, True)))
                yield from _refusals(rules, otherwise, (*present, *_present(condition, False)))
            case (
                r.For(block=inner)
                | r.Recall(block=inner)
                | r.Repeat(block=inner)
                | r.RepeatUntil(block=inner)
                | r.EachTurn(block=inner)
                | r.While(block=inner)
            ):
                yield from _refusals(rules, inner)
            case r.Choose(several=r.Several() as several, block=inner, otherwise=otherwise):
                yield from () if several.free or several.certain == 0 else (None,)
                yield from _refusals(rules, (*inner, *otherwise))
            case r.Choose(strength="must", seat=None, binder=binder) if _is_never_empty(rules, binder):
                pass
            case r.Choose(strength=strength, if_any=if_any, otherwise=otherwise):
                yield from (None,) if strength == "must" and not if_any else _refusals(rules, otherwise)
            case r.Offer(strength=strength, otherwise=otherwise):
                yield from (None,) if strength == "must" else _refusals(rules, otherwise)
            case _:
                if _refuses(rules, line):
                    yield None
        if not isinstance(line, r.SetVar):
            present = ()


def _present(condition: r.Expr, holds: bool) -> Iterator[r.Binder]:
    """What has a value where a condition holds, or does not."""
    match condition:
        case r.Neg(operand=operand):
            yield from _present(operand, not holds)
        case r.AnyOf(kind="any", binder=binder) if holds:
            yield binder
        case r.Empty(collection=collection) if not holds:
            yield r.Binder(r.Var("", collection.item, collection.span), collection, None)
        case _ if holds and len(parts := list(conjuncts(condition))) > 1:
            for part in parts:
                yield from _present(part, True)


def _is_among(one: r.Binder, other: r.Binder) -> bool:
    """Whether each value of a binder is one of another binder's."""
    (source, asked), (others, needed) = _filtered(one), _filtered(other)
    same = _alike(source, others, {})
    return same and all(any(_alike(x, y, {a: b}) for a, x in asked) for b, y in needed)


def _filtered(binder: r.Binder) -> tuple[r.Collection, list[tuple[r.Var, r.Expr]]]:
    """The collection of a binder without what filters it, and the conditions that do, each on a variable."""
    asked = [(binder.var, x) for x in conjuncts(binder.where)] if binder.where is not None else []
    match binder.collection:
        case r.Filtered(binder=inner):
            source, others = _filtered(inner)
            return source, [*asked, *others]
    return binder.collection, asked


def _alike(one: Any, other: Any, renamed: Mapping[r.Var, r.Var]) -> bool:
    """Whether two parts of rules are the same, wherever they stand, with other names for some variables."""
    if isinstance(one, r.Var) and isinstance(other, r.Var):
        return renamed.get(one, one) is other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(_alike(a, b, renamed) for a, b in zip(one, other, strict=True))
    if not is_dataclass(one) or type(one) is not type(other):
        return bool(one == other)
    names = [x.name for x in fields(one) if x.name != "span"]
    for name in names:
        bound, others = getattr(one, name), getattr(other, name)
        if isinstance(bound, r.Binder) and isinstance(others, r.Binder):
            renamed = {**renamed, bound.var: others.var}
    if isinstance(one, r.Binder) and isinstance(other, r.Binder):
        renamed = {**renamed, one.var: other.var}
    return all(_alike(getattr(one, name), getattr(other, name), renamed) for name in names)


def _is_never_empty(rules: r.Rules, binder: r.Binder) -> bool:
    """Whether there is always something to choose: all values of a type, whatever the number of seats."""
    match binder:
        case r.Binder(collection=r.OfType(decl=decl), where=None):
            return decl == "seat" or all(map(rules.types[decl].present, rules.seat_counts))
    return False


def _refuses(rules: r.Rules, line: r.Statement) -> bool:
    """Whether a line without a block can refuse by itself."""
    match line:
        case r.SetVar() | r.MovePiece() | r.MoveAll() | r.TurnDie() | r.Show() | r.ShowValue():
            return False
        case r.MoveCount(up_to=False) | r.MoveAlike(up_to=False):
            return True
        case r.MoveAlike() | r.SwapPieces():
            return False
        case r.Win() | r.EndGame() | r.WinTogether() | r.Lose() | r.Record() | r.ClearHistory():
            return False
        case r.Write(kind=kind, name=name):
            return kind == "counter" and rules.counters[name].at_edge == "refuse"
        case r.Transfer(verb=verb, counter=name):
            return verb == "pay" or (verb == "gain" and rules.counters[name].at_edge == "refuse")
        case r.MoveCount(source=source):
            return rules.zones[source.zone].order in ("shuffled", "bag")
        case r.Shuffle(zone=zone):
            return rules.zones[zone.zone].order in ("pile", "stack", "row")
    return True
