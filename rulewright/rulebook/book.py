"""The whole book: the rules of a game for one configuration, in sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.i18n.messages import Messages
from rulewright.provenance import provenance_lines
from rulewright.rulebook.clauses import ToldClauses, clause_index
from rulewright.rulebook.components import components, kinds, places
from rulewright.rulebook.definitions import routine_section, trigger_step
from rulewright.rulebook.document import (
    Book,
    DocumentBlock,
    Paragraph,
    Section,
    Table,
    all_sections,
    bullets,
    marked_once,
    sections_by_clause,
    without_marks,
)
from rulewright.rulebook.glance import glance, moments, without_repeated
from rulewright.rulebook.homes import homes, with_added
from rulewright.rulebook.in_short import in_short
from rulewright.rulebook.phases import course
from rulewright.rulebook.rulings import rulings, variants
from rulewright.rulebook.sample_match import PlayableGames, sample_match
from rulewright.rulebook.scoring import ending, ends
from rulewright.rulebook.set_up import set_up
from rulewright.rulebook.tables import tables
from rulewright.rulebook.unneeded import without_unneeded
from rulewright.rulebook.values import collection_section, value_section
from rulewright.rulebook.worked import account, example, pieces, prepared_table
from rulewright.sentences.by_players import players
from rulewright.sentences.collections import component_of
from rulewright.sentences.context import BookContext
from rulewright.sentences.expressions import is_said_in_place
from rulewright.sentences.moves import general_rules
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration
from rulewright.sentences.passes import new_context, noun_of
from rulewright.sentences.realise import spell_sentence
from rulewright.sentences.steps import is_described_in_place
from rulewright.sentences.text import Step, merge_clauses, plain

MANY_ROWS = 3
"""So many rows of a table that cite a clause are named by the table."""
BESIDES = ("short", "places", "promises")
"""Sections that are named only if no other one tells a clause: they tell little of it."""
MOST_PLACES = 2
"""At most so many places are named where a clause is told."""


def write_book(lexicon: Lexicon, config: Configuration) -> Book:
    """The book: what one plays by in the order in which one needs it, then all else for reference."""
    ctx = new_context(lexicon, config)
    games = PlayableGames(ctx)
    played = sample_match(ctx, games)
    ctx.at_glance = moments(ctx)
    told = course(ctx)
    faces, table = (pieces(ctx, played), prepared_table(ctx, played)) if played is not None else (None, None)
    box, prepared = components(ctx, faces), set_up(ctx, games, told.set_up, table)
    shown = [example(ctx, played)] if played is not None and played.turn else []
    at_a_glance = glance(ctx, told.chart, told.play)
    general = map(Paragraph, general_rules(ctx))
    play = Section(
        "course",
        ctx.say("chapter-course"),
        (*general, *told.play, *shown, *_nested(_procedures(ctx), _triggers(ctx))),
    )
    end = ending(ctx, account(ctx, played) if played is not None else ())
    body = _nested(in_short(ctx), box, prepared, at_a_glance, play, end)
    words, body = _words(ctx, body)
    table_sections = tables(ctx)
    *body_, words = without_unneeded(ctx, (*without_repeated(body, at_a_glance), words))
    body = tuple(body_)
    looked_up = _nested(words, *table_sections, variants(ctx), rulings(ctx, (*body, words, *table_sections)))
    body, looked_up = marked_once(body), marked_once(looked_up)
    known = frozenset(sections_by_clause((*body, *looked_up)))
    lying = without_marks(places(ctx), known)
    reference = (*looked_up[: len(_nested(words))], *_nested(lying), *looked_up[len(_nested(words)) :])
    reference = (*reference, *_nested(_promises(ctx, known)))
    written = (
        *body,
        *((Section("reference", ctx.say("chapter-reference"), reference),) if reference else ()),
    )
    where = {clause: _shortened(written, ids) for clause, ids in sections_by_clause(written).items()}
    index = clause_index(ctx, ToldClauses(where, _titles(written)))
    whole = (
        (*body, Section("reference", ctx.say("chapter-reference"), (*reference, *index)))
        if reference or index
        else body
    )
    return Book(ctx.rules.title, _leads(ctx, config), whole, where)


def _nested(*sections: Section) -> tuple[Section, ...]:
    """Those that have something to say."""
    return tuple(section for section in sections if section.blocks)


def _shortened(sections: tuple[Section, ...], ids: tuple[str, ...]) -> tuple[str, ...]:
    """Where a clause is told: in place of many rows of a table its section, and no more than a few places."""
    tables = _sections_of_rows(sections)
    rows = Counter(tables[id] for id in ids if id in tables)
    places = (tables[id] if id in tables and rows[tables[id]] >= MANY_ROWS else id for id in ids)
    told = tuple(dict.fromkeys(places))
    return (tuple(id for id in told if id not in BESIDES) or told)[:MOST_PLACES]


def _sections_of_rows(sections: Iterable[Section]) -> dict[str, str]:
    """The section of each row that has an id."""
    return {
        x.id: section.id
        for section in all_sections(sections)
        for block in section.blocks
        if isinstance(block, Table)
        for x in block.rows
        if x.id
    }


def _leads(ctx: BookContext, config: Configuration) -> tuple[str, ...]:
    """For how many players it is, which game it changes, and what in it is not known to be as printed."""
    rules = ctx.rules
    told = Messages(ctx.say.language, "page") if ctx.grammar is not None else None
    spoken = replace(rules, labels=dict(ctx.lexicon.labels), nouns=dict(ctx.lexicon.nouns))
    known = "; ".join(provenance_lines(spoken, told))
    origin = (ctx.say("origin", known=known),) if known else ()
    if not rules.bases:
        return (_lead(ctx, config), *origin)
    title = rules.bases[-1][1]
    return (_lead(ctx, config), ctx.say("overlay", title=title), *origin)


def _lead(ctx: BookContext, config: Configuration) -> str:
    low, high = config.counts[0], config.counts[-1]
    if low == high:
        return ctx.say("for-players", players=players(ctx, low))
    counted = (
        ctx.lexicon.player.one
        if ctx.grammar is not None and ctx.say.language == "hu"
        else noun_of(ctx, "seat").many
    )
    if high - low >= len(config.counts):
        numbers = ctx.listed([str(count) for count in config.counts])
        return ctx.say("for-numbers", numbers=numbers, players=counted)
    return ctx.say("for-range", low=low, high=high, players=counted)


def _procedures(ctx: BookContext) -> Section:
    """What is done at more than one place, or offered within something else."""
    known = ctx.described | ctx.usage.idle
    left = [n for n in ctx.rules.routines if n in ctx.usage.played and n not in known]
    names = [n for n in left if not is_described_in_place(ctx, n)]
    sections = tuple(routine_section(ctx, name) for name in names)
    return Section("procedures", ctx.say("chapter-procedures"), sections)


def _words(ctx: BookContext, body: tuple[Section, ...]) -> tuple[Section, tuple[Section, ...]]:
    """The definitions of values that have a name; those that one section of the body needs are told there.

    Of one that only repeats a name nothing but its clauses is told, at the heading.
    """
    values = ctx.rules.values.values()
    named = [v.name for v in values if not is_said_in_place(ctx, v) and ctx.usage.values[v.name]]
    sections = {name: value_section(ctx, name) for name in named}
    used = [c for c in ctx.rules.collections.values() if ctx.usage.values[c.name]]
    sections |= {c.name: collection_section(ctx, c) for c in used}
    told = {name: section for name, section in sections.items() if section is not None}
    known = {section.id for section in all_sections(body)}
    homeless, added = [], dict[str, list[Section]]()
    at_home = homes(ctx, told)
    for name, section in told.items():
        if at_home.get(name) in known:
            added.setdefault(at_home[name], []).append(section)
        else:
            homeless.append(section)
    listed = kinds(ctx)
    clauses = tuple(clause for section in homeless if not section.blocks for clause in section.clauses)
    in_order = sorted(homeless, key=lambda section: not section.bare)
    blocks: tuple[DocumentBlock, ...] = (*([listed] if listed else []), *_nested(*in_order))
    ctx.repeating.update(name for name, section in told.items() if not section.blocks)
    return Section("words", ctx.say("chapter-words"), blocks, clauses), with_added(body, added)


def _triggers(ctx: BookContext) -> Section:
    """What happens whenever a condition becomes true, or a piece enters or leaves a zone."""
    steps = [trigger_step(ctx, t) for t in ctx.rules.triggers if not ends(ctx, t)]
    return Section("always", ctx.say("chapter-always"), (bullets(steps),) if steps else ())


def _promises(ctx: BookContext, known: frozenset[str]) -> Section:
    """What holds in every position and has a clause that is not `known` from elsewhere.

    All else follows from the rules; what is said of tables alone stands in them.
    """
    told = (promise for promise in ctx.rules.invariants if _is_of_play(ctx, promise))
    every = (step for promise in told for step in _promise(ctx, promise))
    steps = [step for step in every if not known.issuperset(step.clauses)]
    lead = Paragraph(ctx.say("promises-lead"))
    return Section("promises", ctx.say("chapter-promises"), (lead, bullets(steps)) if steps else ())


def _is_of_play(ctx: BookContext, promise: r.Invariant) -> bool:
    """Whether a promise is about what changes in a match, itself or through the values that it names."""
    waiting: list[object] = [ctx.folding.expr(promise.condition)]
    known = set[str]()
    while waiting:
        tree = waiting.pop()
        for part in walk(tree, lambda node: not _is_component(ctx, node)):
            match part:
                case r.ReadStateVar() | r.SlotPiece() | r.InZone() | r.Special() | r.PlaceOf():
                    return True
                case r.UseValue(value=name) if name not in known:
                    known.add(name)
                    waiting.append(ctx.rules.values[name].parts)
                case r.UseCollection(value=name) if name not in known:
                    known.add(name)
                    waiting.append(ctx.rules.collections[name].collection)
    return False


def _is_component(ctx: BookContext, node: object) -> bool:
    return isinstance(node, r.Sum) and component_of(ctx, node.parts) is not None


def _promise(ctx: BookContext, promise: r.Invariant) -> list[Step]:
    with ctx.citing() as clauses:
        said = ctx.clauses(promise.condition)
    return [Step(spell_sentence(node), merge_clauses(promise.clauses, clauses)) for node in said]


def _titles(sections: tuple[Section, ...]) -> dict[str, str]:
    """The title of each section and of each row that has an id."""
    result: dict[str, str] = {}
    for section in all_sections(sections):
        result[section.id] = section.title
        rows = (row for b in section.blocks if isinstance(b, Table) for row in b.rows)
        result |= {row.id: plain(row.cells[0].text) for row in rows if row.id}
    return result
