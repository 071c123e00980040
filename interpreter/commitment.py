"""A commitment to the seed of a match: what is shown of it before the end.

The hash binds whoever keeps the log to one seed, and tells nothing of it: the nonce, 128 bits that nobody
else knows, keeps the seed from being guessed. At the end seed and nonce are shown, and anybody can hash
them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

NONCE = 32
"""Hexadecimal digits of a nonce."""
DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Subject:
    """Which match a commitment is about."""

    game: str
    rules: str
    seats: int
    options: Mapping[str, str]


def commitment(subject: Subject, seed: int, nonce: str) -> str:
    """The hash over a match's set-up, its seed and a nonce: SHA-256, 64 hexadecimal digits."""
    whole = {
        "purpose": "rulewright seed commitment 1",
        "game": subject.game,
        "rules": subject.rules,
        "seats": subject.seats,
        "options": dict(subject.options),
        "seed": seed,
        "nonce": nonce,
    }
    text = json.dumps(whole, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def is_nonce(text: str) -> bool:
    return len(text) == NONCE and DIGITS.issuperset(text)


def is_commitment(text: str) -> bool:
    return len(text) == 64 and DIGITS.issuperset(text)
