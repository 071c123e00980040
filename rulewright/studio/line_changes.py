"""Which lines of the files are not as they were committed."""

from __future__ import annotations

from collections.abc import Mapping

from dsl.folder import Folder
from dsl.sequences import common_ends, differences
from rulewright.studio.rpc import Json

MOST_LINES = 20_000
"""Longer texts are not compared."""


def changed_files(committed: Folder, texts: Mapping[str, str]) -> dict[str, list[Json]]:
    """The changes of lines of each file that has some, by its path."""
    found = {path: changed_lines(_text(committed, path), text) for path, text in texts.items()}
    return {path: changes for path, changes in found.items() if changes}


def _text(folder: Folder, path: str) -> str:
    """The text of a file; empty if it is not there."""
    try:
        return folder.fetch(path).decode("utf-8", "replace").replace("\r\n", "\n")
    except (OSError, ValueError):
        return ""


def changed_lines(old: str, new: str) -> list[Json]:
    """What was added, changed and removed, by lines of the new text, counted from 1.

    `last` is the line before `first` where lines were only removed; `old` are the lines of before.
    """
    before, now = old.split("\n"), new.split("\n")
    if max(len(before), len(now)) > MOST_LINES:
        return []
    start, end = common_ends(before, now)
    a, b = before[start : len(before) - end], now[start : len(now) - end]
    return [
        {
            "kind": "added" if not old else "removed" if not new else "changed",
            "first": start + new.start + 1,
            "last": start + new.stop,
            "old": a[old.start : old.stop],
        }
        for same, old, new in differences(a, b)
        if not same
    ]
