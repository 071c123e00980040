"""Usage of routines, values and state variables: what can be played, and what is called where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from dsl import rules as r
from dsl.rules.names import REFERENCES, Reference
from dsl.rules.visit import walk
from rulewright.sentences.partial_eval import PartialEval
from rulewright.sentences.scratch import keeps_scratch

Blocks = Mapping[str, tuple[Any, ...]]
"""The binders and statements of each routine, partially evaluated."""


@dataclass(frozen=True)
class Usage:
    """Calls and offers of each routine and uses of each value, by name, in what can be played.

    `by_phase` has the routines that each phase reaches, in their order, without those that only cells name.
    `cells` are the routines that cells of tables name, `reached_by_cells` they and what they call. `played`
    are all that can be reached, `told` the counters, marks and pointers that these read, and those that they
    write as notes for the players. `recursive` routines call themselves, also through others; `idle` ones do
    nothing that is worth saying.
    """

    calls: Counter[str]
    offers: Counter[str]
    values: Counter[str]
    by_phase: Mapping[str, list[str]]
    cells: frozenset[str]
    reached_by_cells: frozenset[str]
    played: frozenset[str]
    told: frozenset[str]
    recursive: frozenset[str]
    idle: frozenset[str]

    def is_inlined(self, name: str) -> bool:
        """Whether a procedure is called once and does not call itself: it is described where it is called."""
        return self.calls[name] == 1 and name not in self.recursive

    def is_in_cell(self, name: str) -> bool:
        """Whether a routine is described in the cells of a table that name it."""
        return name in self.cells and not self.offers[name]


def kept_values(folding: PartialEval, used: Usage) -> dict[str, int]:
    """The counters and marks that only what cannot be played would write, with their value: a count of turns
    that nobody counts."""
    rules = folding.config.rules
    blocks = (_folded(folding, rules.routines[name]) for name in used.played)
    triggers = (folding.block(trigger.block) for trigger in rules.triggers)
    kept = _written((*rules.routines.values(), *rules.triggers)) - _written((*blocks, *triggers))
    kept -= {counter.bank for counter in rules.counters.values() if counter.bank is not None}
    starts = {name: set(rules.counters[name].start) for name in kept if name in rules.counters}
    fixed = {name: start.pop() for name, start in starts.items() if len(start) == 1}
    return fixed | {name: 0 for name in kept if name in rules.marks}


def _written(parts: tuple[Any, ...]) -> set[str]:
    """The counters, marks and pointers that rules write."""
    return {
        getattr(part, name)
        for part in walk(parts)
        for name, reference in REFERENCES[type(part)].items()
        if reference is Reference.WRITES
    }


def usage(folding: PartialEval, scratch: frozenset[str] = frozenset()) -> Usage:
    """The usage of a game; procedures that only keep state in `scratch` are idle."""
    rules = folding.config.rules
    blocks = {name: _folded(folding, routine) for name, routine in rules.routines.items()}
    cells = frozenset(name for name, _ in rules.cells)
    direct, graph = _call_graph(blocks, frozenset()), _call_graph(blocks, cells)
    begun = {phase.name: _begun(folding, phase) for phase in rules.phases.values()}
    reached = {phase: _reached(direct, names) for phase, names in begun.items()}
    triggers = [
        (t.condition and folding.expr(t.condition), t.zone, *folding.block(t.block)) for t in rules.triggers
    ]
    played = _reached(graph, (n for names in (*begun.values(), *map(_called, triggers)) for n in names))
    scores = tuple(folding.expr(line.value) for line in rules.scores)
    parts = (*(blocks[n] for n in blocks if n in played), *triggers, scores)
    flow = tuple(phase.steps for phase in rules.phases.values())
    values = _values(folding, parts)
    read = _read(folding, (*parts, *(_definition(folding, name) for name in values if name in rules.values)))
    told = read | _notes(rules, parts)
    return Usage(
        Counter(p.routine for p in walk((*parts, *flow)) if isinstance(p, r.CallLine | r.CallStep)),
        Counter(p.routine for p in walk(parts) if isinstance(p, r.DoRoutine)),
        values,
        {phase: [name for name in blocks if name in names] for phase, names in reached.items()},
        cells,
        _reached(graph, cells),
        played,
        told,
        frozenset(n for n in graph if n in _reached(graph, graph[n])),
        _idle(rules, blocks, told, scratch),
    )


def is_on(folding: PartialEval, step: r.OfferStep) -> bool:
    """Whether the option that a step depends on is on."""
    return step.option is None or bool(folding.config.value(step.option))


def _folded(folding: PartialEval, routine: r.Routine) -> tuple[Any, ...]:
    binders = tuple(folding.tree(p.binder) for p in routine.parameters if p.binder is not None)
    return (*binders, *folding.block(routine.block))


def _definition(folding: PartialEval, value: str) -> tuple[Any, ...]:
    definition = folding.config.rules.values[value]
    inner = folding.within(definition)
    return tuple(inner.tree(part) for part in definition.parts)


# ---- routines


def _call_graph(blocks: Blocks, cells: frozenset[str]) -> nx.DiGraph[str]:
    """An edge to each routine that a routine calls or offers; what runs a cell leads to all of `cells`."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(blocks)
    for name, block in blocks.items():
        runs_cells = any(isinstance(part, r.DoCell) for part in walk(block))
        graph.add_edges_from((name, called) for called in (*_called(block), *(cells if runs_cells else ())))
    return graph


