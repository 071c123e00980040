"""The findings of an exploration: errors with the shortest path to them, and what was not seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic
from dsl.rules import Rules
from interpreter import ir
from validators.explore import messages
from validators.explore.graph import LIVE, NOWHERE
from validators.explore.liveness import avoidance
from validators.explore.search import Found, Search
from validators.explore.traced import Mark
from validators.flow.graph import Flow


@dataclass(frozen=True)
class ExploreFinding:
    """A diagnostic, and the moves that lead to it, each by its number among those of its position.

    Without a path it is about all positions. `last` is the move that failed, at the end of the path.
    """

    diagnostic: Diagnostic
    path: tuple[int, ...] | None = None
    last: int | None = None


def findings(
    rules: Rules, mc: ir.Machine, search: Search, unseen: tuple[Mark, ...], whole: bool
) -> list[ExploreFinding]:
    """All certain findings. What was not seen is one only if the `whole` game was explored."""
    found = search.found
    graph = found.graph
    made = [
        ExploreFinding(b.diagnostic, None if b.position == NOWHERE else graph.path(b.position), b.move)
        for b in found.faults
    ]
    if whole and found.exhaustive and not found.faults:
        made += [ExploreFinding(diagnostic) for diagnostic in missing(rules, mc, found, unseen)]
    if found.exhaustive:
        made += [*_endless(rules, found), *_promised(mc, search)]
    return made


def missing(rules: Rules, mc: ir.Machine, found: Found, unseen: tuple[Mark, ...]) -> Iterator[Diagnostic]:
    """Phases, ends and actions that were not reached, and seats that have not won."""
    for mark in unseen:
        if mark.kind == "phase":
            yield messages.NeverEntered(mark.span, mark.name)
        else:
            yield messages.NeverEnds(mark.span, mark.name)
    for name in never_offered(mc, found.offered):
        yield messages.NeverOffered(rules.routines[name].span, name)
    mask = 0
    for winners in found.won:
        mask |= winners
    if mask and not found.blurred:
        names = rules.types["seat"].names
        for seat in range(mc.seats):
            if not mask >> seat & 1:
                yield messages.NeverWins(rules.span, names[seat])


def never_offered(mc: ir.Machine, offered: set[tuple[int, int]]) -> list[str]:
    """Actions in offers that were never offered."""
    stand, seen = set(), set()
    for number in Flow(mc).reached:
        node = mc.nodes[number]
        for part, what in enumerate(node.what if isinstance(node, ir.Offer) else ()):
            if isinstance(what, ir.DoRoutine) and mc.routines[what.routine].kind == "action":
                name = mc.routines[what.routine].name
                stand.add(name)
                if (number, part) in offered:
                    seen.add(name)
    return sorted(stand - seen)


def _promised(mc: ir.Machine, search: Search) -> Iterator[ExploreFinding]:
    """Ends without what `eventually` promises, and cycles on which it can be postponed for ever."""
    found = search.found
    for i, goal in enumerate(mc.goals if found.held else ()):
        text = " ".join(goal.span.text.split()).removeprefix("eventually ")
        left = avoidance(found.graph, found.held, i)
        end = left.end()
        if end is not None:
            yield ExploreFinding(messages.EndsWithout(goal.span, text), search.along(left.path(end)))
        again = left.comes_round()
        if again is not None:
            yield ExploreFinding(messages.PutOff(goal.span, text), search.along(left.path(again)))


def _endless(rules: Rules, found: Found) -> Iterator[ExploreFinding]:
    """The nearest position from which no end can be reached."""
    graph = found.graph
    ends = graph.can_end()
    lost = [i for i in range(len(graph)) if not ends[i] and graph.status[i] == LIVE]
    if lost:
        diagnostic = messages.NoEndAhead(rules.span, len(lost), len(graph))
        yield ExploreFinding(diagnostic, graph.path(lost[0]))
