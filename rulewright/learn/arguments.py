"""Arguments of the functions for learning libraries, checked before anything runs."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.wasm.arguments import shown
from rulewright.learn.messages import BadEnvironmentSetting


def refused(name: str, given: object, hint: str) -> DiagnosticError:
    """The error for an argument or a setting that is not possible."""
    return DiagnosticError(BadEnvironmentSetting(NOWHERE, name, shown(given), hint))


def demand(name: str, given: object, kind: type | tuple[type, ...], hint: str) -> None:
    """Raises `DiagnosticError` with `BadEnvironmentSetting` for something of another kind."""
    if not isinstance(given, kind):
        raise refused(name, given, hint)