def _called(tree: tuple[Any, ...]) -> list[str]:
    return [p.routine for p in walk(tree) if isinstance(p, r.CallLine | r.DoRoutine)]


def _reached(graph: nx.DiGraph[str], begun: Iterable[str]) -> frozenset[str]:
    starts = frozenset(begun)
    return starts.union(*(nx.descendants(graph, name) for name in starts))


def _begun(folding: PartialEval, phase: r.Phase) -> list[str]:
    """The routines that the steps of a phase call or offer."""
    routines = folding.config.rules.routines
    begun: list[str] = []
    for step in walk(phase.steps):
        match step:
            case r.CallStep(routine=name):
                begun.append(name)
            case r.OfferStep(routines=names) if is_on(folding, step):
                begun += [name for name in names if not folding.is_closed(routines[name])]
    return begun


def _idle(rules: r.Rules, blocks: Blocks, read: frozenset[str], scratch: frozenset[str]) -> frozenset[str]:
    """Procedures that only write what nothing reads, or call others of them: the least fixpoint."""
    procedures = [name for name, routine in rules.routines.items() if routine.kind == "procedure"]
    keeping = (n for n in procedures if all(keeps_scratch(line, scratch, rules) for line in blocks[n]))
    idle = frozenset(keeping) if scratch else frozenset()
    while True:
        more = idle | {n for n in procedures if all(is_idle(line, read, idle) for line in blocks[n])}
        if more == idle:
            return idle
        idle = more


def is_idle(line: Any, read: frozenset[str], idle: frozenset[str]) -> bool:
    """Whether a statement only writes what nothing reads, or calls an idle procedure."""
    match line:
        case r.Write(name=name):
            return name not in read
        case r.CallLine(routine=name):
            return name in idle
    return False


# ---- values and state variables


def _notes(rules: r.Rules, parts: tuple[Any, ...]) -> frozenset[str]:
    """What is written for the players alone: no rule reads it, with whatever options."""
    trees = (*rules.routines.values(), *rules.values.values(), *rules.triggers, *rules.scores)
    trees = (*trees, *rules.phases.values(), *rules.invariants, *rules.collections.values())
    read = {part.name for part in walk(trees) if isinstance(part, r.ReadStateVar)}
    written = {part.name for part in walk(parts) if isinstance(part, r.Write)}
    return frozenset(name for name in written - read if rules.labels.get(name) != "")


def _values(folding: PartialEval, parts: tuple[Any, ...]) -> Counter[str]:
    """How often each value is used: by what is played, by the flow, and by other values that are used."""
    rules = folding.config.rules
    uses = Counter(p.value for p in walk(parts) if isinstance(p, r.UseValue | r.UseCollection))
    uses.update(p.value for p in _conditions(rules) if isinstance(p, r.UseValue | r.UseCollection))
    waiting = list(uses)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            inside = walk(_definition(folding, name)) if name in rules.values else ()
            used = [p.value for p in inside if isinstance(p, r.UseValue | r.UseCollection)]
            uses.update(used)
            waiting += used
    return uses


def _read(folding: PartialEval, parts: tuple[Any, ...]) -> frozenset[str]:
    """What rules read, and what players are shown although no rule reads it: it is theirs to read."""
    rules = folding.config.rules
    declared = (*rules.counters, *rules.marks, *rules.pointers)
    names = frozenset(name for name in declared if rules.labels.get(name) != "")
    names |= {p.name for p in walk(parts) if isinstance(p, r.ReadStateVar)}
    return names | {p.name for p in _conditions(folding.config.rules) if isinstance(p, r.ReadStateVar)}


def _conditions(rules: r.Rules) -> Iterator[Any]:
    """The expressions of the flow, with all of their parts."""
    return walk(tuple(rules.phases.values()))
