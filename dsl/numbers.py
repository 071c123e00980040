"""Whole numbers as they are written: plain digits only, whatever else Python would take for a number."""

from __future__ import annotations

import re

WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
MOST_DIGITS = 12
"""A number of more digits is cut to so many: it is larger than anything that is asked for."""


def whole(text: str) -> int | None:
    """A whole number in plain digits, or nothing. What has too many digits is just very large."""
    if not WHOLE.fullmatch(text):
        return None
    return int(text[:MOST_DIGITS])
