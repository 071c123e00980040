"""Unreachable lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from dsl.rules import Rules
from dsl.source import Span
from interpreter import ir
from validators.check import Check, CheckContext, Finding
from validators.checks.constant_condition import lines_behind
from validators.flow.graph import Edge, Flow
from validators.flow.intervals import Intervals

QUIET = (
    ir.Return
    | ir.Commit
    | ir.ClearLocals
    | ir.Precondition
    | ir.Decide
    | ir.SetLocal
    | ir.Sample
    | ir.CheckTrigger
)
"""Nodes that may occur several times for one line; it is enough to reach one of them."""


@dataclass(frozen=True)
class UnreachableLine(Finding):
    """A line is unreachable, with any number of seats and any option.

    The line is in a routine that nothing calls or offers, after `end the game` or a win, after a loop that is
    never left, or in a branch whose condition is constant with every setting.

    Example:

        procedure finish
            A wins
            gain 3 points          # the game is over by now

    Move the line to where it is needed, or remove it. A line for a future option belongs in the change that
    adds the option.
    """

    code = "V302"
    slug = "unreachable-line"
    title = "unreachable line in `{about}`"
    label = "never executed"
    advice = "look at the lines before it, and at the callers of `{about}`"


def find(subject: CheckContext) -> Iterator[Finding]:
    seen: set[Span] = set()
    missed: dict[Span, str] = {}
    for flow in subject.flows:
        skipped = _after_unreachable_phases(flow)
        reached = _reached(flow)
        for number, node in enumerate(flow.machine.nodes):
            if number in reached:
                seen.add(node.span)
            elif not isinstance(node, QUIET) and number not in skipped:
                missed.setdefault(node.span, _routine_of(subject.rules, node.span))
    reported = {phase.span for phase in subject.rules.phases.values()} | lines_behind(subject)
    for span, name in missed.items():
        if span not in seen | reported and not _within(span, seen):
            yield UnreachableLine(span, name)


def _reached(flow: Flow) -> set[int]:
    """The nodes that play reaches, and those of what `can` tries there."""
    keeps, found = partial(_open, Intervals(flow)), set[int]()
    starts = {flow.machine.start}
    while starts:
        found |= flow.search(keeps, starts).keys()
        starts = {entry for number in found for entry in flow.tried(number)} - found
    return found


def _after_unreachable_phases(flow: Flow) -> frozenset[int]:
    """The nodes after a phase that is never entered, which another check reports."""
    nodes = enumerate(flow.machine.nodes)
    todo = [i for i, n in nodes if isinstance(n, ir.EnterPhase) and i not in flow.reached]
    found = set(todo)
    while todo:
        for edge in flow.edges[todo.pop()]:
            if edge.target not in flow.reached and edge.target not in found:
                found.add(edge.target)
                todo.append(edge.target)
    return frozenset(found)


def _open(intervals: Intervals, edge: Edge) -> bool:
    """Whether an edge may be taken, by the intervals of the numbers in its condition."""
    node = intervals.machine.nodes[edge.source]
    if not isinstance(node, ir.Branch):
        return True
    return intervals.truth(node.condition, edge.source) is not (edge.kind == "otherwise")


def _routine_of(rules: Rules, span: Span) -> str:
    """The name of the routine that contains a line, or else of the game."""
    routines = [(x.span.start, name) for name, x in rules.routines.items() if x.span.source == span.source]
    others = [t.span.start for t in rules.triggers if t.span.source == span.source]
    before = [(start, name) for start, name in routines if start <= span.start]
    start, name = max(before, default=(0, rules.name))
    return rules.name if any(start < other <= span.start for other in others) else name


def _within(span: Span, seen: set[Span]) -> bool:
    """Whether something inside these lines is reached: then they are its header."""
    return any(s.source is span.source and span.start <= s.start and s.end <= span.end for s in seen)


CHECK = Check(UnreachableLine, find)
