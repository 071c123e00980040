"""An expression about another variable."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from dsl import rules as r


def renamed(value: Any, old: r.Var, new: r.Var) -> Any:
    """A copy of an expression, group or binder in which `old` has become `new`."""
    if value is old:
        return new
    if isinstance(value, tuple):
        return tuple(renamed(item, old, new) for item in value)
    if is_dataclass(value) and not isinstance(value, type | r.Var | r.Column):
        parts = {
            f.name: getattr(value, f.name) for f in fields(value) if f.name not in ("span", "type", "item")
        }
        return replace(value, **{k: renamed(v, old, new) for k, v in parts.items()})
    return value
