"""A part of a condition is forgotten, or all of a `where`, or the `while` of a modifier."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, bracketed, led_by
from validators.mutate.sites import MutationSite, Written


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Logic(left=left, right=right, span=span)):
            yield TextEdit(span, bracketed(right.span, span).text)
            yield TextEdit(span, bracketed(left.span, span).text)
        case Written(
            node=s.Binder(where=condition)
            | s.Parameter(where=condition)
            | s.Choose(where=condition)
            | s.EachTurn(where=condition)
        ) if condition is not None:
            yield from _without("where", condition)
        case Written(node=s.Modify(condition=condition)) if condition is not None:
            yield from _without("while", condition)


def _without(word: str, condition: s.Expr) -> Iterator[TextEdit]:
    whole = led_by(word, condition.span)
    if whole is not None:
        yield TextEdit(whole, "")


OPERATOR = Operator("dropped-condition", mutate)
