"""Which lines of the files are not as they were committed."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from dsl.folder import Folder
from rulewright.studio.common_ends import common_ends
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
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [
        {
            "kind": {"insert": "added", "delete": "removed"}.get(what, "changed"),
            "first": start + low + 1,
            "last": start + high,
            "old": a[i:j],
        }
        for what, i, j, low, high in blocks
        if what != "equal"
    ]
