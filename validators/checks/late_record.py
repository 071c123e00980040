"""Histories that miss the position with which a match begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from validators.check import Check, CheckContext, Finding
from validators.flow.graph import Edge, Flow
from validators.flow.path_text import path_labels


@dataclass(frozen=True)
class LateRecord(Finding):
    """A history is recorded after each turn, but not before the first one.

    The position with which a match begins is then missing: when it comes again, `times` counts it one time
    too few, and a rule against repetition allows it once more. A match that begins from a position that was
    given has it recorded; what the set-up leads to is recorded by rules alone.

    Example:

        flow:
          set_up: {do: [line_up], then: turn}                  # nothing is recorded
          turn: {seat: rotates, do: [{do one of: [go]}, look_back], then: turn}

        procedure look_back
            record position

    Record at the end of the set-up, too, or at the beginning of each turn instead of at its end. Where the
    first position cannot come again, allow it, with that reason.
    """

    code = "V620"
    slug = "late-record"
    title = "`{about}` misses the position with which a match begins"
    label = "recorded here, after a choice that is made before, too"
    advice = "record it at the end of the set-up, too, or at the beginning of each turn"


def find(subject: CheckContext) -> Iterator[Finding]:
    told: set[str] = set()
    for flow in subject.flows:
        for number, history in enumerate(flow.machine.histories):
            if history.name not in told and (found := _late(flow, number)) is not None:
                told.add(history.name)
                at, path = found
                yield LateRecord(flow.span(at), history.name, tuple(path_labels(flow, path)))


def _late(flow: Flow, history: int) -> tuple[int, list[Edge]] | None:
    """A node that records, and the way to a choice that is made before it and after it, too; else none."""
    adding = {
        n
        for n in flow.reached
        if isinstance(node := flow.machine.nodes[n], ir.AddRecord) and node.history == history
    }
    if not adding:
        return None
    for number, edges in _unrecorded(flow, adding).items():
        if isinstance(flow.machine.nodes[number], ir.Decide | ir.Offer):
            after = adding & flow.backwards({number})
            if after:
                return min(after), edges
    return None


def _unrecorded(flow: Flow, adding: set[int]) -> dict[int, list[Edge]]:
    """A shortest way to each node to which play can come from the start before the history is recorded."""
    returning = _returning(flow, adding)
    found: dict[int, list[Edge]] = {flow.machine.start: []}
    for number in (queue := [flow.machine.start]):
        flow.tick()
        for edge in flow.edges[number] if number not in adding else ():
            inner = [] if edge.runs is None else [edge.runs[1]]
            passes = edge.runs is None or edge.runs[1] in returning
            for target in [*inner, *([edge.target] if passes else [])]:
                if target not in found:
                    found[target] = [*found[number], edge]
                    queue.append(target)
    return found


def _returning(flow: Flow, adding: set[int]) -> set[int]:
    """The nodes from which their routine may return and the history is not recorded."""
    found = {n for n in flow.reached if isinstance(flow.machine.nodes[n], ir.Return)}
    grown = True
    while grown:
        flow.tick()
        more = {
            n
            for n in flow.reached - found - adding
            for edge in flow.edges[n]
            if edge.target in found and (edge.runs is None or edge.runs[1] in found)
        }
        grown = bool(more)
        found |= more
    return found


CHECK = Check(LateRecord, find)
