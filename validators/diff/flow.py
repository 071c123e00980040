"""Comparison of phases: their steps and successors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dsl import rules as r
from dsl.source import Span
from validators.diff.forms import Reader
from validators.diff.kinds import Facet, WrittenKind, facet
from validators.diff.lines import DiffLine, expressed, one_line
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
        yield Facet("seat", Reader(side).read(decl.turn), _seat(decl.turn))
        lines = f": {', '.join(decl.counted)}" if decl.counted is not None else ""
        yield facet("score", f"{decl.scores or ''}{lines}")

    def lines(self, side: VersionView, decl: r.Phase) -> Iterator[DiffLine]:
        for step in decl.steps:
            yield from _step(side, step, 0)
        for case in decl.then:
            to, condition = case.to, case.condition
            asked = ("then", condition, apart(side.names, "phase", to))
            text = f"then {to}" if condition is None else f"then {to} if {one_line(condition.span)}"
            yield expressed(side, asked, text, decl.span)


def _seat(turn: r.Turn | None) -> str:
    """Whose turn it is, as it is written."""
    if turn is None:
        return ""
    return "rotates" if turn.is_plain else one_line(turn.span)


def _step(side: VersionView, step: r.FlowStep, depth: int) -> Iterator[DiffLine]:
    match step:
        case r.CallStep():
            yield _line(("do", _named(side, step.routine)), step.routine, step.span, depth)
        case r.OfferStep():
            yield _line(_offer(side, step), _offered(step), step.span, depth, step.clauses)
            yield from _unless(side, step, depth)
        case r.SeatsStep():
            round_ = ("each", step.start, step.candidate, step.keys, step.where)
            yield expressed(side, round_, one_line(step.span), step.span, step.clauses, depth)
            for inner in step.steps:
                yield from _step(side, inner, depth + 1)
        case r.IfStep():
            text = f"if {one_line(step.condition.span)}"
            yield expressed(side, ("if", step.condition), text, step.span, step.clauses, depth)
            for inner in step.steps:
                yield from _step(side, inner, depth + 1)
            yield from _otherwise(side, step.otherwise, step.span, depth)
        case _:
            assert_never(step)


def _unless(side: VersionView, step: r.OfferStep, depth: int) -> Iterator[DiffLine]:
    """What happens if nothing is done; to say of what must be done that nothing happens then is a change."""
    if step.otherwise is None or (step.strength != "must" and not step.otherwise):
        return
    yield _line(("otherwise",), "otherwise", step.span, depth)
    for inner in step.otherwise:
        yield from _step(side, inner, depth + 1)


def _otherwise(
    side: VersionView, steps: tuple[r.FlowStep, ...], span: Span, depth: int
) -> Iterator[DiffLine]:
    if steps:
        yield _line(("otherwise",), "otherwise", span, depth)
    for step in steps:
        yield from _step(side, step, depth + 1)


def _offer(side: VersionView, step: r.OfferStep) -> Form:
    """The form of an offer, with its name if it has one of its own."""
    called = step.name if step.name != step.routines[0] else None
    offered = tuple(_named(side, routine) for routine in step.routines)
    most = () if step.most is None else (Reader(side).read(step.most),)
    return (step.strength, offered, _named(side, step.option), called, *most)


def _named(side: VersionView, name: str | None) -> Form:
    return ("name", side.names.name(name)) if name is not None else None


def _offered(step: r.OfferStep) -> str:
    named = f" (named {step.name})" if step.name != step.routines[0] else ""
    option = f" with {step.option}" if step.option else ""
    most = f", at most {one_line(step.most.span)} times" if step.most is not None else ""
    return f"{STRENGTHS[step.strength]} {', '.join(step.routines)}{most}{option}{named}"


def _line(form: Form, text: str, span: Span, depth: int = 0, clauses: tuple[str, ...] = ()) -> DiffLine:
    return DiffLine(depth, form, (), text, span, clauses)
