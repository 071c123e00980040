"""Another value of the same type is meant: the next one by its name."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.declare.symbol_table import BUILT_IN
from dsl.rules import Rules
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import Operator
from validators.mutate.sites import MutationSite, Written

ROLES = ("right", "value", "items", "arguments", "at", "of", "left", "then", "otherwise")
"""Where a value can stand by its name."""


def mutate(site: MutationSite) -> Iterator[TextEdit]:
    match site:
        case Written(node=s.Name(text=text, span=span), rules=rules, role=role) if role in ROLES:
            families = [names for names in _families(rules) if text in names]
            if len(families) == 1 and not _means_more(rules, text):
                other = families[0][(families[0].index(text) + 1) % len(families[0])]
                if other != text:
                    yield TextEdit(span, other)


def _families(rules: Rules) -> list[tuple[str, ...]]:
    """Names that could be mistaken for each other: values of a type, kinds of a piece, readings."""
    types = [d.names for d in rules.types.values() if not d.numeric and d.base is None and d.name != "seat"]
    pieces = [c.classes for c in rules.components.values() if c.classes not in types and c.die is None]
    readings = [o.values for o in rules.options.values() if o.values]
    return list(dict.fromkeys((*types, *pieces, *readings)))


def _means_more(rules: Rules, name: str) -> bool:
    """Whether a name is also that of something built in or declared."""
    if name in BUILT_IN:
        return True
    stores = (rules.zones, rules.counters, rules.marks, rules.pointers, rules.values, rules.constants)
    return any(name in known for known in (*stores, rules.options, rules.tables))


OPERATOR = Operator("wrong-value", mutate)
