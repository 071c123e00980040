"""Variants that may be chosen, and questions that the rulebook leaves open with the answer that was taken."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.domains import Flag, Int
from rulewright.prose.definitions import Definitions
from rulewright.prose.document import Block, Cell, Paragraph, Row, Section, Step, Steps, Table, slug, strong
from rulewright.prose.english import capital, sentence
from rulewright.prose.folding import Folding
from rulewright.prose.phases import Course
from rulewright.prose.usage import usage


def variants(voice: Course) -> Section | None:
    """Options, with the value that this book is written for, and what those bring that are left out."""
    options = [o for o in voice.rules.options.values() if not o.readings]
    if not options:
        return None
    rows = tuple(_option(voice, o) for o in options)
    off = [o for o in options if isinstance(o.type, Flag) and not voice.folding.setting.options[o.name]]
    more = [s for s in (_left_out(voice, o) for o in off) if s is not None]
    return Section("variants", "Variants", (Table(("Variant", "In this book", "May also be"), rows), *more))


def _left_out(voice: Course, option: r.Option) -> Section | None:
    """The steps and actions that a variant adds."""
    setting = voice.folding.setting
    folding = Folding(replace(setting, options={**setting.options, option.name: 1}))
    other = Course(voice.lexicon, folding, calls=usage(folding))
    names = [n for n in voice.rules.routines if n in other.calls.played and n not in voice.calls.played]
    told = [n for n in names if not other.is_told_in_place(n)]
    if not told:
        return None
    title = capital(voice.lexicon.label(option.name))
    sections = tuple(other.routine(n) for n in told)
    blocks = (
        Paragraph("With this variant there is more to do:"),
        Steps(tuple(other.added_steps(names)), False),
    )
    return Section(slug("variant", option.name), title, (*blocks, *sections))


def _option(voice: Definitions, option: r.Option) -> Row:
    value = voice.folding.setting.options[option.name]
    return Row((
        Cell(capital(voice.lexicon.label(option.name)), option.clauses), Cell(_shown(voice, option, value)),
        Cell(_others(voice, option, value)),
    ), slug("option", option.name))  # fmt: skip


def _shown(voice: Definitions, option: r.Option, value: int) -> str:
    match option.type:
        case Flag():
            return "yes" if value else "no"
        case Int():
            return str(value)
    return voice.lexicon.label(option.values[value])


def _others(voice: Definitions, option: r.Option, value: int) -> str:
    match option.type:
        case Flag():
            return "no" if value else "yes"
        case Int(lo, hi):
            return f"{lo} to {hi}"
    return " or ".join(voice.lexicon.label(v) for i, v in enumerate(option.values) if i != value)


def rulings(voice: Definitions) -> Section | None:
    """Questions, their readings, the one taken, and why; then the rulings that leave nothing to choose."""
    found = [o for o in voice.rules.options.values() if o.readings]
    blocks: list[Block] = [_ruling(voice, o) for o in found]
    asked = {c for o in found for c in o.clauses}
    rest = [c for c in voice.rules.clauses.values() if c.kind == "ruling" and c.id not in asked]
    if rest:
        rows = tuple(Row((Cell(c.heading, (c.id,)), Cell(c.says))) for c in rest)
        blocks.append(Table(("Question", "Answer"), rows))
    if not blocks:
        return None
    lead = Paragraph(
        "Where the rulebook is silent or can be read in more than one way, this is what holds here."
    )
    return Section("rulings", "Questions and rulings", (lead, *blocks))


def _ruling(voice: Definitions, option: r.Option) -> Section:
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
    blocks: tuple[Block, ...] = (Steps(tuple(readings), False), Paragraph(sentence(why)))
    return Section(slug("ruling", option.name), title, blocks, option.clauses)
