"""Definitions that no sentence needs, since summaries tell all that is done with what they define."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl import rules as r
from rulewright.rulebook.document import (
    DocumentBlock,
    Paragraph,
    Section,
    all_sections,
    all_texts,
    in_sentences,
)
from rulewright.rulebook.values import value_id
from rulewright.sentences.context import BookContext
from rulewright.sentences.summaries import has_figures, summary_step
from rulewright.sentences.text import stems

HOLE = re.compile(r"\{[^}]*\}")
SENTENCE = re.compile(r"(?<=[.:;])\s+")
LEAST = 3
"""How many letters a word has by which sentences speak of a value."""
IN_SHORT = "short"


def without_unneeded(ctx: BookContext, sections: Sequence[Section]) -> tuple[Section, ...]:
    """Sections in which a definition of which nobody speaks is told by the summaries of its clauses.

    It stays if it has no clauses, or a number that they do not have. Rulings in it are told by themselves.
    """
    values = {value_id(value.name): value for value in ctx.rules.values.values()}
    while True:
        texts = [(section.id, stems(text, LEAST)) for section, text in _texts(sections)]
        gone: dict[str, Section | None] = {}
        for section in all_sections(sections):
            value = values.get(section.id)
            words = _label_stems(ctx, value) if value is not None else set()
            if value is None or not words or any(words <= said for id, said in texts if id != section.id):
                continue
            marks = in_sentences((section,))
            if marks and _is_told(ctx, value, marks):
                gone[section.id] = _summary(ctx, section, marks)
        if not gone:
            return tuple(sections)
        sections = _without(sections, gone)
        values = {id: value for id, value in values.items() if id not in gone}


def _texts(sections: Sequence[Section]) -> Iterator[tuple[Section, str]]:
    """The sentences of sections, but those that only introduce the game."""
    for section in all_sections(s for s in sections if s.id != IN_SHORT):
        own = (block for block in section.blocks if not isinstance(block, Section))
        yield from ((section, one) for text in all_texts(own) for one in SENTENCE.split(text))


def _label_stems(ctx: BookContext, value: r.Value) -> set[str]:
    """The words by which sentences speak of a value, by their first letters."""
    template = ctx.lexicon.template(value.name)
    label = HOLE.sub(" ", template.text) if template is not None else ctx.lexicon.noun(value.name).one
    return stems(label, LEAST)


def _is_told(ctx: BookContext, value: r.Value, marks: set[str]) -> bool:
    """Whether its clauses have all numbers of a definition, and one of them is a rule."""
    clauses = [ctx.rules.clauses[mark] for mark in marks if mark in ctx.rules.clauses]
    text = " ".join(f"{clause.heading}. {clause.says}" for clause in clauses)
    told = any(mark in ctx.summaries or ctx.rules.clauses[mark].kind == "ruling" for mark in marks)
    return told and has_figures(ctx.twin(), text, ctx.folding.cases(value))


def _summary(ctx: BookContext, section: Section, marks: set[str]) -> Section | None:
    ctx.summed |= marks
    if any(isinstance(block, Paragraph) and block.told for block in section.blocks):
        return section
    step = summary_step(ctx, [c for c in ctx.summaries if c in marks and c not in ctx.spoken])
    if step is None:
        return None
    parts = (Paragraph(part.text, part.clauses, told=True) for part in (step, *step.parts))
    return replace(section, blocks=tuple(parts), clauses=(), bare=True)


def _without(sections: Sequence[Section], gone: dict[str, Section | None]) -> tuple[Section, ...]:
    """Sections in which others take the place of some, or nothing does."""

    def blocks(section: Section) -> Iterator[DocumentBlock]:
        for block in section.blocks:
            if not isinstance(block, Section):
                yield block
            elif (one := gone.get(block.id, block)) is not None:
                yield replace(one, blocks=tuple(blocks(one)))

    return tuple(replace(section, blocks=tuple(blocks(section))) for section in sections)
