"""The flow of a game as a diagram: its phases, the steps inside them, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, assert_never

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.drawing.diagram import Diagram, DiagramNode, Edge, Kind, NodeRow, first_line, one_line

START, END = "start", "the_end"
VERBS: dict[r.Strength, str] = {"must": "do one of", "may": "may do", "keep": "may keep doing"}


class Words(Protocol):
    """The texts of a diagram of phases."""

    def phase(self, phase: r.Phase) -> str: ...
    def step(self, phase: r.Phase, name: str, routine: str) -> str: ...
    def offer(self, phase: r.Phase, step: r.OfferStep) -> str: ...
    def turns(self, step: r.SeatsStep) -> str: ...
    def when(self, step: r.IfStep) -> str: ...
    def otherwise(self) -> str: ...
    def turn(self) -> str: ...
    def scoring(self, best: r.Best) -> str: ...
    def score(self, line: r.ScoreLine) -> str: ...
    def condition(self, condition: r.Expr | None) -> str: ...
    def ending(self, definition: r.Trigger | r.Routine) -> str: ...
    def last(self, line: r.Ending) -> str: ...
    def title(self) -> str: ...
    def start(self) -> str: ...
    def end(self) -> str: ...


class SourceWords:
    """The names of the ruleset, with their clauses."""

    def __init__(self, rules: r.Rules) -> None:
        self.rules = rules

    def phase(self, phase: r.Phase) -> str:
        return _cited(phase.name, phase.clauses)

    def step(self, phase: r.Phase, name: str, routine: str) -> str:
        return _cited(name, self.rules.routines[routine].clauses)

    def offer(self, phase: r.Phase, step: r.OfferStep) -> str:
        option = f" (option {step.option})" if step.option else ""
        name = f"{step.name}: " if step.name not in step.routines else ""
        return f"{name}{VERBS[step.strength]}{option}"

    def turns(self, step: r.SeatsStep) -> str:
        return one_line(step.span)

    def when(self, step: r.IfStep) -> str:
        return f"if {one_line(step.condition.span)}"

    def otherwise(self) -> str:
        return "otherwise"

    def turn(self) -> str:
        return "the next seat's turn"

    def scoring(self, best: r.Best) -> str:
        return f"score: {best}"

    def score(self, line: r.ScoreLine) -> str:
        name = line.name if line.kind == "score" else f"tie-break: {line.name}"
        return _cited(name, line.clauses)

    def condition(self, condition: r.Expr | None) -> str:
        return one_line(condition.span) if condition is not None else "otherwise"

    def ending(self, definition: r.Trigger | r.Routine) -> str:
        return first_line(definition.span)

    def last(self, line: r.Ending) -> str:
        return first_line(line.span)

    def title(self) -> str:
        return f"{self.rules.title}: phases"

    def start(self) -> str:
        return "start"

    def end(self) -> str:
        return "end"


def phase_diagram(rules: r.Rules, words: Words | None = None) -> Diagram:
    """A node for each phase, in declared order, between a start and, if a phase scores, an end.

    A phase that only scores, and that no other phase leads to, is left out.
    """
    said = words or SourceWords(rules)
    endings = list(_endings(rules, said))
    edges = [Edge(START, _id(next(iter(rules.phases))))]
    edges.extend(edge for phase in rules.phases.values() for edge in _edges(said, phase))
    edges.extend(edge for _, edge in endings)
    led_to = {edge.target for edge in edges}
    drawn = [p for p in rules.phases.values() if p.scores is None or _id(p.name) in led_to]
    edges.extend(Edge(_id(p.name), END) for p in drawn if p.scores is not None)
    phases = [_phase(rules, said, p) for p in drawn]
    start, end = DiagramNode(START, Kind.START, said.start()), DiagramNode(END, Kind.END, said.end())
    nodes = (start, *phases, *(node for node, _ in endings), end)
    return Diagram("phases", said.title(), nodes, tuple(edges))


def _id(phase: str) -> str:
    return f"phase_{phase}"


def _phase(rules: r.Rules, words: Words, phase: r.Phase) -> DiagramNode:
    rows = [row for step in phase.steps for row in _rows(words, phase, step, 0)]
    if phase.scores is not None:
        rows.append(NodeRow(words.scoring(phase.scores), kind=Kind.EFFECT))
        rows.extend(NodeRow(words.score(s), 1, part=True) for s in rules.scores)
    note = words.turn() if phase.rotates else ""
    return DiagramNode(
        _id(phase.name), Kind.PHASE, words.phase(phase), note=note, group=phase.name,
        place=phase.span.place, rows=tuple(rows),
    )  # fmt: skip


def _rows(words: Words, phase: r.Phase, step: r.FlowStep, depth: int) -> Iterator[NodeRow]:
    match step:
        case r.CallStep(name=name, routine=routine):
            yield NodeRow(words.step(phase, name, routine), depth)
        case r.OfferStep(routines=routines):
            yield NodeRow(words.offer(phase, step), depth, Kind.DECISION)
            for routine in routines:
                yield NodeRow(words.step(phase, routine, routine), depth + 1, part=True)
            yield from _otherwise(words, phase, step.otherwise or (), depth)
        case r.IfStep(steps=steps, otherwise=otherwise):
            yield NodeRow(words.when(step), depth)
            for inner in steps:
                yield from _rows(words, phase, inner, depth + 1)
            yield from _otherwise(words, phase, otherwise, depth)
        case r.SeatsStep(steps=steps):
            yield NodeRow(words.turns(step), depth, Kind.SEATS)
            for inner in steps:
                yield from _rows(words, phase, inner, depth + 1)
        case _:
            assert_never(step)


def _otherwise(words: Words, phase: r.Phase, steps: tuple[r.FlowStep, ...], depth: int) -> Iterator[NodeRow]:
    if steps:
        yield NodeRow(words.otherwise(), depth)
    for step in steps:
        yield from _rows(words, phase, step, depth + 1)


def _cited(name: str, clauses: tuple[str, ...]) -> str:
    return " ".join((name, *clauses))


def _edges(words: Words, phase: r.Phase) -> Iterator[Edge]:
    """An edge to each successor of a phase, with all conditions that lead there."""
    conditions: dict[str, list[str]] = {}
    for case in phase.then:
        conditions.setdefault(case.to, []).append(words.condition(case.condition))
    for to, texts in conditions.items():
        yield Edge(_id(phase.name), _id(to), "" if len(conditions) == 1 else " or ".join(texts))


def _endings(rules: r.Rules, words: Words) -> Iterator[tuple[DiagramNode, Edge]]:
    """Triggers and routines that end the game themselves, in whatever phase they run."""
    scoring = next((_id(p.name) for p in rules.phases.values() if p.scores is not None), END)
    definitions: list[r.Trigger | r.Routine] = [*rules.triggers, *rules.routines.values()]
    for number, definition in enumerate(definitions):
        last = next((line for line in walk(definition.block) if isinstance(line, r.Ending)), None)
        if last is not None:
            text, note, place = words.ending(definition), " ".join(definition.clauses), definition.span.place
            node = DiagramNode(f"ending_{number}", Kind.TRIGGER, text, note=note, place=place)
            yield node, Edge(node.id, scoring if isinstance(last, r.EndGame) else END, words.last(last))
