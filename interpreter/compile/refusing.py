"""Which lines can refuse the action that they stand in: before its first stop, or by having no choice.

What follows a choice that somebody makes comes behind a stop; only where there was none does the trial go
on, through `else`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r


def failing(rules: r.Rules) -> frozenset[str]:
    """The routines whose calls can refuse: those that do so themselves, then whoever calls one of these.

    Each routine is looked at once, whoever calls it and however often.
    """
    callers: dict[str, list[str]] = {}
    waiting: list[str] = []
    for routine in rules.routines.values():
        for way in _ways(rules, routine.block):
            if way is None:
                waiting.append(routine.name)
            else:
                callers.setdefault(way, []).append(routine.name)
    found: set[str] = set()
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += callers.get(name, ())
    return frozenset(found)


def can_fail(rules: r.Rules, known: frozenset[str], line: r.Statement) -> bool:
    """Whether a line can refuse; `known` are the routines whose calls can."""
    return any(way is None or way in known for way in _ways(rules, (line,)))


def _ways(rules: r.Rules, block: r.Block) -> Iterator[str | None]:
    """How the lines of a block can refuse: by themselves (none), or by calling a routine."""
    for line in block:
        match line:
            case r.CallLine(routine=name):
                yield name
            case r.If(block=inner, otherwise=otherwise):
                yield from _ways(rules, (*inner, *otherwise))
            case r.For(block=inner) | r.Repeat(block=inner) | r.EachTurn(block=inner) | r.While(block=inner):
                yield from _ways(rules, inner)
            case r.Choose(strength=strength, if_any=if_any, otherwise=otherwise):
                yield from (None,) if strength == "must" and not if_any else _ways(rules, otherwise)
            case r.Offer(strength=strength, otherwise=otherwise):
                yield from (None,) if strength == "must" else _ways(rules, otherwise)
            case _:
                if _refuses(rules, line):
                    yield None


def _refuses(rules: r.Rules, line: r.Statement) -> bool:
    """Whether a line without a block can refuse by itself."""
    match line:
        case r.SetVar() | r.MovePiece() | r.MoveAll() | r.MoveAlike() | r.TurnDie() | r.Show():
            return False
        case r.Win() | r.EndGame():
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
