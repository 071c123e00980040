"""Answers of bounded size: what does not fit is left out, and the answer says how much."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

LARGEST = 40_000
"""The characters of an answer as JSON, as the library of the protocol writes it: a line for each entry."""
LONGEST_LISTS = (200, 80, 40, 20, 10, 5, 2)
LONGEST_TEXT = 12_000
LEAST_KEYS = 30
"""So many keys of a mapping are never left out: what an answer consists of has names."""
DEEPEST = 12


def bounded(value: Any) -> tuple[Any, dict[str, int]]:
    """A value as JSON of at most `LARGEST` characters, and how many entries are left out, by their place."""
    for most in LONGEST_LISTS:
        left_out: dict[str, int] = {}
        cut = _cut(value, most, "", left_out, 0)
        if len(json.dumps(cut, ensure_ascii=False, indent=2)) <= LARGEST:
            return cut, left_out
    return {}, {"": 1}


def _cut(value: Any, most: int, at: str, left_out: dict[str, int], depth: int) -> Any:
    if depth > DEEPEST:
        left_out[at] = left_out.get(at, 0) + 1
        return None
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        left_out[at] = len(value) - LONGEST_TEXT
        return value[:LONGEST_TEXT]
    if isinstance(value, dict):
        if len(value) > (most_keys := max(most, LEAST_KEYS)):
            left_out[at] = left_out.get(at, 0) + len(value) - most_keys
        shown = islice(value.items(), most_keys)
        return {key: _cut(part, most, f"{at}/{key}", left_out, depth + 1) for key, part in shown}
    if isinstance(value, list):
        if len(value) > most:
            left_out[at] = left_out.get(at, 0) + len(value) - most
        return [_cut(part, most, f"{at}/*", left_out, depth + 1) for part in value[:most]]
    return value
