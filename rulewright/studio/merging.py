"""Two edits of one text put together, line by line, where they do not touch.

This is the three-way comparison of `diff3` (Khanna, Kunal, Pierce 2007: "A Formal Investigation of Diff3").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dsl.sequences import common_ends, differences
from rulewright.studio.line_changes import MOST_LINES


@dataclass(frozen=True)
class Hunk:
    """Lines `first` to `last`, less the last, of the old text become others."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Merged:
    """The text with both edits; none if both change the same lines, or the texts are too long to be compared.

    `clash` are the lines that both change, of the old text, from 1.
    """

    text: str | None
    clash: tuple[int, int] | None = None


def merged(base: str, mine: str, theirs: str) -> Merged:
    """The text in which both are done to `base`. Where both do the same it is done once."""
    old = base.split("\n")
    if max(len(old), mine.count("\n"), theirs.count("\n")) > MOST_LINES:
        return Merged(None)
    hunks = sorted(
        {*_hunks(old, mine.split("\n")), *_hunks(old, theirs.split("\n"))},
        key=lambda one: (one.first, one.last),
    )
    for before, after in pairwise(hunks):
        if _touch(before, after):
            return Merged(None, (before.first + 1, max(before.last, after.last, before.first + 1)))
    done: list[str] = []
    at = 0
    for hunk in hunks:
        done += [*old[at : hunk.first], *hunk.lines]
        at = hunk.last
    return Merged("\n".join([*done, *old[at:]]))


def _touch(before: Hunk, after: Hunk) -> bool:
    """Whether two edits, the first of which begins no later, are about the same lines, or insert there."""
    if after.first < before.last or after.first == before.first:
        return True
    return after.first == before.last and after.first == after.last


def _hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    start, end = common_ends(old, new)
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    return [
        Hunk(start + before.start, start + before.stop, tuple(b[now.start : now.stop]))
        for same, before, now in differences(a, b)
        if not same
    ]
