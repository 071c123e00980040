"""Names whose declaration has failed: what mentions one is not typed, so that one mistake is one message."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError


def check_mentions(symbols: SymbolTable, *nodes: s.Syntax | None) -> None:
    """Raises `DiagnosticError`, that of the declaration, if a node has a name whose declaration has failed.

    The statements in the blocks of a statement do not count.
    """
    if not symbols.broken:
        return
    for node in nodes:
        for part in _own_parts(node) if node is not None else ():
            if isinstance(part, s.Name | s.Word) and part.text in symbols.broken:
                raise DiagnosticError(symbols.broken[part.text])


def _own_parts(node: s.Syntax) -> Iterator[s.Syntax]:
    """A node and what is below it, but for the statements in its blocks."""
    waiting = [node]
    while waiting:
        yield (part := waiting.pop())
        waiting += [child for child in s.children(part) if not isinstance(child, s.Statement)]
