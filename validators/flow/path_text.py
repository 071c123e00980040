"""Paths of a machine in words: labels for the edges that a reader wants to see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dsl.diagnostics import Label
from interpreter import ir
from validators.flow.graph import Edge, Flow

MOST = 8
"""The most labels of a path."""


def path_labels(flow: Flow, edges: Iterable[Edge]) -> tuple[Label, ...]:
    """The phases, decisions, random outcomes and conditions on a path; of a long path, its two ends."""
    found: list[Label] = []
    for edge in edges:
        text = _words(flow, edge)
        if text and (not found or found[-1] != Label(flow.span(edge.source), text)):
            found.append(Label(flow.span(edge.source), text))
    if len(found) > MOST:
        found = [*found[: MOST // 2], *found[-MOST // 2 :]]
    return tuple(found)


def _words(flow: Flow, edge: Edge) -> str:
    node = flow.machine.nodes[edge.source]
    match node:
        case ir.EnterPhase(phase=phase):
            return f"phase `{flow.machine.phases[phase]}` begins"
        case ir.Decide() | ir.Offer() if edge.kind == "declined":
            return "declined"
        case ir.Decide() if edge.kind == "nothing":
            return "nothing to choose"
        case ir.Offer():
            return f"`{edge.word}` is chosen"
        case ir.Decide():
            return f"`{node.name.rsplit('.', 1)[-1]}` is chosen"
        case ir.Chance():
            return "random outcome"
        case ir.Branch():
            return "the condition holds" if edge.kind == "then" else "the condition does not hold"
        case ir.Iterate():
            return "next iteration" if edge.kind == "again" else "the loop ends"
    return ""


def phase_or_routine(flow: Flow, number: int) -> str:
    """The name of the phase or routine of a node."""
    owner = flow.owner[number]
    if owner >= 0:
        return routine_name(flow, owner)
    node = flow.machine.nodes[number]
    if isinstance(node, ir.EnterPhase):
        return flow.machine.phases[node.phase]
    return _phase_before(flow, number)


def first_by_name(
    flows: Iterable[Flow], first: Callable[[Flow], int | None]
) -> Iterator[tuple[Flow, int, str]]:
    """The node that `first` returns for each machine, once for each phase or routine."""
    seen: set[str] = set()
    for flow in flows:
        number = first(flow)
        if number is None:
            continue
        name = phase_or_routine(flow, number)
        if name not in seen:
            seen.add(name)
            yield flow, number, name


def cycle_name(flow: Flow, edges: tuple[Edge, ...]) -> str:
    """The first phase by name that a cycle enters, or else the step or routine that it stays in."""
    nodes = [flow.machine.nodes[edge.source] for edge in edges]
    entered = sorted(flow.machine.phases[n.phase] for n in nodes if isinstance(n, ir.EnterPhase))
    if entered:
        return entered[0]
    steps = [n.name for n in nodes if isinstance(n, ir.Offer)]
    in_flow = flow.owner[edges[0].source] < 0
    return steps[0] if steps and in_flow else phase_or_routine(flow, edges[0].source)


def routine_name(flow: Flow, routine: int) -> str:
    """The name of a routine, or the line of one without a name."""
    code = flow.machine.routines[routine]
    if code.kind in ("action", "effect", "procedure"):
        return code.name
    return f"{code.kind} at line {code.span.line}"


def _phase_before(flow: Flow, number: int) -> str:
    """The last phase that a path to a node of the flow enters."""
    for edge in reversed(flow.path_to(number)):
        node = flow.machine.nodes[edge.source]
        if isinstance(node, ir.EnterPhase):
            return flow.machine.phases[node.phase]
    return flow.machine.phases[0]
