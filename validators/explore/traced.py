"""Instrumentation of a machine: its state records which phases were entered and which ends reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dsl.source import Span
from interpreter import ir
from validators.flow.graph import Flow


@dataclass(frozen=True)
class Mark:
    """Something that a run may reach: a phase, or a place where the game ends."""

    kind: str
    name: str
    span: Span


@dataclass(frozen=True)
class TracedMachine:
    """The machine with a word after its state for each mark, and promises that no piece is lost."""

    machine: ir.Machine
    marks: tuple[Mark, ...]


def traced(mc: ir.Machine) -> TracedMachine:
    """Inserts before each node that enters a phase or ends the game one that writes its word."""
    marks: list[Mark] = []
    nodes = list(mc.nodes)
    for number in sorted(Flow(mc).reached):
        node = mc.nodes[number]
        mark = _mark(mc, node)
        if mark is None:
            continue
        if mark not in marks:
            marks.append(mark)
        word = mc.size + marks.index(mark)
        nodes[number] = ir.SetHead(span=node.span, word=word, value=ir.Const(1), next=len(nodes))
        nodes.append(node)
    invariants = (*mc.invariants, *_conserved(mc))
    made = replace(mc, nodes=tuple(nodes), size=mc.size + len(marks), invariants=invariants)
    return TracedMachine(made, tuple(marks))


def _conserved(mc: ir.Machine) -> Iterator[ir.InvariantCode]:
    """For each component the promise that the number of its pieces is constant."""
    span = mc.nodes[0].span
    for component, total in mc.totals.items():
        lying = [
            _pieces_at(mc, place, component)
            for place in mc.places
            if mc.place_components[place.zone] == component
        ]
        if lying:
            yield ir.InvariantCode(ir.Op("==", _sum(lying), ir.Const(total)), span, ())


def _pieces_at(mc: ir.Machine, place: ir.Place, component: str) -> ir.Expr:
    """The number of pieces on a place."""
    match place.kind:
        case ir.SLOT:
            return ir.Op("!=", ir.Head(place.base), ir.Const(0))
        case ir.COUNTS:
            return _sum([ir.Head(place.base + i) for i in range(mc.component_classes[component])])
        case _:
            return ir.Head(place.base)


def _sum(parts: Sequence[ir.Expr]) -> ir.Expr:
    """A sum as a balanced tree."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return ir.Op("+", _sum(parts[:half]), _sum(parts[half:]))


def _mark(mc: ir.Machine, node: ir.Step) -> Mark | None:
    match node:
        case ir.EnterPhase(phase=phase):
            return Mark("phase", mc.phases[phase], node.span)
        case ir.Win() | ir.End() | ir.Finish():
            return Mark("end", " ".join(node.span.text.split()), node.span)
    return None
