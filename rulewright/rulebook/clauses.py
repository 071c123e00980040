"""The index of the clauses: what each says, and the sections that cite it."""

from __future__ import annotations

from dsl import rules as r
from rulewright.rulebook.document import DocumentRow, Paragraph, Section, Table, row
from rulewright.sentences.context import BookContext
from rulewright.sentences.text import link, slug

KINDS = frozenset({"component", "definition", "example", "flavour", "ruling"})


def clause_id(clause: str) -> str:
    return slug("clause", clause.removeprefix("§"))


def clause_index(
    ctx: BookContext, where: dict[str, tuple[str, ...]], titles: dict[str, str]
) -> tuple[Section, ...]:
    """A row for each clause, in the rulebook's order; nothing without clauses."""
    rules = ctx.rules
    if not rules.clauses:
        return ()
    rows = tuple(_row(ctx, clause, where.get(clause.id, ()), titles) for clause in rules.clauses.values())
    lead = Paragraph(ctx.say("clauses-lead"))
    head = (ctx.say("head-clause"), ctx.say("head-heading"), ctx.say("head-told"))
    return (Section("clauses", ctx.say("chapter-clauses"), (lead, Table(head, rows))),)


def _row(
    ctx: BookContext, clause: r.Clause, sections: tuple[str, ...], titles: dict[str, str]
) -> DocumentRow:
    kind = ctx.say(f"clause-kind-{clause.kind}") if clause.kind in KINDS else ""
    told = ", ".join(link(id, titles[id]) for id in sections if id in titles)
    heading = clause.heading + (f" ({kind})" if kind and not told else "")
    text = f"{heading}. {clause.says}" if clause.says and not told else heading
    return row(clause.id, text, told or clause.excluded.get("rendered", "") or "–", id=clause_id(clause.id))
