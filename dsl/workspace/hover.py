"""What is known of a name or word at a place: what it is, its type and range, its clause, its label."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dsl.domains import Type
from dsl.index.rules_names import WORD_OR_MARK
from dsl.index.symbols import Symbol
from dsl.source import Source, Span
from dsl.workspace.navigation import described, symbol_at
from dsl.workspace.snapshot import Snapshot
from dsl.workspace.words import WORDS

COMMENT = re.compile(r"(?<!\S)#")
LONGEST = 6
"""The most lines of a declaration that are shown."""


@dataclass(frozen=True)
class Hover:
    """A text about a place, in Markdown."""

    span: Span
    text: str


def hover(snapshot: Snapshot, source: Source, offset: int) -> Hover | None:
    """What is known of the name or word at a place, or nothing."""
    found = symbol_at(snapshot, source, offset)
    if found is not None and found[1].kind != "built-in":
        occurrence, symbol = found
        return Hover(occurrence.span, "\n\n".join(filter(None, _parts(snapshot, symbol))))
    span = word_at(source, offset)
    if span is None or span.text not in WORDS or not source.name.endswith(".rules"):
        return None
    return Hover(span, WORDS[span.text]) if not in_comment(source, span.start) else None


def in_comment(source: Source, offset: int) -> bool:
    """Whether a place is behind the `#` of a comment, which in YAML stands behind a blank."""
    line, column = source.position(offset)
    before = source.line(line)[: column - 1]
    return "#" in before if source.name.endswith(".rules") else COMMENT.search(before) is not None


def word_at(source: Source, offset: int) -> Span | None:
    """The word at a place."""
    line, column = source.position(offset)
    start = source.lines[line - 1]
    for found in WORD_OR_MARK.finditer(source.line(line)):
        if found.start() <= column - 1 <= found.end():
            return Span(source, start + found.start(), start + found.end())
    return None


def _parts(snapshot: Snapshot, symbol: Symbol) -> list[str]:
    head = f"**{symbol.name}**: {what_it_is(snapshot, symbol)}"
    return [head, _declaration(snapshot, symbol), _clause(snapshot, symbol), _label(snapshot, symbol)]


def what_it_is(snapshot: Snapshot, symbol: Symbol) -> str:
    """Its kind and its type, in a line."""
    if symbol.kind == "declared":
        return _declared(snapshot, symbol.name)
    kind = type_of(snapshot, symbol)
    return described(symbol) + (f", {kind}" if kind is not None else "")


def _declared(snapshot: Snapshot, name: str) -> str:
    symbols, definitions = snapshot.analysis.symbols, snapshot.analysis.definitions
    what, _ = symbols.names.get(name, ("a name", None))
    if definitions is not None and name in definitions.signatures:
        _, parameters = definitions.signatures[name]
        given = ", ".join(f"{p.var.name}: {p.var.type}" for p in parameters)
        return f"{what}({given})" if given else what
    if definitions is not None and name in definitions.typed_values:
        value = definitions.typed_values[name]
        given = ", ".join(f"{p.name}: {p.type}" for p in value.parameters)
        return f"a value{f'({given})' if given else ''}, {value.type}"
    kind = type_of(snapshot, Symbol("declared", name))
    return f"{what}, {kind}" if kind is not None else what


def type_of(snapshot: Snapshot, symbol: Symbol) -> Type | str | None:
    """The type of what a symbol stands for, as far as it is known."""
    symbols, definitions = snapshot.analysis.symbols, snapshot.analysis.definitions
    name = symbol.name
    if symbol.kind == "local":
        place = snapshot.index.declaration(symbol)
        return symbols.local_types.get(place) if place is not None else None
    if symbol.kind == "column":
        component, decl = symbols.components.get(symbol.owner), symbols.types.get(symbol.owner)
        columns = component.columns if component is not None else decl.columns if decl is not None else {}
        return columns[name].type if name in columns else None
    if symbol.kind != "declared":
        return None
    if name in symbols.counters:
        counter = symbols.counters[name]
        return f"{counter.lo}..{counter.hi}{_indices(counter.var.of, counter.var.at)}"
    if name in symbols.pointers:
        pointer = symbols.pointers[name]
        return f"{pointer.to}{_indices(pointer.var.of, pointer.var.at)}"
    if name in symbols.zones:
        zone = symbols.zones[name]
        return f"{zone.component} pieces{_indices(zone.var.of, zone.var.at)}"
    if name in symbols.options:
        return symbols.options[name].type
    if name in symbols.tables:
        return symbols.tables[name].type
    if definitions is not None and name in definitions.typed_values:
        return definitions.typed_values[name].type
    return None


def _indices(of: str | None, at: str | None) -> str:
    return (f" of {of}" if of is not None else "") + (f" at {at}" if at is not None else "")


def _declaration(snapshot: Snapshot, symbol: Symbol) -> str:
    """The lines in which it is declared."""
    place = snapshot.index.declaration(symbol)
    if place is None or symbol.kind == "clause":
        return ""
    if place.source.name.endswith(".csv"):
        return _row(place)
    first = place.line
    lines = [place.source.line(first)]
    width = len(lines[0]) - len(lines[0].lstrip())
    for number in range(first + 1, len(place.source.lines) + 1):
        line = place.source.line(number)
        deeper = line.strip() and len(line) - len(line.lstrip()) > width
        if not deeper or len(lines) == LONGEST:
            break
        lines.append(line)
    language = "rules" if place.source.name.endswith(".rules") else "yaml"
    return f"```{language}\n" + "\n".join(line[width:] for line in lines) + "\n```"


def _row(place: Span) -> str:
    """The line of a CSV file at a place, below that of the titles."""
    lines = [place.source.line(number) for number in range(1, place.line + 1)]
    titles = next(line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return f"```csv\n{titles}\n{lines[-1]}\n```"


def _clause(snapshot: Snapshot, symbol: Symbol) -> str:
    """What the rulebook says about it, where its declaration cites clauses."""
    clauses = snapshot.analysis.symbols.clauses or {}
    if symbol.kind == "clause":
        marks = [symbol.name]
    else:
        place = snapshot.index.declaration(symbol)
        line = place.source.line(place.line) if place is not None else ""
        marks = re.findall(r"§[A-Za-z0-9][A-Za-z0-9_.\-]*", line)
    known = [clauses[mark] for mark in marks if mark in clauses]
    return "\n".join(f"- {clause.id} *{clause.heading}*: {clause.says}" for clause in known)


def _label(snapshot: Snapshot, symbol: Symbol) -> str:
    """What people read for it."""
    rules = snapshot.analysis.rules
    label = rules.labels.get(symbol.name) if rules is not None else None
    return f"“{label}”" if label and label != symbol.name else ""
