"""Comparison of phases: their steps and successors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dsl import rules as r
from dsl.source import Span
from validators.diff.kinds import Facet, WrittenKind, facet
from validators.diff.lines import DiffLine
from validators.diff.names import Form, apart
from validators.diff.version_view import VersionView

STRENGTHS = {"must": "do one of", "may": "may do", "keep": "may keep doing"}


class Phases(WrittenKind[r.Phase]):
    section = "flow"
    word = "phase"

    def found(self, rules: r.Rules) -> dict[str, r.Phase]:
        return {f"phase:{name}": phase for name, phase in rules.phases.items()}

    def name(self, key: str, decl: r.Phase) -> str:
        return decl.name

    def facets(self, side: VersionView, decl: r.Phase) -> Iterator[Facet]:
        first = next(iter(side.rules.phases)) == decl.name
        yield facet("begins", "the match" if first else "")
        yield facet("seat", "rotates" if decl.rotates else "")
        yield facet("score", decl.scores or "")

    def lines(self, side: VersionView, decl: r.Phase) -> Iterator[DiffLine]:
        for step in decl.steps:
            yield from _step(side, step, 0)
        for condition, to in decl.then:
            form = ("then", _named(side, condition), apart(side.names, "phase", to))
            text = f"then {to}" if condition is None else f"then {to} if {condition}"
            yield _line(form, text, decl.span)


def _step(side: VersionView, step: r.FlowStep, depth: int) -> Iterator[DiffLine]:
    match step:
        case r.CallStep():
            yield _line(("do", _named(side, step.routine)), step.routine, step.span, depth)
        case r.OfferStep():
            yield _line(_offer(side, step), _offered(step), step.span, depth, step.clauses)
        case r.SeatsStep():
            by = f" by {step.by}" if step.by else ""
            form = ("each", _named(side, step.by))
            yield _line(form, f"each seat in turn{by}", step.span, depth, step.clauses)
            for inner in step.steps:
                yield from _step(side, inner, depth + 1)
        case _:
            assert_never(step)


def _offer(side: VersionView, step: r.OfferStep) -> Form:
    """The form of an offer, with its name if it has one of its own."""
    called = step.name if step.name != step.routines[0] else None
    offered = tuple(_named(side, routine) for routine in step.routines)
    return (step.strength, offered, _named(side, step.option), called)


def _named(side: VersionView, name: str | None) -> Form:
    return ("name", side.names.name(name)) if name is not None else None


def _offered(step: r.OfferStep) -> str:
    named = f" (named {step.name})" if step.name != step.routines[0] else ""
    option = f" with {step.option}" if step.option else ""
    return f"{STRENGTHS[step.strength]} {', '.join(step.routines)}{option}{named}"


def _line(form: Form, text: str, span: Span, depth: int = 0, clauses: tuple[str, ...] = ()) -> DiffLine:
    return DiffLine(depth, form, (), text, span, clauses)
