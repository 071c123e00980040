"""The phases of a game as a drawing, and which of them each line of the rules belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dsl import rules as r
from dsl.pieces import pieces
from dsl.source import Span
from rulewright.drawing.phases import phase_diagram
from rulewright.drawing.svg import svg
from rulewright.studio.rpc import Json


def drawn(rules: r.Rules) -> Json:
    """The drawing, whose nodes are groups with ids, and the nodes of the lines of each phase and routine."""
    spans = [_lines(phase.span, [node_of(name)]) for name, phase in rules.phases.items()]
    users = phases_of(rules)
    spans += [
        _lines(_definition(routine.span), [node_of(phase) for phase in users[name]])
        for name, routine in rules.routines.items()
        if users[name]
    ]
    return {"svg": svg(phase_diagram(rules), grouped=True), "spans": spans}


def node_of(phase: str) -> str:
    """The id of the node of a phase in the diagram."""
    return f"phase_{phase}"


def phases_of(rules: r.Rules) -> Mapping[str, list[str]]:
    """The phases in which each routine may be carried out: those that name it, or name one that names it."""
    named = {
        name: set(re.findall(r"\w+", _definition(routine.span).text)) & rules.routines.keys() - {name}
        for name, routine in rules.routines.items()
    }
    found: dict[str, list[str]] = {name: [] for name in rules.routines}
    for phase in rules.phases.values():
        for name in _reached(_steps(phase), named):
            found[name].append(phase.name)
    return found


def _definition(span: Span) -> Span:
    """The whole definition that begins with a header."""
    return next(
        (piece.span for piece in pieces(span.source) if piece.span.start <= span.start < piece.span.end), span
    )


def _steps(phase: r.Phase) -> set[str]:
    """The routines that the steps of a phase name."""
    found: set[str] = set()
    for step in phase.all_steps():
        if isinstance(step, r.CallStep):
            found.add(step.routine)
        elif isinstance(step, r.OfferStep):
            found.update(step.routines)
    return found


def _reached(first: Iterable[str], named: Mapping[str, set[str]]) -> set[str]:
    """Everything that is named by some routines, by those that they name, and so on."""
    found = set(first)
    left = list(found)
    while left:
        for name in named[left.pop()] - found:
            found.add(name)
            left.append(name)
    return found


def _lines(span: Span, nodes: list[str]) -> Json:
    return {"file": span.source.name, "first": span.line, "last": span.last_line, "nodes": nodes}
