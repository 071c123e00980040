"""Where definitions are told: beside what alone needs them, or among the words of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.rulebook.document import DocumentBlock, Section
from rulewright.rulebook.phases import phase_id
from rulewright.sentences.context import BookContext
from rulewright.sentences.steps import routine_id
from rulewright.sentences.text import merge_clauses


def homes(ctx: BookContext, names: Iterable[str]) -> dict[str, str]:
    """For each value by name the id of the one section that needs it; those that several need have none."""
    rules, told = ctx.rules, set(names)
    users: dict[str, set[str]] = {name: set() for name in (*rules.values, *rules.collections)}
    for routine in rules.routines.values():
        if routine.name in ctx.usage.played:
            own = routine_id(routine.name)
            section = ctx.section_of.get(routine.name, (own, ""))[0]
            binders = tuple(p.binder for p in routine.parameters if p.binder is not None)
            _note(users, (*ctx.folding.tree(binders), *ctx.folding.block(routine.block)), section)
    for line in rules.scores:
        _note(users, ctx.folding.expr(line.value), "scoring")
    for phase in rules.phases.values():
        _note(users, phase, phase_id(phase.name))
    _note(users, rules.triggers, "")
    found: dict[str, str] = {}
    while True:
        inside = {name: _users_in_values(ctx, name) & set(users) - {name} for name in users}
        settled = {
            name: next(iter(places))
            for name in users
            if name not in found
            for places in [users[name] | {found.get(user, "") for user in inside[name]}]
            if len(places) == 1 and "" not in places
        }
        if not settled:
            return {name: found[name] for name in told & set(found)}
        found |= settled


def _note(users: Mapping[str, set[str]], tree: object, section: str) -> None:
    for part in walk(tree):
        if isinstance(part, r.UseValue | r.UseCollection) and part.value in users:
            users[part.value].add(section)


def _users_in_values(ctx: BookContext, name: str) -> set[str]:
    """The values and collections in whose definitions a value is used."""
    rules = ctx.rules
    trees: dict[str, tuple[object, ...]] = {
        v.name: v.parts for v in rules.values.values() if ctx.usage.values[v.name]
    }
    trees |= {c.name: (c.collection,) for c in rules.collections.values() if ctx.usage.values[c.name]}
    return {
        owner
        for owner, tree in trees.items()
        if any(isinstance(p, r.UseValue | r.UseCollection) and p.value == name for p in walk(tree))
    }


def _with_more(section: Section, added: Mapping[str, Sequence[Section]]) -> tuple[DocumentBlock, ...]:
    """The blocks of a section with definitions: those without a heading stand before what has one."""
    inner = [with_added((b,), added)[0] if isinstance(b, Section) else b for b in section.blocks]
    more = [one for one in added.get(section.id, ()) if one.blocks]
    first = next((i for i, b in enumerate(inner) if isinstance(b, Section)), len(inner))
    bare = (one for one in more if one.bare)
    return (*inner[:first], *bare, *inner[first:], *(one for one in more if not one.bare))


def with_added(sections: Sequence[Section], added: Mapping[str, Sequence[Section]]) -> tuple[Section, ...]:
    """Sections with others at the end of those with some ids; of others without blocks only the clauses."""
    return tuple(
        replace(
            section,
            blocks=_with_more(section, added),
            clauses=merge_clauses(
                section.clauses,
                (c for more in added.get(section.id, ()) if not more.blocks for c in more.clauses),
            ),
        )
        for section in sections
    )
