"""What several seats may write at once, by way of procedures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter import ir
from interpreter.ir.effects import Access, place_access, writes
from validators.check import Check, CheckContext, Finding
from validators.flow.graph import Flow
from validators.flow.path_text import routine_name
from validators.flow.simultaneous import is_fork, others_turns, own_locals, simultaneous_routines, way_there
from validators.flow.updates import pieces_in


@dataclass(frozen=True)
class SharedThroughCalls(Finding):
    """Several seats may write shared state at once, in a routine that `together` calls.

    In `together` the seats act independently, in no defined order. If two of them may write the same thing,
    the outcome depends on who is faster. D055 checks the block itself; this checks everything that it calls.

    Example:

        procedure take_first
            gain 1 tokens of (first_seat)         # not of `me`

        procedure all_at_once
            each seat together
                take_first()

    Write to a place of `me`, do it after the block, or declare it with `shared: first come`.
    """

    code = "V334"
    slug = "shared-through-calls"
    severity = Severity.ERROR
    title = "`{about}` may be changed by several seats at once, in `{routine}`"
    label = "written inside `together`"
    advice = "read and write only what is `of me`, or declare it with `shared: first come`"

    routine: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    shared = subject.rules.shared
    for flow in subject.plain:
        calls = simultaneous_routines(flow)
        forks = {edge.runs[0] for edge, _ in calls.values() if edge.runs is not None and is_fork(flow, edge)}
        own = own_locals(flow, set(calls) - forks)
        turns = others_turns(flow, calls)
        for number, node in enumerate(flow.machine.nodes):
            routine = flow.owner[number]
            if routine not in calls or routine in forks:
                continue
            for name, terms in (*writes(flow.machine, node), *left(flow, number, node)):
                mine = number not in turns and is_own(flow, terms, routine, name, own)
                if name not in shared and not mine:
                    way = way_there(flow, calls, routine)
                    yield SharedThroughCalls(node.span, name, way, routine=routine_name(flow, routine))


# ---- what is written


def left(flow: Flow, number: int, node: ir.Step) -> Iterator[Access]:
    """The zones that pieces leave, as far as the routine says where they lie."""
    sources: Iterable[ir.Source] = ()
    match node:
        case ir.MoveAll(source=source):
            sources = (source,)
        case ir.MovePiece(piece=ir.PieceAt(place=place)):
            yield from place_access(flow.machine, place)
        case ir.MovePiece(piece=ir.Best(source=source)):
            sources = (source,)
        case ir.MovePiece(piece=ir.Local(slot=slot)):
            sources = _gone_through(flow, flow.owner[number], slot)
    for pieces in (p for source in sources for p in pieces_in(source)):
        zone = flow.machine.places[pieces.first].zone
        yield zone, tuple(axis.one for axis in (pieces.of, pieces.at) if axis.one is not None)


def _gone_through(flow: Flow, routine: int, slot: int) -> Iterator[ir.Source]:
    """The collections from which a routine's local has its values."""
    nodes = [node for i, node in enumerate(flow.machine.nodes) if flow.owner[i] == routine]
    kept = {node.slot: node.source for node in nodes if isinstance(node, ir.Snapshot)}
    for node in nodes:
        match node:
            case ir.Decide(slot=s, source=source) if s == slot:
                yield source
            case ir.Iterate(slot=s, snapshot=snapshot) if s == slot:
                yield kept[snapshot]


def is_own(
    flow: Flow, indices: tuple[ir.Expr, ...], routine: int, name: str, own: set[tuple[int, int]]
) -> bool:
    """Whether what is written belongs to the seat that acts."""
    return per_seat(flow, name) and any(
        isinstance(i, ir.Local) and (i.slot == ir.ME or (routine, i.slot) in own) for i in indices
    )


def per_seat(flow: Flow, name: str) -> bool:
    words = flow.machine.variables.get(name)
    if words is not None:
        return words.of == "seat"
    first, _ = flow.machine.zone_places[name]
    return flow.machine.places[first].of is not None


CHECK = Check(SharedThroughCalls, find)
