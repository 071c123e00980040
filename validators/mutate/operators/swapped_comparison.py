"""A comparison is another one: `>` for `>=`, `<` for `>=`, `is not` for `is`, and so on."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, between, bracketed, found
from validators.mutate.sites import MutationSite, Written

OTHERS = {
    ">=": (">", "<"),
    ">": (">=", "<="),
    "<=": ("<", ">"),
    "<": ("<=", ">="),
    "is": ("is not",),
    "is not": ("is",),
}
"""What stands instead: the same but for equals, and the opposite."""


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Compare(op=op, left=left, right=right, span=span)):
            place = found(op.replace(" ", r"\s+"), between(left.span, right.span, span))
            yield from (TextEdit(place, other) for other in OTHERS[op] if place is not None)
        case Written(node=s.Member(item=item, collection=collection, negated=negated, span=span)):
            place = found(r"(not\s+)?in", between(item.span, collection.span, span))
            if place is not None:
                yield TextEdit(place, "in" if negated else "not in")
        case Written(node=s.IsEmpty(operand=operand, negated=negated, span=span)):
            yield from _after(operand, span, "is empty" if negated else "is not empty")
        case Written(node=s.Exists(operand=operand, span=span)):
            yield from _after(operand, span, "is none")


def _after(operand: s.Expr, span: Span, new: str) -> Iterator[TextEdit]:
    rest = Span(span.source, bracketed(operand.span, span).end, span.end)
    place = found(r"\S.*", rest)
    if place is not None:
        yield TextEdit(place, new)


OPERATOR = Operator("swapped-comparison", mutate)
