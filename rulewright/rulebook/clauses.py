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
    lead = Paragraph("Every clause, and where these pages tell it; what they do not tell is summed up here.")
    return (Section("clauses", "Index of clauses", (lead, Table(("Clause", "Heading", "Told in"), rows))),)


def _row(clause: r.Clause, sections: tuple[str, ...], titles: dict[str, str]) -> DocumentRow:
    kind = KINDS.get(clause.kind, "")
    told = ", ".join(link(id, titles[id]) for id in sections if id in titles)
    heading = clause.heading + (f" ({kind})" if kind and not told else "")
    text = f"{heading}. {clause.says}" if clause.says and not told else heading
    return row(clause.id, text, told or clause.excluded.get("rendered", "") or "–", id=clause_id(clause.id))
