"""Whole numbers as text: plain digits only, unlike the numbers of Python."""

from __future__ import annotations

import re

WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
MOST_DIGITS = 12
"""Longer numbers are cut to this many digits: they are beyond every limit in any case."""

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
"""The English words for the numbers from 0, as names of values and summaries have them."""


def whole(text: str) -> int | None:
    """The number, or none if the text is not one. A number with too many digits stays a very large one."""
    return int(text[:MOST_DIGITS]) if WHOLE.fullmatch(text) else None
