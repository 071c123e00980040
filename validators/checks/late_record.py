"""Histories that miss the position with which a match begins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.effects import writes
from validators.check import Check, CheckContext, Finding
from validators.flow.graph import Edge, Flow
from validators.flow.path_text import path_labels


@dataclass(frozen=True)
class LateRecord(Finding):
    """A history is recorded after each turn, but not before the first one.

    The position with which a match begins is then missing: when it comes again, `times` counts it one time
    too few, and a rule against repetition allows it once more. A match that begins from a position that was
    given has it recorded; what the set-up leads to is recorded by rules alone. A set-up that records and then
    changes what is recorded misses it, too.

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
            if history.name in told or history.scratch:
                continue
            if (found := _late(flow, number)) is not None:
                told.add(history.name)
                at, path = found
                yield LateRecord(flow.span(at), history.name, tuple(path_labels(flow, path)))


def _late(flow: Flow, history: int) -> tuple[int, list[Edge]] | None:
    """A node that records after a choice, and the way to that choice that leaves it unrecorded; else none.

    A choice to which later turns come unrecorded, too, is one at which the rules do not ask what was.
    """
    nodes = flow.machine.nodes
    adding = {
        n for n in flow.reached if isinstance(node := nodes[n], ir.AddRecord) and node.history == history
    }
    if not adding:
        return None
    parts = set(flow.machine.histories[history].parts)
    changing = {n for n in flow.reached if any(name in parts for name, _ in writes(flow.machine, nodes[n]))}
    once = {n for n in changing & _before_choices(flow) if not any(map(_is_choice, _nodes_to(flow, n)))}
    never = _unrecorded(flow, adding, set(), recorded=False)
    later = _unrecorded(flow, adding, changing - once, recorded=True)
    for number, edges in _unrecorded(flow, adding, once, recorded=False).items():
        if _is_choice(nodes[number]) and (number in never or number not in later):
            after = {a for a in adding & flow.backwards({number}) if number in flow.backwards({a})}
            if after:
                return min(after), edges
    return None


def _is_choice(node: ir.Step) -> bool:
    return isinstance(node, ir.Decide | ir.Offer)


def _before_choices(flow: Flow) -> set[int]:
    """The nodes to which play can come from the start before anybody chooses."""
    return set(flow.search(lambda edge: not _is_choice(flow.machine.nodes[edge.source])))


def _nodes_to(flow: Flow, number: int) -> Iterator[ir.Step]:
    """The nodes from which play can come to one."""
    return (flow.machine.nodes[n] for n in flow.backwards({number}) & flow.reached)


def _unrecorded(flow: Flow, adding: set[int], changing: set[int], *, recorded: bool) -> dict[int, list[Edge]]:
    """A shortest way to each node to which play can come with a position that is not recorded as it stands.

    `recorded` says whether the one at the start is. A routine is followed once for each of the two, and what
    calls it goes on with what it returns (Reps, Horwitz and Sagiv 1995: summaries of calls).
    """
    start: _Entry = (flow.machine.start, recorded)
    ways: dict[tuple[_Entry, int, bool], list[Edge]] = {}
    callers: dict[_Entry, list[tuple[_Entry, Edge, list[Edge]]]] = defaultdict(list)
    returned: dict[_Entry, set[bool]] = defaultdict(set)
    queue: list[tuple[_Entry, int, bool]] = []

    def reach(entry: _Entry, number: int, known: bool, way: list[Edge]) -> None:
        if (entry, number, known) not in ways:
            ways[entry, number, known] = way
            queue.append((entry, number, known))

    reach(start, *start, [])
    for entry, number, before in queue:
        flow.tick()
        way = ways[entry, number, before]
        known = number in adding or (before and number not in changing)
        if isinstance(flow.machine.nodes[number], ir.Return) and known not in returned[entry]:
            returned[entry].add(known)
            for caller, edge, there in callers[entry]:
                reach(caller, edge.target, known, [*there, edge])
        for edge in flow.edges[number]:
            if edge.runs is None:
                reach(entry, edge.target, known, [*way, edge])
            else:
                called = (edge.runs[1], known)
                callers[called].append((entry, edge, way))
                reach(called, *called, [*way, edge])
                for after in tuple(returned[called]):
                    reach(entry, edge.target, after, [*way, edge])
    found: dict[int, list[Edge]] = {}
    for (_, number, known), way in ways.items():
        if not known:
            found.setdefault(number, way)
    return found


_Entry = tuple[int, bool]
"""The first node of a routine, and whether the position is recorded there."""

CHECK = Check(LateRecord, find)
