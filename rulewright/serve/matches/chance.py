"""Chance at a server: each outcome comes from the system's generator, so that there is no seed to reveal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.serve.messages import NeedsOutcome

MOST_NAMED = 12
"""How many possible outcomes a message names."""


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


@dataclass(frozen=True, slots=True)
class ToldChance:
    """Chance at a physical table: what was not told yet is asked for."""

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        """Raises `DiagnosticError` with `NeedsOutcome`."""
        names = [name for name, _ in outcomes]
        shown = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
        raise DiagnosticError(NeedsOutcome(NOWHERE, stream, shown))
