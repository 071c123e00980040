"""The clauses of the rulebook: where each is told, and what those say that are told nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from dsl import rules as r
from rulewright.rulebook.document import DocumentBlock, DocumentCell, DocumentRow, Paragraph, Section, Table
from rulewright.sentences.context import BookContext
from rulewright.sentences.text import link, slug

KINDS = frozenset({"component", "definition", "example", "ruling"})


def clause_id(clause: str) -> str:
    return slug("clause", clause.removeprefix("§"))


@dataclass(frozen=True, slots=True)
class ToldClauses:
    """The ids of the sections that tell each clause, and their titles by id."""

    where: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, str]

    def places(self, clause: str) -> tuple[str, ...]:
        return tuple(id for id in self.where.get(clause, ()) if id in self.titles)


def clause_index(ctx: BookContext, told: ToldClauses) -> tuple[Section, ...]:
    """Where the clauses are told, then those that are told nowhere, in the rulebook's order."""
    if not ctx.rules.clauses:
        return ()
    placed = list(_told_at(ctx.rules.clauses.values(), told))
    runs = groupby((each for each in placed if each[1]), key=lambda each: each[1])
    at = [(id, [clause for clause, _ in run]) for id, run in runs]
    rows = tuple(_row(_ranges([c.id for c in run]), link(id, told.titles[id]), run) for id, run in at)
    index = Table((ctx.say("head-clause"), ctx.say("head-told")), rows, aside=True)
    left = [clause for clause, place in placed if not place]
    untold = tuple(_row([c.id], _said(ctx, c), [c]) for c in left if _is_told(ctx, c))
    others = tuple(_untold(ctx, [clause for clause in left if not _is_told(ctx, clause)]))
    head = (ctx.say("head-clause"), ctx.say("head-says"))
    blocks: list[DocumentBlock] = [index] if rows else []
    if untold:
        blocks += [Paragraph(ctx.say("clauses-lead")), Table(head, untold)]
    blocks += [Table(head, others, aside=True)] if others else []
    return (Section("clauses", ctx.say("chapter-clauses"), tuple(blocks)),)


def _is_told(ctx: BookContext, clause: r.Clause) -> bool:
    """Whether a text has to say it if no sentence does: an example adds nothing to the rules."""
    return clause.kind != "example" and not _no_rule(ctx, clause)


def _told_at(clauses: Iterable[r.Clause], told: ToldClauses) -> Iterator[tuple[r.Clause, str]]:
    """Each clause with the id of one place that tells it: that of the clause before, if it is one of them."""
    last = ""
    for clause in clauses:
        places = told.places(clause.id)
        last = last if last in places else next(iter(places), "")
        yield clause, last


def _untold(ctx: BookContext, clauses: Sequence[r.Clause]) -> Iterator[DocumentRow]:
    """What each of these examples says; then the clauses that are no rules together, by the reason."""
    reasons: dict[str, list[r.Clause]] = {}
    for clause in clauses:
        reason = _no_rule(ctx, clause)
        if reason:
            reasons.setdefault(reason, []).append(clause)
        else:
            yield _row([clause.id], _said(ctx, clause), [clause])
    for reason, alike in reasons.items():
        yield _row(_ranges([clause.id for clause in alike]), reason, alike)


def _row(ids: Iterable[str], text: str, clauses: Sequence[r.Clause]) -> DocumentRow:
    first, *others = (clause_id(clause.id) for clause in clauses)
    return DocumentRow((DocumentCell("; ".join(ids)), DocumentCell(text)), first, tuple(others))


def _no_rule(ctx: BookContext, clause: r.Clause) -> str:
    """Why a clause needs no telling; empty if it does."""
    return ctx.say("clause-kind-flavour") if clause.kind == "flavour" else clause.excluded.get("rendered", "")


def _said(ctx: BookContext, clause: r.Clause) -> str:
    kind = f" ({ctx.say(f'clause-kind-{clause.kind}')})" if clause.kind in KINDS else ""
    summary = f": {clause.says.removesuffix('.')}" if clause.says else ""
    return f"{clause.heading}{kind}{summary}"


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
