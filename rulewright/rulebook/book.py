"""The whole book: the rules of a game for one configuration, in sections."""

from __future__ import annotations

from dsl import rules as r
from rulewright.provenance import provenance_lines
from rulewright.rulebook.clauses import clause_index
from rulewright.rulebook.components import components, places
from rulewright.rulebook.definitions import routine_section, trigger_step
from rulewright.rulebook.document import Book, Paragraph, Section, Table, bullets, sections_by_clause
from rulewright.rulebook.phases import course_section
from rulewright.rulebook.rulings import rulings, variants
from rulewright.rulebook.scoring import ending, ends
from rulewright.rulebook.set_up import set_up
from rulewright.rulebook.tables import tables
from rulewright.rulebook.values import collection_section, value_section
from rulewright.sentences.context import BookContext
from rulewright.sentences.expressions import is_said_in_place
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration
from rulewright.sentences.passes import new_context
from rulewright.sentences.realise import spell_sentence
from rulewright.sentences.steps import is_described_in_place
from rulewright.sentences.text import Step, merge_clauses, plain


def write_book(lexicon: Lexicon, config: Configuration) -> Book:
    """The book with all sections that have blocks."""
    ctx = new_context(lexicon, config)
    sections = (
        components(ctx), places(ctx), set_up(ctx), course_section(ctx), _procedures(ctx),
        *tables(ctx), _words(ctx), _triggers(ctx), ending(ctx),
        variants(ctx), rulings(ctx), _promises(ctx),
    )  # fmt: skip
    written = tuple(section for section in sections if section.blocks)
    where = sections_by_clause(written)
    index = clause_index(ctx.rules, where, _titles(written))
    return Book(ctx.rules.title, _leads(ctx.rules, lexicon, config), (*written, *index), where)


def _leads(rules: r.Rules, lexicon: Lexicon, config: Configuration) -> tuple[str, ...]:
    """For how many players it is, which game it changes, and what in it is not known to be as printed."""
    known = "; ".join(provenance_lines(rules))
    origin = (f"Not all of this game is known to be as printed: {known}.",) if known else ()
    if not rules.bases:
        return (_lead(lexicon, config), *origin)
    title = rules.bases[-1][1]
    return (_lead(lexicon, config), f"This changes {title}: these are the rules of both together.", *origin)


def _lead(lexicon: Lexicon, config: Configuration) -> str:
    low, high = config.counts[0], config.counts[-1]
    players = lexicon.player.one if high == 1 else lexicon.player.many
    return f"For {low} {players}." if low == high else f"For {low} to {high} {players}."


def _procedures(ctx: BookContext) -> Section:
    """What is done at more than one place, or offered within something else."""
    known = ctx.described | ctx.usage.idle
    left = [n for n in ctx.rules.routines if n in ctx.usage.played and n not in known]
    names = [n for n in left if not is_described_in_place(ctx, n)]
    sections = tuple(routine_section(ctx, name) for name in names)
    return Section("procedures", "What is done in several places", sections)


def _words(ctx: BookContext) -> Section:
    """The definitions of values that have a name."""
    values = ctx.rules.values.values()
    named = [v.name for v in values if not is_said_in_place(ctx, v) and ctx.usage.values[v.name]]
    sections = [value_section(ctx, name) for name in named]
    collections = ctx.rules.collections.values()
    sections += [collection_section(ctx, c) for c in collections if ctx.usage.values[c.name]]
    return Section("words", "What the words mean", tuple(s for s in sections if s is not None))


def _triggers(ctx: BookContext) -> Section:
    """What happens whenever a condition becomes true, or a piece enters or leaves a zone."""
    steps = [trigger_step(ctx, t) for t in ctx.rules.triggers if not ends(ctx, t)]
    return Section("always", "At any time", (bullets(steps),) if steps else ())


def _promises(ctx: BookContext) -> Section:
    """What holds in every position, as a help for those who check the rules."""
    steps = [step for promise in ctx.rules.invariants for step in _promise(ctx, promise)]
    lead = Paragraph("A check for the table: this never stops being true.")
    return Section("promises", "What is always so", (lead, bullets(steps)) if steps else ())


def _promise(ctx: BookContext, promise: r.Invariant) -> list[Step]:
    with ctx.citing() as clauses:
        said = ctx.clauses(promise.condition)
    return [Step(spell_sentence(node), merge_clauses(promise.clauses, clauses)) for node in said]


def _titles(sections: tuple[Section, ...]) -> dict[str, str]:
    """The title of each section and of each row that has an id."""
    result: dict[str, str] = {}
    for section in sections:
        result[section.id] = section.title
        result |= _titles(tuple(b for b in section.blocks if isinstance(b, Section)))
        rows = (row for b in section.blocks if isinstance(b, Table) for row in b.rows)
        result |= {row.id: plain(row.cells[0].text) for row in rows if row.id}
    return result
