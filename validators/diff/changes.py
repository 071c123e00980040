"""The data model of a comparison: a change of one declaration, in facts and lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from dsl.source import Span

Verb = Literal["added", "removed", "renamed", "changed"]

SECTIONS: dict[str, str] = {
    "game": "the game",
    "variants": "options and rulings",
    "flow": "the course of play",
    "actions": "what may be done",
    "scores": "the account",
    "effects": "effects",
    "pieces": "pieces and boards",
    "tables": "tables and constants",
    "zones": "where pieces lie, and who sees them",
    "stores": "what is counted and noted",
    "routines": "procedures, values and triggers",
    "promises": "promises",
    "words": "what people read",
    "clauses": "the rulebook",
    "findings": "findings that are allowed",
}
"""The chapters of a report: what players notice first comes first."""


@dataclass(frozen=True, slots=True)
class FactChange:
    """A property before and after; empty if it is missing.

    With `parts`, `old` lists only the parts that are removed and `new` those that are added.
    """

    what: str
    old: str
    new: str
    parts: bool = False


@dataclass(frozen=True, slots=True)
class LineEdit:
    """A line that is removed or added, with its clauses. `depth` is its indentation."""

    sign: Literal["-", "+"]
    text: str
    depth: int
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one declaration. `was` is its old name if it is renamed; a row is `of` its type.

    `clauses` are those of its declaration or header, before or after.
    """

    section: str
    noun: str
    name: str
    verb: Verb
    was: str
    facts: tuple[FactChange, ...]
    edits: tuple[LineEdit, ...]
    clauses: tuple[str, ...]
    old: Span | None
    new: Span | None
    of: str = ""

    @property
    def cited(self) -> tuple[str, ...]:
        """Every clause that the change touches, each once."""
        of_lines = (clause for edit in self.edits for clause in edit.clauses)
        return tuple(dict.fromkeys((*self.clauses, *of_lines)))

    def of_clause(self, clause: str | None) -> Change | None:
        """The part of the change that belongs to a clause; with `None`, to no clause.

        A line that cites nothing belongs to the clauses of its definition.
        """
        edits = tuple(e for e in self.edits if _belongs(clause, e.clauses or self.clauses))
        whole = _belongs(clause, self.clauses)
        facts = self.facts if whole else ()
        if not edits and not facts and not (whole and not self.edits):
            return None
        return replace(self, edits=edits, facts=facts)


def _belongs(clause: str | None, cited: tuple[str, ...]) -> bool:
    return clause in cited if clause is not None else not cited
