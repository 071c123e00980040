"""Errors of HTTP APIs: a code with a status, and a text for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

STATUS = {
    "malformed": 400,
    "other-origin": 403,
    "not-yours": 403,
    "not-allowed": 403,
    "not-found": 404,
    "taken": 409,
    "not-now": 409,
    "too-large": 413,
    "not-playable": 422,
    "too-many": 429,
    "failed": 500,
    "too-costly": 503,
    "not-available": 503,
}
"""The HTTP status of each code."""


@dataclass
class ApiError(Exception):
    """A request that is not carried out: a code of `STATUS`, and a text for people."""

    code: str
    text: str
    diagnostics: list[dict[str, Any]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
