"""Another sign: minus for plus, plus for times, the remainder for the quotient."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, between, bracketed, found
from validators.mutate.sites import MutationSite, Written

OTHER = {"+": "-", "-": "+", "*": "+", "div": "mod", "mod": "div", "+=": "-=", "-=": "+="}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Arithmetic(op=op, left=left, right=right, span=span)):
            place = found(r"\+|-|\*|div|mod", between(left.span, right.span, span))
            if place is not None:
                yield TextEdit(place, OTHER[op])
        case Written(node=s.Assign(op=op, target=target, value=value, span=span)) if op in OTHER:
            place = found(r"[+-]=", between(target.span, value.span, span))
            if place is not None:
                yield TextEdit(place, OTHER[op])
        case Written(node=s.Negative(operand=operand, span=span)):
            yield TextEdit(span, bracketed(operand.span, span).text)


OPERATOR = Operator("wrong-arithmetic", mutate)
