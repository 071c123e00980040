"""JSON that strangers send, read strictly."""

from __future__ import annotations

import json
from typing import Any, NoReturn

MOST_DIGITS = 12


def strict_json(text: str | bytes) -> Any:
    """The value of a text. Raises `ValueError`, or `RecursionError`.

    Refused are NaN, long numbers, and halves of characters, which no answer could repeat.
    """
    found = json.loads(text, parse_constant=_refuse, parse_int=_whole)
    json.dumps(found, ensure_ascii=False).encode()  # a half of a character is a `UnicodeEncodeError`
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a long number")
    return int(digits)
