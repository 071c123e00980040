"""Learning libraries, each an extra: the module, or none where it is not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.learn.messages import LibraryNotInstalled


def library(name: str) -> Any:
    """A module of a library, or none."""
    try:
        return import_module(name)
    except ImportError:
        return None


def required(found: Any, name: str, extra: str) -> Any:
    """A module that was found. Raises `DiagnosticError` with `LibraryNotInstalled` if it was not."""
    if found is None:
        raise DiagnosticError(LibraryNotInstalled(NOWHERE, name, extra))
    return found
