"""The sections on variants and rulings: what may be chosen, and how open questions are settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from dsl import rules as r
from dsl.domains import FlagType, IntType, SetType
from dsl.option_sets import size_text
from rulewright.rulebook.definitions import routine_section
from rulewright.rulebook.document import (
    DocumentBlock,
    DocumentCell,
    DocumentRow,
    Paragraph,
    Section,
    Table,
    bullets,
    in_sentences,
    row,
)
from rulewright.rulebook.phases import added_steps
from rulewright.rulebook.scoring import score_line
from rulewright.rulebook.values import value_section
from rulewright.sentences.by_players import by_text, told
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, sentence
from rulewright.sentences.expressions import is_said_in_place
from rulewright.sentences.passes import new_context
from rulewright.sentences.steps import is_described_in_place
from rulewright.sentences.text import Step, plain, slug, strong


def variants(ctx: BookContext) -> Section:
    """Options with the values that this book is written for, then what other values would change."""
    options = [o for o in ctx.rules.options.values() if not o.readings]
    rows = tuple(_option(ctx, o) for o in options)
    table = Table((ctx.say("head-variant"), ctx.say("head-in-this-book"), ctx.say("head-may-also-be")), rows)
    others = (_variant(ctx, o, v) for o in options for v in _other_values(ctx, o))
    sections = (section for section in others if section.blocks)
    return Section("variants", ctx.say("chapter-variants"), (table, *sections) if options else ())


def _other_values(ctx: BookContext, option: r.Option) -> list[int]:
    """The values that this book leaves out; none for a range of numbers, and for sets, which are many."""
    if isinstance(option.type, IntType | SetType):
        return []
    return [v for v in range(len(option.values)) if v != ctx.folding.config.options[option.name]]


def _variant(ctx: BookContext, option: r.Option, value: int) -> Section:
    """What a variant adds and changes."""
    config = ctx.folding.config
    other = new_context(ctx.lexicon, replace(config, options={**config.options, option.name: value}))
    other.at_glance = ctx.at_glance
    names = [n for n in ctx.rules.routines if n in other.usage.played and n not in ctx.usage.played]
    added = tuple(routine_section(other, n) for n in names if not is_described_in_place(other, n))
    id = slug("variant", f"{option.name}-{option.values[value]}")
    changed = tuple(replace(s, id=f"{id}-{s.id}") for s in _changed(ctx, other))
    blocks: list[DocumentBlock] = []
    if added:
        blocks += [Paragraph(ctx.say("variant-more")), bullets(added_steps(other, names))]
        blocks += added
    if changed:
        blocks += [Paragraph(ctx.say("variant-new")), *changed]
    lines = tuple(_account_lines(ctx, other))
    if lines:
        blocks += [Paragraph(ctx.say("variant-account")), bullets(lines)]
    return Section(id, _variant_title(ctx, option, value), tuple(blocks))


def _account_lines(ctx: BookContext, other: BookContext) -> Iterator[Step]:
    """The lines of the account that read differently in the other configuration."""
    for line in ctx.rules.scores:
        after = score_line(other, line)
        if after != score_line(ctx, line):
            nothing = isinstance(count := other.folding.expr(line.value), r.Const) and not count.value
            name = strong(capital(ctx.lexicon.score(line.name)))
            yield Step(ctx.say("count-nothing", name=name), line.clauses) if nothing else after


def _variant_title(ctx: BookContext, option: r.Option, value: int) -> str:
    title = capital(ctx.lexicon.label(option.name))
    if isinstance(option.type, FlagType):
        return title if value else ctx.say("without", title=f"{title[:1].lower()}{title[1:]}")
    return f"{title}: {ctx.lexicon.option_value(option.name, option.values[value])}"


def _changed(ctx: BookContext, other: BookContext) -> list[Section]:
    """Routines that read differently in the other configuration, and values that are new or differ there."""
    changed: list[Section] = []
    for name in ctx.rules.routines:
        both = name in ctx.usage.played and name in other.usage.played
        if both and not ctx.usage.is_in_cell(name):
            after = routine_section(other, name)
            changed += [after] if after != routine_section(ctx, name) else []
    for name, value in ctx.rules.values.items():
        if other.usage.values[name] and not is_said_in_place(other, value):
            before = value_section(ctx, name) if ctx.usage.values[name] else None
            definition = value_section(other, name)
            changed += [definition] if definition is not None and definition != before else []
    return changed


def _option(ctx: BookContext, option: r.Option) -> DocumentRow:
    value = ctx.folding.config.options[option.name]
    name = DocumentCell(capital(ctx.lexicon.label(option.name)), option.clauses)
    return row(name, _shown(ctx, option, value), _others(ctx, option, value), id=slug("option", option.name))


def _shown(ctx: BookContext, option: r.Option, value: int) -> str:
    match option.type:
        case FlagType():
            return ctx.say("yes" if value else "no")
        case IntType():
            return str(value)
        case SetType():
            return _set_shown(ctx, option)
    return ctx.lexicon.option_value(option.name, option.values[value])


def _set_shown(ctx: BookContext, option: r.Option) -> str:
    """The values of a set; if it is another one with each number of players, all of them."""
    config = ctx.folding.config
    if config.is_fixed(option):
        return _all_of(ctx, option, config.options[option.name])
    shown = {n: _all_of(ctx, option, option.sets[n].default) for n in config.counts}
    return "; ".join(
        ctx.say("with-who-text", who=who, text=text) for text, who in by_text(ctx, shown).items()
    )


def _all_of(ctx: BookContext, option: r.Option, value: int) -> str:
    """The values in a set by their labels."""
    shown = [ctx.lexicon.option_value(option.name, member) for member in option.members(value)]
    return ctx.listed(shown) if shown else ctx.say("none")


def _others(ctx: BookContext, option: r.Option, value: int) -> str:
    match option.type:
        case FlagType():
            return ctx.say("no" if value else "yes")
        case IntType(lo, hi):
            return ctx.say("range", low=lo, high=hi)
        case SetType():
            sets = {n: option.sets[n] for n in ctx.folding.config.counts}
            every = reduce(or_, (x.present for x in sets.values()))
            size = told(ctx, {n: size_text(x) for n, x in sets.items()})
            return ctx.say("set-of", size=size, values=_all_of(ctx, option, every))
    others = (v for i, v in enumerate(option.values) if i != value)
    return f" {ctx.say('or-else')} ".join(ctx.lexicon.option_value(option.name, v) for v in others)


def rulings(ctx: BookContext, told: Sequence[Section]) -> Section:
    """What was settled, and which rulings may be chosen otherwise.

    What a sentence in `told` says as the rules have it is not said again. Other readings stand where they
    are chosen.
    """
    known = in_sentences(told) - ctx.summed
    options = [o for o in ctx.rules.options.values() if o.readings]
    chosen = {clause for o in options for clause in o.clauses}
    open_ = [o for o in options if not _is_default(ctx, o) or not known.issuperset(o.clauses)]
    steps = [_ruling(ctx, o) for o in open_]
    rest = (c for c in ctx.rules.clauses.values() if c.kind == "ruling" and c.id not in known | chosen)
    steps += [Step(f"{strong(sentence(c.heading))} {sentence(c.says)}", (c.id,)) for c in rest]
    blocks: list[DocumentBlock] = [Paragraph(ctx.say("rulings-lead")), bullets(steps)] if steps else []
    if options:
        names = ctx.listed([_question(ctx, o) for o in options])
        marks = tuple(dict.fromkeys(c for o in options for c in o.clauses))
        blocks.append(Paragraph(ctx.say("rulings-open", names=names), marks))
    return Section("rulings", ctx.say("chapter-rulings"), tuple(blocks))


def _is_default(ctx: BookContext, option: r.Option) -> bool:
    return ctx.folding.config.options[option.name] == option.default


def _question(ctx: BookContext, option: r.Option) -> str:
    """What a ruling is about."""
    headings = (ctx.rules.clauses[c].heading for c in option.clauses if c in ctx.rules.clauses)
    label = ctx.lexicon.label(option.name)
    title = label if ctx.lexicon.labels.get(option.name) else next(headings, label)
    return ctx.say("quoted", it=title)


def _ruling(ctx: BookContext, option: r.Option) -> Step:
    """What holds, and that it is not the ruling if it is not."""
    reading = list(option.readings.values())[ctx.folding.config.options[option.name]]
    against = "" if _is_default(ctx, option) else ctx.say("against-ruling")
    title = plain(_question(ctx, option)).strip("“”„")
    said = " ".join(sentence(text) for text in (reading, against) if text)
    return Step(f"{strong(sentence(title))} {said}", option.clauses)
