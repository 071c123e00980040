"""Rule sites: the declarations and lines of a game, which render clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from dsl import rules as r
from dsl.rules.visit import children
from dsl.source import Span

SiteKind = Literal["declaration", "line"]


@dataclass(frozen=True, slots=True, eq=False)
class RuleSite:
    """A declaration or a line. `marks` are its own clauses, `above` those of what contains it.

    `node` is what it means: a declaration, a definition or a statement.
    """

    kind: SiteKind
    name: str
    node: object
    span: Span
    marks: tuple[str, ...]
    above: tuple[str, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that it renders: its own, or else those of the nearest line or header around it."""
        return self.marks or self.above

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def place(self) -> str:
        """`file:line`."""
        return f"{self.span.source.name}:{self.line}"


def sites(rules: r.Rules) -> tuple[RuleSite, ...]:
    """All declarations and lines, in the order of the files."""
    found = [*_declarations(rules), *_definitions(rules)]
    files = {name: n for n, name in enumerate(dict.fromkeys(s.span.source.name for s in found))}
    return tuple(sorted(found, key=lambda s: (files[s.span.source.name], s.span.start)))


def rendering(found: tuple[RuleSite, ...]) -> dict[str, tuple[RuleSite, ...]]:
    """The sites of each cited clause."""
    by_clause: dict[str, list[RuleSite]] = {}
    for site in found:
        for mark in dict.fromkeys(site.clauses):
            by_clause.setdefault(mark, []).append(site)
    return {mark: tuple(kept) for mark, kept in by_clause.items()}


# ---- declarations


def _declarations(rules: r.Rules) -> Iterator[RuleSite]:
    game = rules.span.source
    plain: tuple[dict[str, Any], ...] = (
        rules.constants, rules.options, rules.types, rules.components, rules.tables)  # fmt: skip
    for section in plain:
        for decl in section.values():
            if decl.span.source is game:
                marks = decl.all_clauses if isinstance(decl, r.TypeDecl) else decl.clauses
                yield RuleSite("declaration", decl.name, decl, decl.span, marks)
    stores: tuple[dict[str, Any], ...] = (rules.zones, rules.counters, rules.marks, rules.pointers)
    for section in stores:
        for decl in section.values():
            yield RuleSite("declaration", decl.name, decl, decl.var.span, decl.var.clauses)
    for row in rules.rows:
        yield RuleSite("declaration", row.name, row, row.span, row.clauses)
    for phase in rules.phases.values():
        yield RuleSite("declaration", phase.name, phase, phase.span, phase.clauses)
        yield from _steps(phase)


def _steps(phase: r.Phase) -> Iterator[RuleSite]:
    """The steps that cite clauses; called procedures cite their own."""
    for step in phase.all_steps():
        if not isinstance(step, r.CallStep) and step.clauses:
            yield RuleSite("declaration", phase.name, step, step.span, step.clauses, phase.clauses)


# ---- definitions


def _definitions(rules: r.Rules) -> Iterator[RuleSite]:
    for routine in rules.routines.values():
        yield from _lines(routine, routine.name, ())
    for value in rules.values.values():
        yield from _lines(value, value.name, ())
    for group in (rules.triggers, rules.scores, rules.invariants, rules.goals):
        for one in group:
            yield from _lines(one, getattr(one, "name", ""), ())


def _lines(node: object, name: str, above: tuple[str, ...]) -> Iterator[RuleSite]:
    """A definition or statement and what it contains; each node with a field `clauses` is a line."""
    marks = getattr(node, "clauses", None)
    if marks is not None:
        yield RuleSite("line", name, node, _span(node), marks, above)
        above = marks or above
    for part in children(node) if not isinstance(node, r.Typed) else ():
        yield from _lines(part, name, above)


def _span(node: object) -> Span:
    span = getattr(node, "span")  # noqa: B009
    assert isinstance(span, Span)
    return span
