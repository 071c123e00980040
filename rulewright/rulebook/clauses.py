"""The index of the clauses: where each is told, and what those say that are told nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from dsl import rules as r
from rulewright.rulebook.document import DocumentCell, DocumentRow, Paragraph, Section, Table
from rulewright.sentences.context import BookContext
from rulewright.sentences.text import link, slug

KINDS = frozenset({"component", "definition", "example", "flavour", "ruling"})


def clause_id(clause: str) -> str:
    return slug("clause", clause.removeprefix("§"))


@dataclass(frozen=True, slots=True)
class ToldClauses:
    """The ids of the sections that tell each clause, their titles by id, and the headings they show."""

    where: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, str]
    headings: frozenset[str]

    def places(self, clause: str) -> tuple[str, ...]:
        return tuple(id for id in self.where.get(clause, ()) if id in self.titles)

    def shows_heading(self, clause: r.Clause) -> bool:
        """Whether a place where a clause is told has its heading, so that the index need not."""
        titles = (self.titles[id] for id in self.places(clause.id))
        return clause.heading in self.headings or clause.heading in titles


def clause_index(ctx: BookContext, told: ToldClauses) -> tuple[Section, ...]:
    """A row for neighbours that are told at the same places, in the rulebook's order."""
    rules = ctx.rules
    if not rules.clauses:
        return ()
    runs = groupby(rules.clauses.values(), key=lambda clause: _told_at(ctx, clause, told))
    rows = tuple(_row(ctx, tuple(clauses), where, told) for where, clauses in runs)
    lead = Paragraph(ctx.say("clauses-lead"))
    head = (ctx.say("head-clause"), ctx.say("head-told"))
    return (Section("clauses", ctx.say("chapter-clauses"), (lead, Table(head, rows))),)


def _told_at(ctx: BookContext, clause: r.Clause, told: ToldClauses) -> str:
    links = ", ".join(link(id, told.titles[id]) for id in told.places(clause.id))
    return links or clause.excluded.get("rendered", "")


def _row(ctx: BookContext, clauses: Sequence[r.Clause], where: str, told: ToldClauses) -> DocumentRow:
    text = "; ".join(_listed(ctx, clauses, told))
    first, *others = (clause_id(clause.id) for clause in clauses)
    return DocumentRow((DocumentCell(text), DocumentCell(where)), first, tuple(others))


def _listed(ctx: BookContext, clauses: Sequence[r.Clause], told: ToldClauses) -> Iterator[str]:
    """Each clause by its number, with its heading or summary where no other place has them."""
    for bare, group in groupby(clauses, key=told.shows_heading):
        if bare:
            yield from _ranges([clause.id for clause in group])
        else:
            yield from (_said(ctx, clause, told) for clause in group)


def _said(ctx: BookContext, clause: r.Clause, told: ToldClauses) -> str:
    if told.places(clause.id):
        return f"{clause.id} {clause.heading}"
    kind = f" ({ctx.say(f'clause-kind-{clause.kind}')})" if clause.kind in KINDS else ""
    summary = f": {clause.says.removesuffix('.')}" if clause.says and clause.kind != "flavour" else ""
    return f"{clause.id} {clause.heading}{kind}{summary}"


def _ranges(ids: Sequence[str]) -> Iterator[str]:
    """`§4.5 – §4.8` for clauses whose numbers follow each other."""
    first = last = ids[0]
    for id in (*ids[1:], ""):
        if _follows(last, id):
            last = id
            continue
        yield first if first == last else f"{first} – {last}"
        first = last = id


def _follows(one: str, other: str) -> bool:
    """Whether a clause has the number after that of another in its chapter."""
    (chapter, _, number), (next_chapter, _, next_number) = one.rpartition("."), other.rpartition(".")
    numbered = number.isdigit() and next_number.isdigit()
    return numbered and chapter == next_chapter and int(next_number) == int(number) + 1
