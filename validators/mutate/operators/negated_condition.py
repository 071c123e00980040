"""A condition is turned round: `not` is forgotten or put in. Comparisons have an operator of their own."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator, bracketed
from validators.mutate.sites import MutationSite, Written

OTHER = {"true": "false", "false": "true"}


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Not(operand=operand, span=span)):
            yield TextEdit(span, bracketed(operand.span, span).text)
        case Written(node=s.Constant(value=value, span=span)) if value in OTHER:
            yield TextEdit(span, OTHER[value])
        case Written(node=node, parent=parent, role=role) if _asks(parent, role):
            if isinstance(node, s.Name | s.Call | s.Attribute | s.Address | s.Quantifier | s.Fold | s.Can):
                yield TextEdit(node.span, f"not {node.span.text}")


def _asks(parent: s.Syntax | None, role: str) -> bool:
    """Whether a condition stands there."""
    return role in ("condition", "where") or isinstance(parent, s.Logic)


OPERATOR = Operator("negated-condition", mutate)
