"""Chance at a server: each outcome comes from the system's generator, so that there is no seed to reveal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence


class SystemChance:
    """Draws with the system's cryptographic generator."""

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        """One of the outcomes, each a name with its weight."""
        number = secrets.randbelow(sum(weight for _, weight in outcomes))
        for name, weight in outcomes:
            number -= weight
            if number < 0:
                return name
        raise AssertionError("weights are positive")
