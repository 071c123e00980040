"""By which clauses of the rulebook a match ends, for each node that can end it."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.rules.visit import walk
from interpreter import ir

Clauses = tuple[str, ...]


def clauses_of_ends(rules: r.Rules, machine: ir.Machine) -> dict[int, Clauses]:
    """By node the clauses of what ends the match there; left out is an end that no clause says.

    They are those of the statement, of one around it, or of the definition that it stands in. Of a phase that
    scores they are those of the values by which play comes to it, if there is one way only.
    """
    stated = {line.span: clauses for line, clauses in _statements(rules)}
    phases = {phase.span: _ways(rules, phase) for phase in rules.phases.values() if phase.scores is not None}
    found = {
        number: stated.get(node.span) or phases.get(node.span, ())
        for number, node in enumerate(machine.nodes)
        if isinstance(node, ir.Win | ir.End | ir.Finish)
    }
    return {number: clauses for number, clauses in found.items() if clauses}


def _statements(rules: r.Rules) -> Iterator[tuple[r.Ending, Clauses]]:
    """The statements that end the game, each with the clauses nearest around it."""
    definitions: list[r.Trigger | r.Routine] = [*rules.triggers, *rules.routines.values()]
    for definition in definitions:
        lines = [part for part in walk(definition.block) if isinstance(part, r.Line)]
        for ending in (line for line in lines if isinstance(line, r.Ending)):
            around = [line.clauses for line in lines if any(part is ending for part in walk(line))]
            yield ending, next((marks for marks in reversed(around) if marks), definition.clauses)


def _ways(rules: r.Rules, phase: r.Phase) -> Clauses:
    """The clauses of the values by which play comes to a phase; none if there are several ways."""
    cases = [case for other in rules.phases.values() for case in other.then if case.to == phase.name]
    used = [part.value for case in cases for part in walk(case.condition) if isinstance(part, r.UseValue)]
    return rules.values[used[0]].clauses if len(cases) == len(used) == 1 else ()
