"""`or` for `and`, `any` for `all`, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, between, found, led_by
from validators.mutate.sites import MutationSite, Written

OTHER = {"and": "or", "or": "and"}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Logic(op=op, left=left, right=right, span=span)):
            place = found(r"\b(and|or)\b", between(left.span, right.span, span))
            if place is not None:
                yield TextEdit(place, OTHER[op])
        case Written(node=s.Fold(kind="all", body=body, binder=binder, span=span)):
            joined = "and" if binder.where is not None else "where"
            yield TextEdit(span, f"any({binder.span.text} {joined} ({body.span.text}))")
        case Written(node=s.Quantifier(kind="any", binder=binder, span=span)) if binder.where is not None:
            condition = led_by("where", binder.where.span)
            if condition is not None:
                source = binder.span.text[: condition.start - binder.span.start].rstrip()
                yield TextEdit(span, f"all({binder.where.span.text} for {source})")


OPERATOR = Operator("wrong-logic", mutate)
