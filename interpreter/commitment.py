"""Commitments: a hash of the seed of a match, published before it starts.

The hash binds the keeper of the log to one seed without revealing it: a secret nonce of 128 bits prevents
guessing the seed. At the end both are published, and anybody can compute the hash again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

NONCE = 32
"""The number of hexadecimal digits of a nonce."""
DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Subject:
    """The set-up of the match that a commitment belongs to."""

    game: str
    rules: str
    seats: int
    options: Mapping[str, str]


def commitment(subject: Subject, seed: int, nonce: str) -> str:
    """The hash of a match's set-up, seed and nonce: SHA-256 as 64 hexadecimal digits."""
    committed = {
        "purpose": "rulewright seed commitment 1",
        "game": subject.game,
        "rules": subject.rules,
        "seats": subject.seats,
        "options": dict(subject.options),
        "seed": seed,
        "nonce": nonce,
    }
    text = json.dumps(committed, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def is_nonce(text: str) -> bool:
    return len(text) == NONCE and DIGITS.issuperset(text)


def is_commitment(text: str) -> bool:
    return len(text) == 64 and DIGITS.issuperset(text)
