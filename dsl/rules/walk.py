"""Going through trees of typed rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from dsl.rules.declarations import Column
from dsl.rules.expressions import Var

ASIDE = frozenset({"span", "type", "item", "clauses"})
"""Fields that say of a part where it stands and what it is, and hold no parts of it."""


def walk(node: Any) -> Iterator[Any]:
    """Every dataclass within a tree of typed rules, the root first; declarations are not entered."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif (parts := parts_of(node)) is not None:
            yield node
            waiting.extend(reversed(parts))


def parts_of(node: Any) -> list[Any] | None:
    """What a dataclass holds, and nothing in a declaration; none for what is no dataclass."""
    kind: Any = type(node)
    names = _names(kind)
    return None if names is None else [getattr(node, name) for name in names]


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    if not is_dataclass(kind):
        return None
    declared = issubclass(kind, Column | Var)
    return () if declared else tuple(f.name for f in fields(kind) if f.name not in ASIDE)
