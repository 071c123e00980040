"""What a difference is: a change of one thing, in facts and in lines."""

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
"""The chapters of a report, those first that a player would notice first."""


@dataclass(frozen=True, slots=True)
class FactChange:
    """Something that is said of a thing, before and now; empty where it is not said.

    With `parts`, `old` are the parts that are gone and `new` those that have come; the others stay.
    """

    what: str
    old: str
    new: str
    parts: bool = False


@dataclass(frozen=True, slots=True)
class LineEdit:
    """A line that is gone or new, with the clauses that it cites. `depth` is how far it is indented."""

    sign: Literal["-", "+"]
    text: str
    depth: int
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What has become of one thing. `was` is its old name if it is renamed; a row is `of` what has the table.

    `clauses` are those that its declaration or header cites, before or now.
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
        """As much of the change as belongs to a clause; `None` asks for what belongs to none.

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
