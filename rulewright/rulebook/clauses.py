"""The index of the clauses: what each says, and the sections that cite it."""

from __future__ import annotations

from dsl import rules as r
from rulewright.rulebook.document import DocumentRow, Paragraph, Section, Table, row
from rulewright.sentences.text import link, slug

KINDS = {
    "component": "component",
    "definition": "definition",
    "example": "example",
    "flavour": "colour",
    "ruling": "ruling",
}


def clause_id(clause: str) -> str:
    return slug("clause", clause.removeprefix("§"))


def clause_index(
    rules: r.Rules, where: dict[str, tuple[str, ...]], titles: dict[str, str]
) -> tuple[Section, ...]:
    """A row for each clause, in the rulebook's order; nothing without clauses."""
    if not rules.clauses:
        return ()
    rows = tuple(_row(clause, where.get(clause.id, ()), titles) for clause in rules.clauses.values())
    lead = Paragraph(
        "Every clause of the rulebook, summed up in other words, and where these pages tell it. "
        "A clause that is told nowhere is no rule, or belongs to a variant or reading that is left out here."
    )
    table = Table(("Clause", "What it says", "Told in"), rows)
    return (Section("clauses", "Index of clauses", (lead, table)),)


def _row(clause: r.Clause, sections: tuple[str, ...], titles: dict[str, str]) -> DocumentRow:
    kind = KINDS.get(clause.kind, "")
    heading = clause.heading + (f" ({kind})" if kind else "")
    reason = clause.excluded.get("rendered", "")
    places = ", ".join(link(id, titles[id]) for id in sections if id in titles) or reason or "–"
    text = f"{heading}. {clause.says}" if clause.says else heading
    return row(clause.id, text, places, id=clause_id(clause.id))
