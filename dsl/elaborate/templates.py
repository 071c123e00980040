"""Phrases of the labels: what their holes may be filled with."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.declare.labels import HOLE, Labels
from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.domains import EnumType
from dsl.messages.names import StrangeHole
from dsl.wording import quoted


def unknown_placeholders(labels: Labels, rules: r.Rules) -> Iterator[Diagnostic]:
    """A mistake for each hole of a noun or phrase that nothing of that name can fill."""
    for name, text in (*labels.nouns.items(), *labels.phrases.items()):
        known = placeholders(rules, name)
        for hole, _, _ in HOLE.findall(text):
            if hole not in known:
                some = (
                    f"the placeholders are {quoted(sorted(known), 'and')}"
                    if known
                    else "remove it: there is no parameter or index"
                )
                yield StrangeHole(labels.places[name, text], name, hole, did_you_mean(hole, known) or some)


def placeholders(rules: r.Rules, name: str) -> frozenset[str]:
    """What the phrase of a name may speak of: parameters, indices, the owner of a column."""
    found: set[str] = set()
    if name in rules.values:
        found |= {p.name for p in rules.values[name].parameters}
    if name in rules.routines:
        found |= {p.var.name for p in rules.routines[name].parameters}
    for var in _stores(rules, name):
        found |= {"of"} if var.of is not None else set()
        found |= {"at"} if var.at is not None else set()
        found |= {index for index in (var.of, var.at) if index is not None}
    if name in rules.tables:
        kinds = rules.tables[name].over_types
        found |= {k.type if isinstance(k, EnumType) else "number" for k in kinds}
    for owner, column in _columns(rules, name):
        keys = {column.keyed_by, "key"} if column.keyed_by is not None else set()
        found |= {"it", "value", owner, *(k for k in keys if k is not None)}
    return frozenset(found)


def _stores(rules: r.Rules, name: str) -> Iterator[r.StateVar]:
    for kind in (rules.zones, rules.counters, rules.marks, rules.pointers):
        if name in kind:
            yield kind[name].var


def _columns(rules: r.Rules, name: str) -> Iterator[tuple[str, r.Column]]:
    """The columns that a name means: `cost`, or only that of cards, `card.cost`."""
    owners = {**{t.name: t.columns for t in rules.types.values()},
              **{c.name: c.columns for c in rules.components.values()}}  # fmt: skip
    for owner, columns in owners.items():
        for column in columns.values():
            if name in (column.name, f"{owner}.{column.name}"):
                yield owner, column
