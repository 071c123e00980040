"""Passages as lines of text, for terminals and reports."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.game import MatchRecord
from interpreter.redacted_log import Entry, entries
from rulewright.story.names import TableNames
from rulewright.story.passages import Passage, passages


def one_line(names: TableNames, passage: Passage, note: str = "") -> str:
    """`B: take money with 5 — coins of B: 3 → 8`. A note stands behind the choice."""
    head, facts = _head(names, passage), "; ".join(passage.facts)
    if passage.head:
        head += note
    return f"{head} — {facts}" if head and facts else head or facts


def lines_of(names: TableNames, told: Iterable[Entry]) -> list[str]:
    """Some entries: each choice, or turn that begins, and each fact in a line."""
    lines: list[str] = []
    for passage in passages(names, told):
        lines += [head] if (head := _head(names, passage)) else []
        lines += passage.facts
    return lines


def step_lines(names: TableNames, match: MatchRecord, viewer: int) -> dict[int, list[str]]:
    """The lines that a viewer may read, by the number of the step that they tell of."""
    told: dict[int, list[Entry]] = {}
    for entry in entries(match, viewer):
        told.setdefault(entry.step, []).append(entry)
    return {step: lines_of(names, told[step]) for step in sorted(told)}


def story(match: MatchRecord, viewer: int) -> list[str]:
    """All lines that a viewer may read of a match."""
    names = TableNames.of(match.game)
    return [line for lines in step_lines(names, match, viewer).values() for line in lines]


def _head(names: TableNames, passage: Passage) -> str:
    if passage.turn is not None:
        return names.messages("table-story-turn", seat=names.seat(passage.turn))
    return passage.head
