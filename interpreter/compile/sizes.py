"""Limits on the size of a machine: nodes, expressions, tables, and the words of a state."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError
from dsl.messages.sizes import LargeRules, LargeState
from dsl.source import Span

MOST_EXPRESSIONS = 30_000
"""Nodes of all expression trees. The passes take some hundredths of a millisecond for each."""
MOST_NODES = 6_000
MOST_WORDS = 1 << 16
"""Words of a state; trials, undo and batches keep many copies of one."""
MOST_TABLES = 1 << 22
"""Numbers in all tables of a machine."""


class Counted:
    """A counter with a limit, for a machine under construction."""

    def __init__(self, unit: str, most: int) -> None:
        self.unit, self.most, self.found = unit, most, 0

    def add(self, number: int, span: Span) -> None:
        """Count more. Raises `DiagnosticError` at `span` if they exceed the limit."""
        self.found += number
        if self.found > self.most:
            raise DiagnosticError(LargeRules(span.first_line(), self.most, self.unit))


def check_words(words: int, what: str, span: Span) -> None:
    """Raises `DiagnosticError` if a state would have too many words; `what` names their cause."""
    if words > MOST_WORDS:
        raise DiagnosticError(LargeState(span.first_line(), what, words, MOST_WORDS))
