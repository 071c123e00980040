"""Mutation operators on conditions: left out, negated, compared or combined in another way."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import after, between, bracketed, found, led_by, replaced
from validators.mutate.sites import MutationSite, Written

NEGATABLE = (s.Name, s.Call, s.Attribute, s.Address, s.Quantifier, s.Fold, s.Can)
NEGATED = {"true": "false", "false": "true"}
OTHER_LOGIC = {"and": "or", "or": "and"}
OTHER_COMPARISONS = {
    ">=": (">", "<"),
    ">": (">=", "<="),
    "<=": ("<", ">"),
    "<": ("<=", ">="),
    "is": ("is not",),
    "is not": ("is",),
}
"""The comparison that differs only for equal values, and the opposite."""


def dropped_needs(site: MutationSite) -> Iterator[TextEdit]:
    """`needs C` is missing."""
    match site:
        case Written(node=s.Needs(span=span)):
            yield TextEdit(span, "nothing")


def dropped_condition(site: MutationSite) -> Iterator[TextEdit]:
    """One side of `and` or `or` is missing, or a whole `where`, or the `while` of a modifier."""
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
            yield from replaced(led_by("where", condition.span), "")
        case Written(node=s.Modify(condition=condition)) if condition is not None:
            yield from replaced(led_by("while", condition.span), "")


def negated_condition(site: MutationSite) -> Iterator[TextEdit]:
    """A condition is negated, except for comparisons: `swapped_comparison` changes those."""
    match site:
        case Written(node=s.Not(operand=operand, span=span)):
            yield TextEdit(span, bracketed(operand.span, span).text)
        case Written(node=s.Constant(value=value, span=span)) if value in NEGATED:
            yield TextEdit(span, NEGATED[value])
        case Written(node=node, parent=parent, role=role) if isinstance(node, NEGATABLE):
            if role in ("condition", "where") or isinstance(parent, s.Logic):
                yield TextEdit(node.span, f"not {node.span.text}")


def swapped_comparison(site: MutationSite) -> Iterator[TextEdit]:
    """Another comparison: `>` for `>=`, `<` for `>=`, `is not` for `is`, and so on."""
    match site:
        case Written(node=s.Compare(op=op, left=left, right=right, span=span)):
            place = found(op.replace(" ", r"\s+"), between(left.span, right.span, span))
            yield from replaced(place, *OTHER_COMPARISONS[op])
        case Written(node=s.Member(item=item, collection=collection, negated=negated, span=span)):
            place = found(r"(not\s+)?in", between(item.span, collection.span, span))
            yield from replaced(place, "in" if negated else "not in")
        case Written(node=s.IsEmpty(operand=operand, negated=negated, span=span)):
            yield from _test_replaced(operand, span, "is empty" if negated else "is not empty")
        case Written(node=s.Exists(operand=operand, span=span)):
            yield from _test_replaced(operand, span, "is none")


def _test_replaced(operand: s.Expr, span: Span, new: str) -> Iterator[TextEdit]:
    """Another test after an operand."""
    return replaced(found(r"\S.*", after(operand.span, span)), new)


def wrong_logic(site: MutationSite) -> Iterator[TextEdit]:
    """`or` for `and`, `any` for `all`, and the other way round."""
    match site:
        case Written(node=s.Logic(op=op, left=left, right=right, span=span)):
            place = found(r"\b(and|or)\b", between(left.span, right.span, span))
            yield from replaced(place, OTHER_LOGIC[op])
        case Written(node=s.Fold(kind="all", body=body, binder=binder, span=span)):
            joined = "and" if binder.where is not None else "where"
            yield TextEdit(span, f"any({binder.span.text} {joined} ({body.span.text}))")
        case Written(node=s.Quantifier(kind="any", binder=binder, span=span)) if binder.where is not None:
            condition = led_by("where", binder.where.span)
            if condition is not None:
                source = binder.span.text[: condition.start - binder.span.start].rstrip()
                yield TextEdit(span, f"all({binder.where.span.text} for {source})")
