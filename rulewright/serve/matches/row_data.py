"""What the data of the rows of a log must have, so that who folds or replays them meets no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rulewright.serve.store import records as rec
from rulewright.serve.store.storage import LogRow

DATA: Mapping[str, rec.Check] = {
    "words": rec.is_text,
    "hash": rec.is_text,
    "by": rec.is_text,
    "stream": rec.is_text,
    "outcome": rec.is_text,
    "supplied": rec.is_flag,
    "branch": rec.is_seat,
    "joined": rec.is_flag,
    "asked": rec.each(rec.is_seat),
    "taken": lambda value: isinstance(value, list) and len(value) == 5,
    "text": rec.optional(rec.is_text),
    "left": rec.is_whole,
    "answers": rec.is_whole,
    "outcomes": rec.texts_of(rec.each(rec.optional(rec.is_text))),
    "removed": rec.each(rec.is_whole),
    "hashes": rec.each(rec.is_text),
    "step": rec.is_whole,
    "what": rec.one_of("undo", "repair", "abandon", "rematch"),
    "data": rec.shaped({"number": rec.is_whole, "step": rec.is_whole, "outcome": rec.is_text}),
    "needed": rec.each(rec.is_seat),
    "proposal": rec.is_whole,
    "agree": rec.is_flag,
    "event": rec.one_of("begun", "restarted", "expired"),
    "then": rec.one_of("forfeit", "absent"),
    "digest": rec.is_text,
}
"""What the data of a row of a log may have, by name."""
ACTING = ("choice", "proposal", "answer", "resigned")
"""Kinds of rows that a seat has made."""


def fault_of(row: LogRow) -> str | None:
    """The name of what a row lacks, or has in another shape; None if it is sound."""
    data = row.data
    for name in _needed(row):
        if name not in data:
            return name
    for name, value in data.items():
        if name in DATA and not DATA[name](value):
            return name
    return "seat" if row.seat is None and (row.kind in ACTING or "then" in data) else None


def _needed(row: LogRow) -> tuple[str, ...]:
    """What the data of a row must have."""
    match row.kind:
        case "start" | "resigned" | "abandoned":
            return ()
        case "choice":
            return ("words",)
        case "chance":
            return ("stream", "outcome")
        case "told":
            return ("text",)
        case "undo" | "repair":
            return ("removed", "hashes") if "removed" in row.data else ("left", "outcomes")
        case "proposal":
            return ("what", "data", "needed")
        case "answer":
            return ("proposal", "agree")
        case "clock":
            return ("event", "then") if row.data.get("event") == "expired" else ("event",)
        case "migrated":
            return ("hashes",)
    assert_never(row.kind)
