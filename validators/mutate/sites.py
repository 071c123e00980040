"""Mutation sites: every node of the rules, every node of a declaration, every cell of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import assert_never

from dsl import syntax as s
from dsl.declare.rows import MARKS
from dsl.declare.sheets import Sheet
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.rules import Rules

NO_PART = ("span", "clauses")
WORDS = re.compile(r"[A-Za-z_][A-Za-z0-9_ ]*")


@dataclass(frozen=True, slots=True)
class Written:
    """A node of a rules file. `role` is the field of `parent` that holds it."""

    rules: Rules
    path: str
    header: str
    clauses: tuple[str, ...]
    node: s.Syntax
    parent: s.Syntax | None = None
    role: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """A node of `game.yaml`, with the keys that lead to it, and its parent."""

    rules: Rules
    path: str
    header: str
    clauses: tuple[str, ...]
    keys: tuple[str, ...]
    node: Node
    parent: Node
    entry: Node
    """The whole declaration."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a CSV file, and those below it in its column."""

    rules: Rules
    path: str
    header: str
    clauses: tuple[str, ...]
    node: Scalar
    below: tuple[Scalar, ...]


MutationSite = Written | Declared | Cell


# ---- rules


def written(rules: Rules, path: str, definitions: tuple[s.Definition, ...]) -> Iterator[Written]:
    """Every node of a rules file in pre-order, except promises."""
    for definition in definitions:
        if not isinstance(definition, s.Always):
            marks = tuple(mark.text for mark in definition.clauses)
            yield from _within(Written(rules, path, header(definition), marks, definition))


def _within(site: Written) -> Iterator[Written]:
    yield site
    for role in (f.name for f in fields(site.node) if f.name not in NO_PART):
        value = getattr(site.node, role)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, s.Syntax) and not _is_given(site, part):
                marks = _marks(part) or site.clauses
                yield from _within(replace(site, clauses=marks, node=part, parent=site.node, role=role))


def _is_given(site: Written, part: s.Syntax) -> bool:
    """Whether a part is the domain of a parameter that callers give: it is a promise, not a rule."""
    return isinstance(part, s.Domain) and not site.header.startswith(("action ", "effect "))


def _marks(node: s.Syntax) -> tuple[str, ...]:
    return tuple(m.text for m in node.clauses) if isinstance(node, s.Statement | s.Case) else ()


def header(definition: s.Definition) -> str:
    """The name of a definition, independent of its body."""
    match definition:
        case s.Routine(kind=kind, name=name) | s.Score(kind=kind, name=name):
            return f"{kind} {name.text}"
        case s.Value(name=name):
            return f"value {name.text}"
        case s.Modify(name=name):
            return f"modify {name.text}"
        case s.When(condition=condition):
            return f"when {' '.join(condition.span.text.split())}"
        case s.WhenMoves(name=name, event=event, zone=zone):
            return f"when {name.text} {event} {' '.join(zone.span.text.split())}"
        case s.Always(kind=kind, condition=condition):
            return f"{kind} {' '.join(condition.span.text.split())}"
    assert_never(definition)


# ---- declarations

SINGULAR = {
    "constants": "constant",
    "options": "option",
    "rulings": "ruling",
    "types": "type",
    "boards": "board",
    "components": "component",
    "zones": "zone",
    "counters": "counter",
    "marks": "mark",
    "pointers": "pointer",
    "tables": "table",
    "flow": "phase",
    "histories": "history",
}
"""The sections with declarations, and the noun for one of each."""


def declared(rules: Rules, path: str, document: Mapping) -> Iterator[Declared]:
    """Every node inside a declaration of `game.yaml`."""
    for section, entries in document.pairs:
        if section.text in SINGULAR and isinstance(entries, Mapping):
            for name, entry in entries.pairs:
                called = f"{SINGULAR[section.text]} {name.text}"
                keys = (section.text, name.text)
                marks = marks_of(entry)
                yield from _inside(Declared(rules, path, called, marks, keys, entry, entries, entry))
        if section.text == "removes":
            yield from _inside(Declared(rules, path, "removes", (), ("removes",), entries, document, entries))


def _flow_marks(rules: Rules, keys: tuple[str, ...], node: Node) -> tuple[str, ...]:
    """The clauses of the routines and values that a part of the flow names."""
    if keys[0] != "flow":
        return ()
    known = {
        name: x.clauses
        for names in (rules.routines, rules.values, rules.collections)
        for name, x in names.items()
    }
    named = [*(known.get(word, ()) for word in _words(node)), known.get(keys[-1], ())]
    return tuple(dict.fromkeys(mark for marks in named for mark in marks))


def _words(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield node.text
    for _, part in _parts(node):
        yield from _words(part)


def marks_of(entry: Node) -> tuple[str, ...]:
    """The clauses of a declaration or of a part of it."""
    found = entry.get("clause") if isinstance(entry, Mapping) else None
    return tuple(found.text.split()) if isinstance(found, Scalar) else ()


def _inside(site: Declared) -> Iterator[Declared]:
    yield site
    for key, node in _parts(site.node):
        keys = (*site.keys, key)
        marks = marks_of(node) or _flow_marks(site.rules, keys, node) or site.clauses
        called = f"{site.header} {key}" if WORDS.fullmatch(key) else site.header
        found = replace(site, header=called, clauses=marks, keys=keys, node=node, parent=site.node)
        yield from _inside(found)


def _parts(node: Node) -> Iterator[tuple[str, Node]]:
    match node:
        case Mapping(pairs=pairs):
            yield from ((key.text, value) for key, value in pairs)
        case Sequence(items=items):
            yield from ((str(i), item) for i, item in enumerate(items))
        case Scalar():
            return
        case _:
            assert_never(node)


# ---- tables


def cells(
    rules: Rules, path: str, clauses: tuple[str, ...], sheet: Sheet, unread: frozenset[str]
) -> Iterator[Cell]:
    """Every cell of a table except the names and clause marks of its rows, and columns that are `unread`.

    A cell belongs to the clauses of its row, or else to those of the table.
    """
    marked = sheet.index(MARKS)
    for number, row in enumerate(sheet.rows):
        marks = tuple(row[marked].text.split()) if marked is not None else ()
        for column, title in enumerate(sheet.titles):
            if column not in (0, marked) and title.text not in unread:
                below = tuple(other[column] for other in sheet.rows[number + 1 :])
                called = f"{path} {row[0].text} {title.text}"
                yield Cell(rules, path, called, marks or clauses, row[column], below)
