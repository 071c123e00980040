"""What a machine may take up: nodes, expressions, tables and the words of its states."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError
from dsl.messages.sizes import LargeRules, LargeState
from dsl.source import Span

MOST_EXPRESSIONS = 30_000
"""Parts of all expressions of a machine. Passes take some hundredths of a millisecond for each."""
MOST_NODES = 6_000
MOST_WORDS = 1 << 16
"""Words of a state. Trials, undo and batches keep many copies of it."""
MOST_TABLES = 1 << 22
"""Numbers in all tables of a machine."""


class Counted:
    """What a machine under construction has taken up so far, of one kind."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most, self.found = what, most, 0

    def add(self, number: int, span: Span) -> None:
        """Raises `DiagnosticError` at the part of the rules that brings it over the bound."""
        self.found += number
        if self.found > self.most:
            raise DiagnosticError(LargeRules(span.first_line(), self.most, self.what))


def check_words(words: int, what: str, span: Span) -> None:
    """Raises `DiagnosticError` if a state would have too many words; `what` is what brings it there."""
    if words > MOST_WORDS:
        raise DiagnosticError(LargeState(span.first_line(), what, words, MOST_WORDS))
