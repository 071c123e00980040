"""The flow of a game as a diagram: its phases, the steps inside them, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dsl import rules as r
from interpreter.compile.uses import walk
from rulewright.drawing.diagram import Diagram, Edge, Kind, Node, Row, first_line

START, END = "start", "the_end"
VERBS: dict[r.Strength, str] = {"must": "do one of", "may": "may do", "keep": "may keep doing"}


def phase_diagram(rules: r.Rules) -> Diagram:
    """One node per phase, in declared order, between a start and, where a phase scores, an end.

    A phase that only says how accounts are read, and to which nothing leads, is left out.
    """
    endings = list(_endings(rules))
    edges = [Edge(START, _id(next(iter(rules.phases))))]
    edges.extend(edge for phase in rules.phases.values() for edge in _edges(phase))
    edges.extend(edge for _, edge in endings)
    led_to = {edge.target for edge in edges}
    drawn = [p for p in rules.phases.values() if p.scores is None or _id(p.name) in led_to]
    edges.extend(Edge(_id(p.name), END) for p in drawn if p.scores is not None)
    phases = [_phase(rules, p) for p in drawn]
    start, end = Node(START, Kind.START, "start"), Node(END, Kind.END, "end")
    nodes = (start, *phases, *(node for node, _ in endings), end)
    return Diagram("phases", f"{rules.title}: phases", nodes, tuple(edges))


def _id(phase: str) -> str:
    return f"phase_{phase}"


def _phase(rules: r.Rules, phase: r.Phase) -> Node:
    rows = [row for step in phase.steps for row in _rows(rules, step, 0)]
    if phase.scores is not None:
        rows.append(Row(f"score: {phase.scores}", kind=Kind.EFFECT))
        rows.extend(_score(s) for s in rules.scores)
    note = "the next seat's turn" if phase.rotates else ""
    return Node(
        _id(phase.name), Kind.PHASE, _cited(phase.name, phase.clauses), note=note, group=phase.name,
        place=phase.span.place, rows=tuple(rows),
    )  # fmt: skip


def _rows(rules: r.Rules, step: r.FlowStep, depth: int) -> Iterator[Row]:
    match step:
        case r.CallStep(name=name, routine=routine):
            yield Row(_cited(name, rules.routines[routine].clauses), depth)
        case r.OfferStep():
            yield from _offer(rules, step, depth)
        case r.SeatsStep(steps=steps, by=by):
            yield Row(f"each seat in turn{f' by {by}' if by else ''}", depth, Kind.SEATS)
            for inner in steps:
                yield from _rows(rules, inner, depth + 1)
        case _:
            assert_never(step)


def _offer(rules: r.Rules, step: r.OfferStep, depth: int) -> Iterator[Row]:
    option = f" (option {step.option})" if step.option else ""
    name = f"{step.name}: " if step.name not in step.routines else ""
    yield Row(f"{name}{VERBS[step.strength]}{option}", depth, Kind.DECISION)
    for routine in step.routines:
        yield Row(_cited(routine, rules.routines[routine].clauses), depth + 1, part=True)


def _score(line: r.ScoreLine) -> Row:
    name = line.name if line.kind == "score" else f"tie-break: {line.name}"
    return Row(_cited(name, line.clauses), 1, part=True)


def _cited(name: str, clauses: tuple[str, ...]) -> str:
    return " ".join((name, *clauses))


def _edges(phase: r.Phase) -> Iterator[Edge]:
    """One edge to each phase that comes next, with all conditions that lead there."""
    ways: dict[str, list[str]] = {}
    for condition, to in phase.then:
        ways.setdefault(to, []).append(condition or "otherwise")
    for to, words in ways.items():
        yield Edge(_id(phase.name), _id(to), "" if len(ways) == 1 else " or ".join(words))


def _endings(rules: r.Rules) -> Iterator[tuple[Node, Edge]]:
    """Triggers and routines that end the game by themselves, in whatever phase they run."""
    scoring = next((_id(p.name) for p in rules.phases.values() if p.scores is not None), END)
    written: list[r.Trigger | r.Routine] = [*rules.triggers, *rules.routines.values()]
    for number, definition in enumerate(written):
        for line in walk(definition.block):
            if isinstance(line, r.EndGame | r.Win):
                text, ending = first_line(definition.span), first_line(line.span)
                note = " ".join(definition.clauses)
                node = Node(f"ending_{number}", Kind.TRIGGER, text, note=note, place=definition.span.place)
                yield node, Edge(node.id, END if isinstance(line, r.Win) else scoring, ending)
                break
