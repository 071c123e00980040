"""What is said of a value beside its columns: the author's words for it, or where the rules mention it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dsl import rules as r
from dsl.domains import EffectType, EnumType
from dsl.rules.visit import walk
from rulewright.rulebook.values import value_id
from rulewright.sentences.context import BookContext
from rulewright.sentences.expressions import is_said_in_place
from rulewright.sentences.steps import routine_id, routine_title
from rulewright.sentences.summaries import numbers_in
from rulewright.sentences.text import link, slug

SENTENCE = re.compile(r"(?<=[.!?])\s+")
NUMBER = re.compile(r"\d+")
WORD = re.compile(r"[^\W\d_]+")
LETTERS, STEM = 5, 4
"""Words of fewer letters do not count; others are the same if so many of their first letters are."""


def table_id(name: str) -> str:
    return slug("table", name)


def remarks(ctx: BookContext, decl: r.TypeDecl, value: int, row: Iterable[str]) -> str:
    """The author's words for a value, without what its `row` says; else where the rules mention it."""
    help_ = ctx.lexicon.helps.get(decl.label(value), "")
    if help_:
        return _without_told(help_, tuple(row))
    where = ctx.listed([ctx.say("quoted", it=w) for w in dict.fromkeys(_mentions(ctx, decl, value))])
    return ctx.say("see-where", where=where) if where else ""


def _without_told(text: str, row: tuple[str, ...]) -> str:
    """A text without sentences that only repeat the numbers of a row, given as its heads and cells."""
    told = " ".join(row)
    numbers, stems = _numbers(told), _stems(told)

    def repeats(sentence: str) -> bool:
        said = _numbers(sentence)
        return bool(said) and said <= numbers and _stems(sentence) <= stems

    return " ".join(sentence for sentence in SENTENCE.split(text) if not repeats(sentence))


def _numbers(text: str) -> set[int]:
    return numbers_in(text) | {int(number) for number in NUMBER.findall(text)}


def _stems(text: str) -> set[str]:
    return {word[:STEM].lower() for word in WORD.findall(text) if len(word) >= LETTERS}


def _mentions(ctx: BookContext, decl: r.TypeDecl, value: int) -> Iterator[str]:
    """The titles of what mentions a value, with links."""

    def mentioned(tree: object) -> bool:
        constants = ((p.type, p.value) for p in walk(tree) if isinstance(p, r.Const))
        return any(isinstance(t, EnumType) and (t.type, v) == (decl.name, value) for t, v in constants)

    rules, lexicon = ctx.rules, ctx.lexicon
    for routine in rules.routines.values():
        if routine.name in ctx.usage.played and mentioned(ctx.folding.block(routine.block)):
            yield link(*_section_of(ctx, routine.name))
    for definition in rules.values.values():
        if mentioned(definition.parts) and ctx.usage.values[definition.name]:
            title = lexicon.noun(definition.name).one
            in_place = is_said_in_place(ctx, definition) or definition.name in ctx.repeating
            yield title if in_place else link(value_id(definition.name), title)
    for line in rules.scores:
        if mentioned(line.value):
            yield link("scoring", lexicon.label(line.name))


def _section_of(ctx: BookContext, routine: str) -> tuple[str, str]:
    """The id and title of where a routine is described: in another, in the cell of a table, or by itself."""
    if routine in ctx.section_of:
        return ctx.section_of[routine]
    id = _table_with(ctx.rules, routine) if ctx.usage.is_in_cell(routine) else routine_id(routine)
    return id, routine_title(ctx, routine)


def _table_with(rules: r.Rules, effect: str) -> str:
    """The id of the first table that has an effect in its cells."""
    cells = {i for i, (name, _) in enumerate(rules.cells) if name == effect}

    def holds(column: r.Column | r.Table) -> bool:
        return isinstance(column.type, EffectType) and not cells.isdisjoint(column.values)

    owners: list[r.Component | r.TypeDecl] = [*rules.components.values(), *rules.types.values()]
    names = [decl.name for decl in owners if any(map(holds, decl.columns.values()))]
    names += [table.name for table in rules.tables.values() if holds(table)]
    return table_id(names[0].removesuffix(" row"))
