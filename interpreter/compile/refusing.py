"""Analysis of which lines can refuse the action that they are part of.

An action is tried up to its first stop. The lines after a choice come after a stop; a trial continues only
where there was nothing to choose, through `else`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from dsl import rules as r
from dsl.cycles import post_order


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


def _refusals(rules: r.Rules, block: r.Block) -> Iterator[str | None]:
    """How the lines of a block can refuse: by themselves (none), or by the call of a routine."""
    for line in block:
        match line:
            case r.CallLine(routine=name):
                yield name
            case r.If(block=inner, otherwise=otherwise):
                yield from _refusals(rules, (*inner, *otherwise))
            case (
                r.For(block=inner)
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


def _is_never_empty(rules: r.Rules, binder: r.Binder) -> bool:
    """Whether there is always something to choose: all values of a type, whatever the number of seats."""
    match binder:
        case r.Binder(collection=r.OfType(decl=decl), where=None):
            return decl == "seat" or all(
                map(rules.types[decl].present, range(rules.seats[0], rules.seats[1] + 1))
            )
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
