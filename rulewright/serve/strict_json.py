"""JSON that strangers send, read strictly."""

from __future__ import annotations

import json
from typing import Any, NoReturn

MOST_DIGITS = 12


def strict_json(text: str | bytes) -> Any:
    """The value of a text. Raises `ValueError`, or `RecursionError`; also for NaN and for long numbers."""
    return json.loads(text, parse_constant=_refuse, parse_int=_whole)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a long number")
    return int(digits)
