"""Points of cover: the places of the rules of which it can be said whether they were executed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from dsl.source import Span

RAN: Final = 1
"""It was executed."""
TRIED: Final = 2
"""It was executed only to find out whether something can be done, on a copy of the state."""
HELD: Final = 4
"""Its condition was true."""
FAILED: Final = 8
"""Its condition was false."""
OUTCOMES: Final = (RAN, TRIED, HELD, FAILED)

PointKind = Literal[
    "routine",
    "parameter",
    "statement",
    "needs",
    "case",
    "modifier",
    "table",
    "trigger",
    "score",
    "invariant",
    "phase",
    "step",
    "cell",
]


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """A place of the rules, and what it has to do with executing them.

    `name` is that of the routine, value, table, phase or cell that it belongs to; `clauses` are those of its
    own marks. `asks`: it has a condition, of which it is noted whether it was true or false.
    """

    kind: PointKind
    name: str
    span: Span
    clauses: tuple[str, ...] = ()
    asks: bool = False
