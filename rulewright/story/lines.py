"""Passages as lines of text, for terminals and reports."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.game import MatchRecord
from interpreter.redacted_log import Entry, entries
from rulewright.story.names import TableNames
from rulewright.story.passages import Passage, passages


def one_line(passage: Passage, note: str = "") -> str:
    """`B: take money with 5 — coins: 3 → 8`. A note stands behind what was done."""
    facts = "; ".join(passage.facts)
    head = f"{passage.head}{note}" if passage.head else ""
    return f"{head} — {facts}" if head and facts else head or facts


def lines_of(names: TableNames, told: Iterable[Entry]) -> list[str]:
    """Some entries, a line for each passage."""
    return [one_line(passage) for passage in passages(names, told)]


def step_lines(names: TableNames, match: MatchRecord, viewer: int) -> dict[int, list[str]]:
    """The lines that a viewer may read, by the number of the step in which what they tell of began."""
    told, lines = entries(match, viewer), dict[int, list[str]]()
    for passage in passages(names, told):
        lines.setdefault(told[passage.first].step, []).append(one_line(passage))
    return lines
