"""What functions for learners are given is of the kind that they work with, or is refused at once."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.learn.messages import BadEnvironmentSetting

SHOWN = 60
"""Characters of what was given that a message shows."""


def demand(name: str, given: object, kind: type | tuple[type, ...], hint: str) -> None:
    """Raises `DiagnosticError` with `BadEnvironmentSetting` for something of another kind."""
    if not isinstance(given, kind):
        shown = " ".join(repr(given).split())[:SHOWN]
        raise DiagnosticError(BadEnvironmentSetting(NOWHERE, name, shown, hint))
