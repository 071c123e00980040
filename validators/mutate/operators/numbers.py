"""Mutation operators on numbers: off by one, another calculation, extreme or fold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl import syntax as s
from dsl.document import Mapping, Scalar
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import between, bracketed, first_word, found, replaced
from validators.mutate.sites import Cell, Declared, MutationSite, Written

NUMBER = re.compile(r"-?(?<![0-9])[0-9]{1,12}(?![0-9])")
KEYS = {
    "range", "start", "count", "copies", "die", "line", "ring", "size", "rows", "values", "by_seats",
    "default",
}  # fmt: skip
"""The keys whose numbers are rules."""
OTHER_SIGN = {"+": "-", "-": "+", "*": "+", "div": "mod", "mod": "div", "+=": "-=", "-=": "+="}
OTHER_EXTREME = {"min": "max", "max": "min", "lowest": "highest", "highest": "lowest"}


def off_by_one(site: MutationSite) -> Iterator[TextEdit]:
    """A number is one too large or one too small: in rules, in declarations that cite a clause, in tables.

    What bounds a loop, a given parameter, or a counter that must never reach the end of its range is a
    promise, not a rule, and is not changed. How often something may be chosen or done at most is a rule.
    """
    match site:
        case Written(node=s.Number(value=value, span=span), parent=parent, role=role) if (
            role != "most" or isinstance(parent, s.Choose | s.Offer)
        ):
            yield from _beside(span, value, lowest=0)
        case Cell(node=Scalar(text=text, span=span)) if NUMBER.fullmatch(text):
            yield from _beside(span, int(text))
        case Declared(node=Scalar(span=span), keys=keys) if _is_rule(site, keys):
            for number in NUMBER.finditer(span.text):
                start, end = (span.start + at for at in number.span())
                yield from _beside(Span(span.source, start, end), int(number[0]))


def _beside(span: Span, value: int, lowest: int | None = None) -> Iterator[TextEdit]:
    yield TextEdit(span, str(value + 1))
    if value != lowest:
        yield TextEdit(span, str(value - 1))


def _is_rule(site: Declared, keys: tuple[str, ...]) -> bool:
    """Whether a value of a declaration is a number of the rules."""
    if keys[0] == "constants":
        return keys[-1] != "clause"
    if keys[0] == "flow":
        return keys[-1] == "at most"
    if "columns" in keys or not (site.clauses or keys[0] == "tables") or not KEYS & set(keys[2:]):
        return False
    if keys[0] in ("options", "rulings"):
        return keys[2] == "default"
    return keys[0] != "counters" or keys[2] != "range" or _has_edges(site)


def _has_edges(site: Declared) -> bool:
    """Whether a counter may reach the ends of its range without a fault."""
    edge = site.entry.get("at_edge") if isinstance(site.entry, Mapping) else None
    return isinstance(edge, Scalar) and edge.text != "error"


def wrong_arithmetic(site: MutationSite) -> Iterator[TextEdit]:
    """Another sign: minus for plus, plus for times, the remainder for the quotient."""
    match site:
        case Written(node=s.Arithmetic(op=op, left=left, right=right, span=span)):
            place = found(r"\+|-|\*|div|mod", between(left.span, right.span, span))
            yield from replaced(place, OTHER_SIGN[op])
        case Written(node=s.Assign(op=op, target=target, value=value, span=span)) if op in OTHER_SIGN:
            place = found(r"[+-]=", between(target.span, value.span, span))
            yield from replaced(place, OTHER_SIGN[op])
        case Written(node=s.Negative(operand=operand, span=span)):
            yield TextEdit(span, bracketed(operand.span, span).text)


def wrong_extreme(site: MutationSite) -> Iterator[TextEdit]:
    """The least for the greatest, and the other way round; also of the scores."""
    match site:
        case Written(
            node=s.Fold(kind=kind, span=span) | s.Extreme(kind=kind, span=span) | s.Pick(kind=kind, span=span)
        ) if kind in OTHER_EXTREME:
            yield TextEdit(first_word(span), OTHER_EXTREME[kind])
        case Written(node=s.Ranked(kind=kind, span=span)):
            yield from replaced(found(kind, span), OTHER_EXTREME[kind])
        case Declared(node=Scalar(text=text, span=span), keys=("flow", _, "score")) if text in OTHER_EXTREME:
            yield TextEdit(span, OTHER_EXTREME[text])


def wrong_fold(site: MutationSite) -> Iterator[TextEdit]:
    """`count` for `sum`, or for `distinct`."""
    match site:
        case Written(node=s.Fold(kind="sum" | "distinct", binder=binder, span=span)):
            yield TextEdit(span, f"count({binder.span.text})")
