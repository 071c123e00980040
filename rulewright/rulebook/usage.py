"""How often each routine is called, so that what is called once can be told where it is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.rulebook.partial_eval import PartialEval


@dataclass(frozen=True)
class Usage:
    """Calls and offers of each routine by name, as far as the setting lets anybody come to them.

    `cells` are the routines that cells of tables name; `played` are all that can be come to, and `read` the
    counters, marks and pointers that anything there asks about. What is `idle` does nothing that is told.
    """

    calls: Counter[str] = field(default_factory=Counter)
    offers: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    by_flow: frozenset[str] = frozenset()
    cells: frozenset[str] = frozenset()
    played: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    looping: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    reached_by_cells: frozenset[str] = frozenset()

    def reach(self, folding: PartialEval, phase: r.Phase) -> list[str]:
        """The routines that the steps of a phase come to, without those that cells name."""
        begun = [name for step in phase.steps for name in _named(folding, step)]
        rules = folding.config.rules
        blocks = {name: _folded(folding, routine) for name, routine in rules.routines.items()}
        found = _reached(begun, blocks, frozenset())
        return [name for name in rules.routines if name in found]

    def is_told_in_place(self, name: str) -> bool:
        """Whether a procedure is called at one place only, and not by itself."""
        return self.calls[name] == 1 and name not in self.looping


def usage(folding: PartialEval) -> Usage:
    rules = folding.config.rules
    blocks = {name: _folded(folding, routine) for name, routine in rules.routines.items()}
    by_flow = dict.fromkeys(n for p in rules.phases.values() for s in p.steps for n in _named(folding, s))
    cells = frozenset(name for name, _ in rules.cells)
    begun = [*by_flow, *(name for t in rules.triggers for name in _routines(folding.block(t.block)))]
    played = _reached(begun, blocks, cells)
    parts = [blocks[name] for name in rules.routines if name in played]
    parts += [
        (t.condition and folding.expr(t.condition), t.zone, *folding.block(t.block)) for t in rules.triggers
    ]
    parts += [tuple(folding.expr(line.value) for line in rules.scores)]
    values = _values(folding, parts)
    asked = (
        *parts,
        *((folding.tree(rules.values[n].cases), folding.tree(rules.values[n].modifiers)) for n in values),
    )
    looping = frozenset(name for name in blocks if name in _reached(_routines(blocks[name]), blocks, cells))
    calls = Counter(p.routine for p in walk(tuple(parts)) if isinstance(p, r.CallLine))
    calls.update(n for p in rules.phases.values() for s in p.steps for n in _called(s))
    offers = Counter(p.routine for p in walk(tuple(parts)) if isinstance(p, r.DoRoutine))
    read = frozenset(p.name for p in walk(asked) if isinstance(p, r.ReadStateVar)) | _in_flow(rules)
    idle = _idle(rules, blocks, read)
    by_cells = _reached(list(cells), blocks, cells)
    return Usage(calls, offers, values, frozenset(by_flow), cells, played, read, looping, idle, by_cells)


def _idle(rules: r.Rules, blocks: dict[str, tuple[Any, ...]], read: frozenset[str]) -> frozenset[str]:
    """Procedures in which nothing is left but what nobody asks about."""
    procedures = [name for name, routine in rules.routines.items() if routine.kind == "procedure"]
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(n for n in procedures if all(_is_idle(line, read, found) for line in blocks[n]))
        if more == found:
            return found
        found = more


def _is_idle(line: Any, read: frozenset[str], idle: frozenset[str]) -> bool:
    match line:
        case r.Write(name=name):
            return name not in read
        case r.CallLine(routine=name):
            return name in idle
    return False


def _values(folding: PartialEval, parts: list[tuple[Any, ...]]) -> Counter[str]:
    """How often each value is used, by what is played, by the flow, and by other values that are used."""
    rules = folding.config.rules
    found = Counter(p.value for p in walk(tuple(parts)) if isinstance(p, r.UseValue))
    found.update(n for n in _in_flow(rules) if n in rules.values)
    todo = list(found)
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            value = rules.values[name]
            inner = walk((folding.tree(value.cases), folding.tree(value.modifiers)))
            used = [p.value for p in inner if isinstance(p, r.UseValue)]
            found.update(used)
            todo += used
    return found


def _in_flow(rules: r.Rules) -> frozenset[str]:
    return frozenset(name for p in rules.phases.values() for name, _ in p.then if name is not None)


def _folded(folding: PartialEval, routine: r.Routine) -> tuple[Any, ...]:
    binders = tuple(folding.tree(p.binder) for p in routine.parameters if p.binder is not None)
    return (*binders, *folding.block(routine.block))


def _reached(begun: list[str], blocks: dict[str, tuple[Any, ...]], cells: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    todo = list(begun)
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        todo += _routines(blocks[name])
        if any(isinstance(part, r.DoCell) for part in walk(blocks[name])):
            todo += cells
    return frozenset(found)


def _routines(block: tuple[Any, ...]) -> list[str]:
    return [p.routine for p in walk(block) if isinstance(p, r.CallLine | r.DoRoutine)]


def _named(folding: PartialEval, step: r.FlowStep) -> Iterator[str]:
    match step:
        case r.CallStep(routine=name):
            yield name
        case r.OfferStep(routines=names):
            if is_on(folding, step):
                yield from (n for n in names if not folding.is_closed(folding.config.rules.routines[n]))
        case r.SeatsStep(steps=steps):
            for inner in steps:
                yield from _named(folding, inner)


def _called(step: r.FlowStep) -> Iterator[str]:
    match step:
        case r.CallStep(routine=name):
            yield name
        case r.SeatsStep(steps=steps):
            for inner in steps:
                yield from _called(inner)
        case r.OfferStep():
            pass


def is_on(folding: PartialEval, step: r.OfferStep) -> bool:
    """Whether the option that a step wants is on."""
    return step.option is None or bool(folding.config.value(step.option))
