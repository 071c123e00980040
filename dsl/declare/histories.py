"""Histories: what has been before, as `histories` of `game.yaml` declares it."""

from __future__ import annotations

from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import number
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.messages.game import BadHistory
from dsl.messages.shapes import WrongShape
from dsl.rules import History
from dsl.rules.declarations import SCRATCH

KEYS = ("of", "most", "lasts", "clause")
MOST_RECORDS = 10_000
MOST_MARKS = 1_024
"""The most marks that a record of working memory has, in all their places."""


def declare_history(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{of: [stone, active], most: 500}`, or `{of: [used, worth], most: 500, lasts: moment}`."""
    reader = entry(symbols, node, f"history `{name.text}`", KEYS)
    symbols.declare(name.text, "a history", name.span)
    parts = reader.words("of")
    if not parts:
        raise reader.wrong("of", "a list with at least one part")
    is_scratch = reader.one_of("lasts", (SCRATCH,)) is not None
    seen: set[str] = set()
    for part in parts:
        if is_scratch:
            _check_scratch(symbols, name.text, part)
        else:
            _check_part(symbols, name.text, part)
        if part.text in seen:
            raise DiagnosticError(WrongShape(part.span, reader.of("of"), "a list that names each part once"))
        seen.add(part.text)
    marks = sum(symbols.places(symbols.marks[part].var) for part in seen & symbols.marks.keys())
    if is_scratch and marks > MOST_MARKS:
        why = f"history `{name.text}` lasts a moment and records {marks} marks, more than {MOST_MARKS}"
        raise DiagnosticError(BadHistory(parts[0].span, why, "record marks of fewer places"))
    if is_scratch and not marks:
        why = f"history `{name.text}` lasts a moment and records no mark"
        raise DiagnosticError(
            BadHistory(parts[0].span, why, "record the marks that two records cannot share")
        )
    symbols.histories[name.text] = History(
        *(name.text, tuple(part.text for part in parts), _most(reader)),
        *(name.span, reader.marks(), is_scratch),
    )


def _most(reader: MappingReader) -> int:
    node = reader.needed("most")
    most = number(node, reader.of("most"))
    if not 1 <= most <= MOST_RECORDS:
        raise DiagnosticError(WrongShape(node.span, reader.of("most"), f"within 1..{MOST_RECORDS}"))
    return most


def _check_scratch(symbols: SymbolTable, history: str, part: Scalar) -> None:
    """Raises `DiagnosticError` if a part of working memory cannot be recalled as it was recorded."""
    name = part.text
    if name in symbols.broken:
        raise DiagnosticError(symbols.broken[name])
    if name in symbols.scratch:
        of_one = (kind[name].var for kind in (symbols.counters, symbols.pointers) if name in kind)
        of_two = (symbols.marks[name].var for _ in range(name in symbols.marks))
        if all(var.of is var.at is None for var in of_one) and all(
            None in (var.of, var.at) for var in of_two
        ):
            return
    why = f"history `{history}` lasts a moment and cannot record `{name}`"
    hint = "name marks with one index, counters and pointers without, all with `lasts: moment`"
    raise DiagnosticError(BadHistory(part.span, why, hint))


def _check_part(symbols: SymbolTable, history: str, part: Scalar) -> None:
    """Raises `DiagnosticError` if not everybody sees a part. A name that is not declared may be a value."""
    name = part.text
    if name in symbols.broken:
        raise DiagnosticError(symbols.broken[name])
    state = (symbols.counters, symbols.marks, symbols.pointers, symbols.zones)
    if any(name in kind and kind[name].seen_by != "all" for kind in state):
        why = f"history `{history}` records `{name}`, which not everybody sees"
        hint = "record only what all seats see: whether it was there before would tell what is hidden"
        raise DiagnosticError(BadHistory(part.span, why, hint))
    if any(name in kind and kind[name].var.is_scratch for kind in state):
        why = f"history `{history}` records `{name}`, which lasts a moment"
        raise DiagnosticError(BadHistory(part.span, why, "record what belongs to the position"))
    if name == "active" or any(name in kind for kind in state):
        return
    if name in symbols.names:
        what, _ = symbols.names[name]
        why = f"history `{history}` cannot record `{name}`, which is {what}"
        hint = "name counters, marks, pointers, zones, `active`, or values without parameters"
        raise DiagnosticError(BadHistory(part.span, why, hint))
    symbols.history_parts.append((history, part))
