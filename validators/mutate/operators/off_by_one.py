"""A number is one too large or one too small: in rules, in declarations that cite a clause, in tables.

What bounds a loop, a parameter that is given, or a counter that must never come to its end is no rule but a
promise, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl import syntax as s
from dsl.document import Mapping, Scalar
from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import Cell, Declared, MutationSite, Written

NUMBER = re.compile(r"-?(?<![0-9])[0-9]{1,12}(?![0-9])")
KEYS = frozenset(
    {
        "range",
        "start",
        "count",
        "copies",
        "die",
        "line",
        "ring",
        "size",
        "rows",
        "values",
        "by_seats",
        "default",
    }
)
"""Keys under which numbers of the rules stand."""


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Number(value=value, span=span), role=role) if role != "most":
            yield TextEdit(span, str(value + 1))
            if value:
                yield TextEdit(span, str(value - 1))
        case Cell(node=Scalar(text=text, span=span)) if NUMBER.fullmatch(text):
            yield TextEdit(span, str(int(text) + 1))
            yield TextEdit(span, str(int(text) - 1))
        case Declared(node=Scalar() as node, keys=keys) if _is_rule(site, keys):
            for number in NUMBER.finditer(node.span.text):
                span = Span(
                    node.span.source, node.span.start + number.start(), node.span.start + number.end()
                )
                yield TextEdit(span, str(int(number[0]) + 1))
                yield TextEdit(span, str(int(number[0]) - 1))


def _is_rule(site: Declared, keys: tuple[str, ...]) -> bool:
    """Whether a value of a declaration is a number of the rules."""
    if keys[0] == "constants":
        return keys[-1] != "clause"
    if "columns" in keys or not (site.clauses or keys[0] == "tables") or not KEYS & set(keys[2:]):
        return False
    if keys[0] in ("options", "rulings"):
        return keys[2] == "default"
    return keys[0] != "counters" or keys[2] != "range" or _has_edges(site)


def _has_edges(site: Declared) -> bool:
    """Whether something happens at the ends of a counter's range that is no fault."""
    edge = site.entry.get("at_edge") if isinstance(site.entry, Mapping) else None
    return isinstance(edge, Scalar) and edge.text != "error"


OPERATOR = Operator("off-by-one", mutate)
