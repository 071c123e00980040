"""Mutation operators on names: another seat, zone or value in place of the right one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import syntax as s
from dsl.declare.symbol_table import BUILT_IN
from dsl.rules import Rules, Zone
from validators.mutate.mutant import TextEdit
from validators.mutate.operator import first_word, next_after
from validators.mutate.sites import MutationSite, Written

OTHER_OF_TWO = {"me": "opponent", "opponent": "me", "active": "opponent"}
OTHER_OF_MORE = {"me": "next(me)", "active": "next(active)", "opponents": "seats", "seats": "opponents"}
OTHER_NEIGHBOUR = {"next": "previous", "previous": "next"}
VALUE_ROLES = ("right", "value", "items", "arguments", "at", "of", "left", "then", "otherwise")
"""The fields of nodes in which a value can stand by its name."""


def wrong_seat(site: MutationSite) -> Iterator[TextEdit]:
    """Another seat: the opponent for me, the next seat, the previous one, everybody."""
    match site:
        case Written(node=s.Name(text=text, span=span), rules=rules):
            others = OTHER_OF_TWO if rules.seats[1] <= 2 else OTHER_OF_MORE
            if text in others:
                yield TextEdit(span, others[text])
        case Written(node=s.Call(name=name)) if name.text in OTHER_NEIGHBOUR:
            yield TextEdit(name.span, OTHER_NEIGHBOUR[name.text])
        case Written(node=s.Gain(subject=None, verb=verb, span=span), rules=rules):
            if rules.seats[1] == 2:
                yield TextEdit(first_word(span), f"opponent {verb}s")


def wrong_zone(site: MutationSite) -> Iterator[TextEdit]:
    """Another zone: the next one with the same component and the same indices."""
    match site:
        case Written(node=s.Name(text=text, span=span), rules=rules) if text in rules.zones:
            form = _form(rules.zones[text])
            alike = [zone.name for zone in rules.zones.values() if _form(zone) == form]
            yield from next_after(text, alike, span)


def _form(zone: Zone) -> tuple[str, str | None, str | None]:
    return zone.component, zone.var.of, zone.var.at


def wrong_value(site: MutationSite) -> Iterator[TextEdit]:
    """Another value of the same type: the next one."""
    match site:
        case Written(node=s.Name(text=text, span=span), rules=rules, role=role) if role in VALUE_ROLES:
            families = [names for names in _families(rules) if text in names]
            if len(families) == 1 and not _means_more(rules, text):
                yield from next_after(text, families[0], span)


def _families(rules: Rules) -> Sequence[tuple[str, ...]]:
    """Names that could be mistaken for each other: values of a type, kinds of a piece, readings."""
    types = [d.names for d in rules.types.values() if not d.numeric and d.base is None and d.name != "seat"]
    pieces = [c.classes for c in rules.components.values() if c.classes not in types and c.die is None]
    readings = [o.values for o in rules.options.values() if o.values]
    return list(dict.fromkeys((*types, *pieces, *readings)))


def _means_more(rules: Rules, name: str) -> bool:
    """Whether a name is also that of something built in or declared."""
    sections = (
        BUILT_IN, rules.zones, rules.counters, rules.marks, rules.pointers, rules.values, rules.collections,
        rules.constants, rules.options, rules.tables,
    )  # fmt: skip
    return any(name in section for section in sections)
