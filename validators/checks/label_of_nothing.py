"""Labels of unknown names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.diagnostics import did_you_mean
from dsl.rules.visit import walk
from validators.check import Check, CheckContext, Finding

ALWAYS = frozenset({"pass"})
"""Words of every optional decision."""


@dataclass(frozen=True)
class LabelOfNothing(Finding):
    """The labels contain a name that the game does not have.

    The label is never shown. Usually the name has changed in the rules, and the bare name is shown instead.

    Example:

        take_monny: take money             # the action is called `take_money`

    Correct the name, or remove the line.
    """

    code = "V324"
    slug = "label-of-nothing"
    title = "label for unknown name `{about}`"
    label = "the labels of this game{language}"
    advice = "{hint}"

    hint: str = ""
    language: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    names = shown_names(rules)
    for name in {**rules.labels, **rules.helps, **rules.nouns, **rules.phrases}:
        if name not in names:
            yield LabelOfNothing(rules.written.get(name, rules.span), name, hint=_hint(name, names))
    known = {**rules.labels, **rules.helps, **rules.nouns, **rules.phrases}
    for language, other in rules.translations.items():
        for name in {**other.labels, **other.helps, **other.nouns, **other.phrases}:
            if name not in names and name not in known:
                hint = _hint(name, names)
                at = other.written.get(name, other.span)
                yield LabelOfNothing(at, name, hint=hint, language=f" for `{language}`")


def _hint(name: str, names: set[str]) -> str:
    return did_you_mean(name, names) or "correct the name, or remove the line"


def shown_names(rules: r.Rules) -> set[str]:
    """Every name that may be shown."""
    sections = (
        rules.types, rules.components, rules.zones, rules.counters, rules.marks, rules.pointers, rules.tables,
        rules.options, rules.constants, rules.routines, rules.values, rules.collections,
        rules.phases,
    )  # fmt: skip
    found = {rules.name, *ALWAYS, *(name for section in sections for name in section)}
    for decl in rules.types.values():
        found |= {*decl.names, *decl.columns, *decl.directions, *(f"{decl.name}.{c}" for c in decl.columns)}
    for component in rules.components.values():
        found |= {*component.classes, *component.columns}
        found |= {f"{component.name}.{column}" for column in component.columns}
    for option in rules.options.values():
        found |= {*option.values, *option.readings, *(f"{option.name}.{v}" for v in option.values)}
    found |= {line.name for line in rules.scores}
    for phase in rules.phases.values():
        steps = {step.name for step in phase.all_steps() if not isinstance(step, r.SeatsStep)}
        found |= steps | {f"{phase.name}.{name}" for name in steps}
    bodies = (tuple(rules.routines.values()), tuple(rules.values.values()), rules.triggers)
    return found | {part.name for part in walk(bodies) if isinstance(part, r.Var)}


CHECK = Check(LabelOfNothing, find)
