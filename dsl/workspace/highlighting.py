"""Semantic tokens and inlay hints: what names are, and the types that are not written."""

from __future__ import annotations

import re
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
WRITTEN_RANGE = re.compile(r"\s*(?::|in\b|from\b)\s*[^\s,()]+\.\.")
"""Behind a name: the range that it goes over."""
MARK = "§"
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
    """The ranges of numbers that names hold, in a part of a file, where they are not written there.

    In a line with a mark they stand behind it, so that marks stay in their column.
    """
    symbols = snapshot.analysis.symbols
    for occurrence in snapshot.index.within(span.source):
        if not span.start <= occurrence.span.start < span.end:
            continue
        symbol = occurrence.symbols[0]
        if occurrence.declares and symbol.kind == "local":
            kind = symbols.local_types.get(occurrence.span)
            if isinstance(kind, IntType) and not WRITTEN_RANGE.match(span.source.text, occurrence.span.end):
                yield _hint(occurrence.span, occurrence.span.end, kind)
        elif occurrence.declares and symbol.kind == "declared" and span.source.name.endswith(".rules"):
            kind_of = type_of(snapshot, symbol)
            if isinstance(kind_of, IntType):
                yield _hint(occurrence.span, _after_header(occurrence.span), kind_of)


def _hint(name: Span, behind: int, kind: IntType) -> Hint:
    """`: 0..5` behind a name; in a line with a mark `  pot: 0..5` at its end."""
    text, shown = name.source.text, f": {kind.lo}..{kind.hi}"
    end = text.find("\n", behind)
    line = text[behind : end if end >= 0 else len(text)]
    if MARK not in line:
        return Hint(behind, shown)
    return Hint(behind + len(line.rstrip()), f"  {name.text}{shown}")


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
