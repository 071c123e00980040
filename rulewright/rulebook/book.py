"""The whole book: the rules of a game for a number of seats and a setting of its options."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.rulebook.clauses import clause_index
from rulewright.rulebook.components import components, places
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.definitions import routine_section, trigger_step
from rulewright.rulebook.document import (
    Book,
    DocumentBlock,
    Paragraph,
    Section,
    Step,
    Table,
    bullets,
    plain,
    told,
)
from rulewright.rulebook.expressions import is_said_in_place
from rulewright.rulebook.names import Lexicon
from rulewright.rulebook.partial_eval import Configuration
from rulewright.rulebook.passes import new_context
from rulewright.rulebook.phases import course_section
from rulewright.rulebook.realise import spell_sentence
from rulewright.rulebook.rulings import rulings, variants
from rulewright.rulebook.scoring import ending, ends
from rulewright.rulebook.set_up import set_up
from rulewright.rulebook.steps import is_described_in_place
from rulewright.rulebook.tables import tables
from rulewright.rulebook.values import value_section


def write_book(lexicon: Lexicon, config: Configuration) -> Book:
    """All sections in the order in which people read."""
    rules = lexicon.rules
    ctx = new_context(lexicon, config)
    sections: list[Section | None] = [
        components(ctx),
        places(ctx),
        set_up(ctx),
        course_section(ctx),
        procedures(ctx),
    ]
    sections += [*tables(ctx), words(ctx), triggers(ctx), ending(ctx)]
    sections += [variants(ctx), rulings(ctx), promises(ctx)]
    kept = tuple(s for s in sections if s is not None and s.blocks)
    where = told(kept)
    index = clause_index(rules, where, titles(kept))
    whole = kept if index is None else (*kept, index)
    return Book(rules.title, tuple(_lead(lexicon, config)), whole, where)


def _lead(lexicon: Lexicon, config: Configuration) -> Iterator[str]:
    low, high = config.counts[0], config.counts[-1]
    players = f"{low}" if low == high else f"{low} to {high}"
    yield f"For {players} {'player' if high == 1 else 'players'}."


def procedures(ctx: BookContext) -> Section | None:
    """What is done at more than one place, or offered within something else."""
    known = ctx.described | ctx.usage.idle
    left = [n for n in ctx.rules.routines if n in ctx.usage.played and n not in known]
    names = [n for n in left if not is_described_in_place(ctx, n)]
    if not names:
        return None
    return Section(
        "procedures", "What is done in several places", tuple(routine_section(ctx, n) for n in names)
    )


def words(ctx: BookContext) -> Section | None:
    """Values that the rules speak of by name."""
    values = [
        v for v in ctx.rules.values.values() if not is_said_in_place(ctx, v) and ctx.usage.values[v.name]
    ]
    found = tuple(s for s in (value_section(ctx, v.name) for v in values) if s is not None)
    return Section("words", "What the words mean", found) if found else None


def triggers(ctx: BookContext) -> Section | None:
    """What happens whenever something comes true."""
    steps = tuple(trigger_step(ctx, t) for t in ctx.rules.triggers if not ends(ctx, t))
    return Section("always", "At any time", (bullets(steps),)) if steps else None


def promises(ctx: BookContext) -> Section | None:
    """What is so in every position, as a help for those who check the rules."""
    steps: list[Step] = []
    for found in ctx.rules.invariants:
        steps += [Step(spell_sentence(c), found.clauses) for c in ctx.clauses(found.condition)]
    if not steps:
        return None
    blocks: tuple[DocumentBlock, ...] = (
        Paragraph("A check for the table: this never stops being true."),
        bullets(steps),
    )
    return Section("promises", "What is always so", blocks)


def titles(sections: tuple[Section, ...]) -> dict[str, str]:
    """The title of each section by its id."""
    found: dict[str, str] = {}
    for section in sections:
        found[section.id] = section.title
        found |= titles(tuple(b for b in section.blocks if isinstance(b, Section)))
        rows = (row for b in section.blocks if isinstance(b, Table) for row in b.rows)
        found |= {row.id: plain(row.cells[0].text) for row in rows if row.id}
    return found
