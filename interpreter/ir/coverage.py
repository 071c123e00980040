"""Coverage points: the parts of the rules whose execution is recorded."""

from __future__ import annotations

from typing import Final, Literal

from dsl.frozen import dataclass
from dsl.source import Span

RAN: Final = 1
"""It was executed."""
TRIED: Final = 2
"""It was executed in a trial, on a copy of the state."""
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
    """A part of the rules whose execution is recorded.

    `name` is that of the routine, value, table, phase or cell that it belongs to; `clauses` are its own.
    `asks`: it has a condition, whose outcomes `HELD` and `FAILED` are recorded, too.
    """

    kind: PointKind
    name: str
    span: Span
    clauses: tuple[str, ...] = ()
    asks: bool = False
