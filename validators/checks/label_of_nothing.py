"""Labels of unknown names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.diagnostics import did_you_mean
from dsl.domains import IntType
from dsl.folder import BASE
from dsl.rules.reads import endings
from dsl.rules.visit import walk
from dsl.source import Span
from validators.check import Check, CheckContext, Finding

WORD = re.compile(r"[^\W\d_]+")
ALWAYS = frozenset({"pass"})
"""Words of every optional decision."""
MOST_HINTS = 20
"""For how many labels the nearest name is searched for, which takes as long as there are names."""


@dataclass(frozen=True)
class LabelOfNothing(Finding):
    """The labels contain a name that the game does not have.

    The label is never shown. Usually the name has changed in the rules, and the bare name is shown instead.
    So it is with `forms` of a word that stands in no label, noun or phrase of the language.

    Example:

        take_monny: take money             # the action is called `take_money`

    Correct the name, or remove the line.
    """

    code = "V324"
    slug = "label-of-nothing"
    title = "{what} `{about}`"
    label = "the labels of this game{language}"
    advice = "{hint}"

    hint: str = ""
    language: str = ""
    what: str = "label for unknown name"


def find(subject: CheckContext) -> Iterator[Finding]:
    return labels_of_nothing(subject.rules, shown_names(subject.rules))


def labels_of_nothing(rules: r.Rules, names: set[str]) -> Iterator[LabelOfNothing]:
    """A finding for each label of a name that is not among `names`, in every language."""
    for number, (at, name, language) in enumerate(_unknown(rules, names)):
        head, _, last = name.rpartition(".")
        if head in rules.counters and last.isdecimal():
            hint = f"numbers of types and columns have labels; `{head}` is a counter"
        else:
            near = did_you_mean(name, names) if number < MOST_HINTS else ""
            hint = near or "correct the name, or remove the line"
        yield LabelOfNothing(at, name, hint=hint, language=language)
    for tag, other in rules.translations.items():
        yield from _forms_of_nothing(rules, other, f" for `{tag}`")


def _forms_of_nothing(rules: r.Rules, other: r.Translation, language: str) -> Iterator[LabelOfNothing]:
    """A finding for each word with forms of its own that no label, noun or phrase has."""
    texts = (*other.labels.values(), *other.nouns.values(), *other.phrases.values())
    words = {word for text in texts for word in WORD.findall(text.lower())} if other.forms else set[str]()
    for word in other.forms:
        at = other.written.get(word, other.span)
        if not words.issuperset(WORD.findall(word.lower())) and not _is_below(rules, at):
            hint = did_you_mean(word, words) or "correct the word, or remove the line"
            yield LabelOfNothing(
                at, word, hint=hint, language=language, what="forms of a word that no label has:"
            )


def _unknown(rules: r.Rules, names: set[str]) -> Iterator[tuple[Span, str, str]]:
    """The labels of names that are not among `names`: place, name, and of which language."""
    known = {**rules.labels, **rules.helps, **rules.nouns, **rules.phrases}
    for name in known:
        at = rules.written.get(name, rules.span)
        if name not in names and not _is_below(rules, at):
            yield at, name, ""
    for language, other in rules.translations.items():
        for name in {**other.labels, **other.helps, **other.nouns, **other.phrases}:
            at = other.written.get(name, other.span)
            if name not in names and name not in known and not _is_below(rules, at):
                yield at, name, f" for `{language}`"


def _is_below(rules: r.Rules, at: Span) -> bool:
    """Whether a text is in the game that an overlay changes, which has no fault if names are taken away."""
    return bool(rules.bases) and f"/{BASE}" in at.source.name


def shown_names(rules: r.Rules) -> set[str]:
    """Every name that may be shown."""
    sections = (
        rules.types, rules.components, rules.zones, rules.counters, rules.marks, rules.pointers, rules.tables,
        rules.histories, rules.options, rules.constants, rules.routines, rules.values, rules.collections,
        rules.phases,
    )  # fmt: skip
    found = {rules.name, *ALWAYS, *(name for section in sections for name in section)}
    for decl in rules.types.values():
        found |= {*decl.names, *decl.columns, *decl.directions, *(f"{decl.name}.{c}" for c in decl.columns)}
    for component in rules.components.values():
        found |= {*component.classes, *component.columns}
        found |= {f"{component.name}.{column}" for column in component.columns}
    found |= _numbers(rules) | _texts(rules)
    for option in rules.options.values():
        found |= {*option.values, *option.readings, *(f"{option.name}.{v}" for v in option.values)}
    found |= {
        *endings(rules),
        *(key for line in rules.scores for key in (line.name, r.qualified_line(line.name))),
    }
    for phase in rules.phases.values():
        steps = {step.name for step in phase.all_steps() if isinstance(step, r.CallStep | r.OfferStep)}
        found |= steps | {f"{phase.name}.{name}" for name in steps}
    bodies = (tuple(rules.routines.values()), tuple(rules.values.values()), rules.triggers)
    return found | {part.name for part in walk(bodies) if isinstance(part, r.Var)}


def _texts(rules: r.Rules) -> set[str]:
    """The names of columns of text, and the keys of the texts of rows."""
    names = {column for columns in rules.text_columns.values() for column in columns}
    return names | {
        r.key_of_text(owner, row, column)
        for name, columns in rules.text_columns.items()
        for column, owner in columns.items()
        for row in (rules.components[name].classes if name in rules.components else rules.types[name].names)
    }


def _numbers(rules: r.Rules) -> set[str]:
    """The keys of the numbers of types and columns."""
    numeric = (decl for decl in rules.types.values() if decl.numeric)
    found = {r.key_of_number(decl.name, number) for decl in numeric for number in decl.members}
    owners: tuple[r.TypeDecl | r.Component, ...] = (*rules.types.values(), *rules.components.values())
    for owner in owners:
        for column in owner.columns.values():
            cells = (*column.values, *(cell for group in column.groups for cell in group))
            if isinstance(column.type, IntType):
                found |= {r.key_of_number(column.name, cell) for cell in cells}
    return found


CHECK = Check(LabelOfNothing, find)
