"""Symbols: what names mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.source import Span

SymbolKind = Literal[
    "declared", "value", "column", "local", "phase", "score", "outcome", "clause", "built-in"
]


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name means: the same for all its uses.

    `declared` names are unique in a ruleset; `owner` is the type of a value, the type or component of a
    column, the place where a local is bound, the kind of a score line.
    """

    kind: SymbolKind
    name: str
    owner: str = ""


def declared(name: str) -> Symbol:
    return Symbol("declared", name)


def local_at(span: Span, name: str) -> Symbol:
    """The local that is bound at a place."""
    return Symbol("local", name, f"{span.source.name}:{span.start}")
