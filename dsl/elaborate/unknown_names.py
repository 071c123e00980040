"""Unknown names behind the first error of a statement or definition, which is not typed further."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl import syntax as s
from dsl.declare.symbol_table import BUILT_IN
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.elaborate.scope import OTHERWISE, Scope
from dsl.messages.names import UnknownName

KEYWORDS = frozenset({"nobody", "flag", "bank", *BUILT_IN, *OTHERWISE})
"""Names that mean something in some places only."""


@contextmanager
def all_unknown_told(scope: Scope, *nodes: s.Syntax) -> Iterator[None]:
    """If its body raises `DiagnosticError`, the unknown names of the nodes are reported too."""
    try:
        yield
    except DiagnosticError as failed:
        report_unknown(scope, failed.diagnostic, *nodes)
        raise


def report_unknown(scope: Scope, first: Diagnostic, *nodes: s.Syntax) -> None:
    """Report the names in nodes that are declared and bound nowhere, each once, but for that of `first`."""
    parts = [part for node in nodes for part in s.walk(node)]
    told = {part.text for part in parts if isinstance(part, s.Word)} | KEYWORDS
    told |= {first.name} if isinstance(first, UnknownName) else set()
    for part in parts:
        if isinstance(part, s.Name) and part.text not in told and not _has_meaning(scope, part.text):
            told.add(part.text)
            scope.symbols.fail(scope.unknown(part.text, part.span).diagnostic)


def _has_meaning(scope: Scope, name: str) -> bool:
    """Whether a name is declared or bound anywhere, or is unknown because of another error."""
    symbols = scope.symbols
    if name in scope.locals or name in scope.broken or symbols.cause(name) is not None:
        return True
    if name in symbols.names or name in scope.signatures.names():
        return True
    components = symbols.components.values()
    if any(name in c.classes or name in c.columns for c in components):
        return True
    types = symbols.types.values()
    return any(name in (*t.names, *t.columns, *t.directions) for t in types)
