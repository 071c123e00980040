"""Templates of the labels, and lines that sum up the game: the names that their placeholders may have."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.declare.labels import FORM_HOLE, HOLE, Labels
from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.domains import EnumType
from dsl.messages.names import UnknownName, UnknownPlaceholder
from dsl.wording import quoted


def unknown_placeholders(labels: Labels, rules: r.Rules, incomplete: bool = False) -> Iterator[Diagnostic]:
    """A diagnostic for each unknown placeholder of a noun or phrase.

    If the rules are `incomplete`, names without placeholders are left out: their parameters may be unknown.
    """
    for name, text in (*labels.nouns.items(), *labels.phrases.items()):
        known = placeholders(rules, name)
        if incomplete and not known:
            continue
        names = dict.fromkeys(hole[1] for holes in (HOLE, FORM_HOLE) for hole in holes.finditer(text))
        for placeholder in names:
            if placeholder not in known:
                hint = "remove it: there is no parameter or index"
                if known:
                    listed = f"the placeholders are {quoted(sorted(known), 'and')}"
                    hint = did_you_mean(placeholder, known) or listed
                yield UnknownPlaceholder(labels.places[name, text], name, placeholder, hint)


def unknown_in_brief(rules: r.Rules) -> Iterator[Diagnostic]:
    """A diagnostic for each name in the lines that sum up the game which nothing has."""
    declared = (
        rules.types, rules.components, rules.zones, rules.counters, rules.marks, rules.pointers, rules.tables,
        rules.options, rules.constants, rules.routines, rules.values, rules.collections, rules.phases,
    )  # fmt: skip
    known = {name for kind in declared for name in kind if name.isidentifier()}
    known |= {line.name for line in rules.scores}
    lines = {line.span: line for brief in _briefs(rules) for line in brief.values()}
    for line in lines.values():
        for name in line.names:
            if name not in known:
                hint = did_you_mean(name, known) or "name a declaration, a definition or a constant"
                yield UnknownName(line.span, name, "name", hint)


def _briefs(rules: r.Rules) -> Iterator[dict[r.BriefKey, r.BriefLine]]:
    """The lines that sum up the game, in each language."""
    yield rules.brief
    yield from (translation.brief for translation in rules.translations.values())


def placeholders(rules: r.Rules, name: str) -> frozenset[str]:
    """The placeholders of a name: its parameters, its indices, the owner of a column."""
    found: set[str] = set()
    if name in rules.values:
        found |= {p.name for p in rules.values[name].parameters}
    if name in rules.collections:
        found |= {p.name for p in rules.collections[name].parameters}
    if name in rules.routines:
        found |= {p.var.name for p in rules.routines[name].parameters}
    for var in _state_vars(rules, name):
        found |= {"of", var.of} if var.of is not None else set()
        found |= {"at", var.at} if var.at is not None else set()
    if name in rules.tables:
        kinds = rules.tables[name].over_types
        found |= {k.type if isinstance(k, EnumType) else "number" for k in kinds}
    if name in rules.types:
        found |= {column for column, _ in rules.types[name].parts}
    for owner, column in _columns(rules, name):
        keys = {column.keyed_by, "key"} if column.keyed_by is not None else set()
        found |= {"it", "value", owner, *(k for k in keys if k is not None)}
    return frozenset(found)


def _state_vars(rules: r.Rules, name: str) -> Iterator[r.StateVar]:
    for kind in (rules.zones, rules.counters, rules.marks, rules.pointers):
        if name in kind:
            yield kind[name].var


def _columns(rules: r.Rules, name: str) -> Iterator[tuple[str, r.Column]]:
    """The columns that a name refers to: `cost` of any owner, or `card.cost`; each with its owner."""
    said, dot, key = name.rpartition(".")
    owners: tuple[r.TypeDecl | r.Component, ...] = (*rules.types.values(), *rules.components.values())
    for owner in owners:
        if key in owner.columns and (not dot or said == owner.name):
            yield owner.name, owner.columns[key]
