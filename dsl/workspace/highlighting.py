"""Semantic tokens and inlay hints: what names are, and the types that are not written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.domains import IntType
from dsl.index.symbols import Symbol
from dsl.source import Source, Span
from dsl.workspace.hover import type_of
from dsl.workspace.snapshot import Snapshot
from dsl.workspace.token_patterns import classified

KINDS = (
    *("type", "enumMember", "property", "variable", "parameter", "function", "namespace", "decorator"),
    *("keyword", "number", "operator", "comment"),
)
"""The kinds of tokens, as the protocol calls them."""
OF_CLASSES = {
    **dict.fromkeys(("definition", "keyword", "constant", "fold", "logic"), "keyword"),
    **{kind: kind for kind in ("number", "operator", "comment")},
    "builtin": "variable",
    "clause": "decorator",
}
"""The kinds of tokens in rules that are not names of this ruleset."""
OF_DECLARATIONS = {
    **dict.fromkeys(("a type", "a board", "a component", "a border"), "type"),
    **dict.fromkeys(("an action", "an effect", "a procedure", "a value", "a table"), "function"),
}


def semantic_tokens(snapshot: Snapshot, source: Source) -> Iterator[tuple[Span, str]]:
    """The tokens of a file in order, each with its kind: its names, and in rules also the other words."""
    named = {span.start: (span, kind) for span, kind in _names(snapshot, source)}
    if not source.name.endswith(".rules"):
        yield from named.values()
        return
    for start, end, kind in classified(source.text):
        if start in named:
            yield named[start]
        elif kind in OF_CLASSES:
            yield Span(source, start, end), OF_CLASSES[kind]


def _names(snapshot: Snapshot, source: Source) -> Iterator[tuple[Span, str]]:
    for occurrence in snapshot.index_for(source).within(source):
        kind = _kind(snapshot, occurrence.symbols[0])
        if kind is not None and "\n" not in occurrence.span.text:
            yield occurrence.span, kind


def _kind(snapshot: Snapshot, symbol: Symbol) -> str | None:
    match symbol.kind:
        case "declared":
            what, _ = snapshot.analysis.symbols.names.get(symbol.name, ("", None))
            return OF_DECLARATIONS.get(what, "variable")
        case "value" | "outcome":
            return "enumMember"
        case "column":
            return "property"
        case "local":
            return "parameter"
        case "phase" | "score":
            return "namespace"
        case "clause":
            return "decorator"
        case "built-in":
            return None


@dataclass(frozen=True)
class Hint:
    """A text that an editor shows behind a place."""

    offset: int
    text: str


def hints(snapshot: Snapshot, span: Span) -> Iterator[Hint]:
    """The ranges of numbers that locals hold, in a part of a file."""
    symbols = snapshot.analysis.symbols
    for occurrence in snapshot.index.within(span.source):
        if not span.start <= occurrence.span.start < span.end:
            continue
        symbol = occurrence.symbols[0]
        if occurrence.declares and symbol.kind == "local":
            kind = symbols.local_types.get(occurrence.span)
            if isinstance(kind, IntType):
                yield Hint(occurrence.span.end, f": {kind.lo}..{kind.hi}")
        elif occurrence.declares and symbol.kind == "declared" and span.source.name.endswith(".rules"):
            kind_of = type_of(snapshot, symbol)
            if isinstance(kind_of, IntType):
                yield Hint(_after_header(occurrence.span), f": {kind_of.lo}..{kind_of.hi}")


def _after_header(name: Span) -> int:
    """The place after the name of a value and its parameters."""
    text = name.source.text
    if text[name.end : name.end + 1] != "(":
        return name.end
    depth = 0
    for offset in range(name.end, len(text)):
        depth += {"(": 1, ")": -1}.get(text[offset], 0)
        if depth == 0:
            return offset + 1
    return name.end
