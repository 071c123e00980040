"""Variants that may be chosen, and questions that the rulebook leaves open with the answer that was taken."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.domains import FlagType, IntType
from rulewright.rulebook.definitions import routine_section
from rulewright.rulebook.document import (
    DocumentBlock,
    DocumentCell,
    DocumentRow,
    Paragraph,
    Section,
    Step,
    Steps,
    Table,
    slug,
    strong,
)
from rulewright.rulebook.english import capital, sentence
from rulewright.rulebook.expressions import is_said_in_place
from rulewright.rulebook.grammar import begin
from rulewright.rulebook.phases import added_steps, is_told_in_place
from rulewright.rulebook.values import value_section
from rulewright.rulebook.voice import Voice


def variants(voice: Voice) -> Section | None:
    """Options, with the value that this book is written for, and what those bring that are left out."""
    options = [o for o in voice.rules.options.values() if not o.readings]
    if not options:
        return None
    rows = tuple(_option(voice, o) for o in options)
    more = [s for o in options for v in _other_values(voice, o) if (s := _variant(voice, o, v)) is not None]
    return Section("variants", "Variants", (Table(("Variant", "In this book", "May also be"), rows), *more))


def _other_values(voice: Voice, option: r.Option) -> list[int]:
    """The values that this book leaves out; not all numbers of a range."""
    if isinstance(option.type, IntType):
        return []
    return [v for v in range(len(option.values)) if v != voice.folding.setting.options[option.name]]


def _variant(voice: Voice, option: r.Option, value: int) -> Section | None:
    """What a variant adds, and what it tells otherwise."""
    setting = voice.folding.setting
    other = begin(voice.lexicon, replace(setting, options={**setting.options, option.name: value}))
    names = [n for n in voice.rules.routines if n in other.calls.played and n not in voice.calls.played]
    added = tuple(routine_section(other, n) for n in names if not is_told_in_place(other, n))
    id = slug("variant", f"{option.name}-{option.values[value]}")
    changed = tuple(replace(s, id=f"{id}-{s.id}") for s in _changed(voice, other))
    if not added and not changed:
        return None
    blocks: list[DocumentBlock] = []
    if added:
        blocks += [
            Paragraph("With this variant there is more to do:"),
            Steps(tuple(added_steps(other, names)), False),
        ]
    blocks += added
    if changed:
        blocks += [Paragraph("With this variant these are new, or read otherwise:"), *changed]
    return Section(id, _variant_title(voice, option, value), tuple(blocks))


def _variant_title(voice: Voice, option: r.Option, value: int) -> str:
    title = capital(voice.lexicon.label(option.name))
    if isinstance(option.type, FlagType):
        return title if value else f"Without: {title[:1].lower()}{title[1:]}"
    return f"{title}: {voice.lexicon.option_value(option.name, option.values[value])}"


def _changed(voice: Voice, other: Voice) -> list[Section]:
    """What is told of routines and values under both settings, or is only needed under the other."""
    found: list[Section] = []
    for name in voice.rules.routines:
        both = name in voice.calls.played and name in other.calls.played
        if (
            both
            and not is_told_in_place(other, name)
            and (told := routine_section(other, name)) != routine_section(voice, name)
        ):
            found.append(told)
    for name, value in voice.rules.values.items():
        before = value_section(voice, name) if voice.calls.values[name] else None
        after = (
            value_section(other, name)
            if other.calls.values[name] and not is_said_in_place(other, value)
            else None
        )
        found += [after] if after is not None and after != before else []
    return found


def _option(voice: Voice, option: r.Option) -> DocumentRow:
    value = voice.folding.setting.options[option.name]
    return DocumentRow((
        DocumentCell(capital(voice.lexicon.label(option.name)), option.clauses),
        DocumentCell(_shown(voice, option, value)),
        DocumentCell(_others(voice, option, value)),
    ), slug("option", option.name))  # fmt: skip


def _shown(voice: Voice, option: r.Option, value: int) -> str:
    match option.type:
        case FlagType():
            return "yes" if value else "no"
        case IntType():
            return str(value)
    return voice.lexicon.option_value(option.name, option.values[value])


def _others(voice: Voice, option: r.Option, value: int) -> str:
    match option.type:
        case FlagType():
            return "no" if value else "yes"
        case IntType(lo, hi):
            return f"{lo} to {hi}"
    others = (v for i, v in enumerate(option.values) if i != value)
    return " or ".join(voice.lexicon.option_value(option.name, v) for v in others)


def rulings(voice: Voice) -> Section | None:
    """Questions, their readings, the one taken, and why; then the rulings that leave nothing to choose."""
    found = [o for o in voice.rules.options.values() if o.readings]
    blocks: list[DocumentBlock] = [_ruling(voice, o) for o in found]
    asked = {c for o in found for c in o.clauses}
    rest = [c for c in voice.rules.clauses.values() if c.kind == "ruling" and c.id not in asked]
    if rest:
        rows = tuple(
            DocumentRow(
                (DocumentCell(c.heading, (c.id,)), DocumentCell(c.says), DocumentCell(capital(c.why)))
            )
            for c in rest
        )
        blocks.append(Table(("Question", "Answer", "Why"), rows))
    if not blocks:
        return None
    lead = Paragraph(
        "Where the rulebook is silent or can be read in more than one way, this is what holds here."
    )
    return Section("rulings", "Questions and rulings", (lead, *blocks))


def _ruling(voice: Voice, option: r.Option) -> Section:
    value = voice.folding.setting.options[option.name]
    readings = [
        Step(f"{sentence(says)}{' ' + strong('This holds.') if i == value else ''}")
        for i, says in enumerate(option.readings.values())
    ]
    named = [voice.rules.clauses[c].heading for c in option.clauses if c in voice.rules.clauses]
    title = capital(
        voice.lexicon.labels.get(option.name) or (named[0] if named else voice.lexicon.label(option.name))
    )
    why = f"Why: {option.why}" if value == option.default else "Chosen for this book, against the ruling"
    blocks: tuple[DocumentBlock, ...] = (Steps(tuple(readings), False), Paragraph(sentence(why)))
    return Section(slug("ruling", option.name), title, blocks, option.clauses)
