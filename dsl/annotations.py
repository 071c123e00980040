"""Resolved annotations of classes, as `typing.get_type_hints` gives them; equal texts are evaluated once."""

from __future__ import annotations

import sys
from functools import cache
from inspect import get_annotations
from typing import Any


def annotations_of(kind: type) -> dict[str, Any]:
    """The types of a class's fields, with all that is annotated to them, those of its bases first."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        for name, text in get_annotations(base).items():
            found[name] = _meaning(text, base.__module__)
    return found


@cache
def _meaning(text: str, module: str) -> Any:
    return eval(text, vars(sys.modules[module]))
