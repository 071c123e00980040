"""The declarations of `game.yaml`, section by section; each may need names of the others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from dsl.declare.arithmetic import computed, prepared
from dsl.declare.boards import also_declared, declare_board, edged
from dsl.declare.broken_names import mark_broken, section_of, spread
from dsl.declare.carries import declare_carries
from dsl.declare.components import declare_component
from dsl.declare.enumerations import declare_seats
from dsl.declare.flow import WrittenPhase, read_flow
from dsl.declare.histories import declare_history
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import LONGEST_WORD, bounded
from dsl.declare.rulebook import read_rulebook
from dsl.declare.settings import declare_constant, declare_option, declare_ruling
from dsl.declare.state_vars import check_counters, declare_counter, declare_mark, declare_pointer
from dsl.declare.symbol_table import SymbolTable
from dsl.declare.tables import declare_table
from dsl.declare.teams import declare_teams
from dsl.declare.translations import read_rulebooks
from dsl.declare.types import declare_type
from dsl.declare.zones import check_zones, declare_zone
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.messages.shapes import BadCell, WrongShape
from dsl.overlays import Layers

NEEDED = ("game", "seats", "rules", "flow")
LONGEST, MOST_DECISIONS = 10_000, 1_000_000_000
Declare = Callable[[SymbolTable, Scalar, Node], None]
DECLARED: tuple[tuple[str, Declare], ...] = (
    ("constants", declare_constant),
    ("options", declare_option),
    ("rulings", declare_ruling),
    ("types", declare_type),
    ("boards", declare_board),
    ("components", declare_component),
    ("zones", declare_zone),
    ("counters", declare_counter),
    ("marks", declare_mark),
    ("pointers", declare_pointer),
    ("tables", declare_table),
    ("histories", declare_history),
)
ONCE = (
    *(
        "language",
        "title",
        "teams",
        "clauses",
        "labels",
        "look",
        "about",
        "longest",
        "absent",
        "allow",
        "carries",
    ),
    "provenance",
    "small",
)
OVER = ("overlay", "removes")
ABOUT_SEATS = ("seat", "me", "active", "opponent", "opponents", "seats", "seats_playing", "team")
"""The names that mean nothing without seats."""
SECTIONS = (*NEEDED, *OVER, *ONCE, *(section for section, _ in DECLARED))


def declarations(symbols: SymbolTable, reader: MappingReader, layers: Layers) -> dict[str, WrittenPhase]:
    """All declarations, and the phases if the declarations have no errors."""
    symbols.attempt(_identity, reader)
    symbols.attempt(_clauses, symbols, layers)
    _seats(symbols, reader, layers)
    if reader.has("teams"):
        _teams(symbols, reader.needed("teams"))
    _sections(symbols, reader)
    symbols.attempt(longest, reader)
    if reader.has("carries"):
        symbols.attempt(declare_carries, symbols, reader.needed("carries"))
    if not symbols.report.has_errors:
        _check_zones_and_counters(symbols, reader)
    if not reader.has("flow"):
        return {}
    return symbols.attempt(read_flow, symbols, reader.needed("flow")) or {}


def _sections(symbols: SymbolTable, reader: MappingReader) -> None:
    """Declare everything, section by section; types and boards earlier if another one needs them.

    Options that hold sets come last, so that the types of their values keep their order.
    """
    works: list[Callable[[], None]] = []
    sets: list[Callable[[], None]] = []
    written: list[tuple[Scalar, Node]] = []
    for section, declare in DECLARED:
        node = reader.get(section)
        found = section_of(symbols, section, node)
        for name, value in found.pairs if found is not None else ():
            work: Callable[[], None] = partial(_declare, symbols, section, declare, name, value)
            is_set = section == "options" and isinstance(value, Mapping) and value.get("size") is not None
            (sets if is_set else works).append(work)
            written.append((name, value))
            if section in ("types", "boards"):
                symbols.pending.setdefault(name.text, work)
            if section in ("constants", "options"):
                symbols.settings.setdefault(name.text, work)
            if section == "boards":
                symbols.edged |= edged(value)
                for other in also_declared(value):
                    symbols.pending.setdefault(other, work)
            if section == "components":
                symbols.rows_pending.setdefault(name.text, work)
    for waiting in (*works, *sets):
        waiting()
    symbols.options = {
        name.text: symbols.options[name.text] for name, _ in written if name.text in symbols.options
    }
    symbols.end_declarations()
    if symbols.broken:
        spread(symbols, written)


def _declare(symbols: SymbolTable, section: str, declare: Declare, name: Scalar, value: Node) -> None:
    """Declare a name, unless that has begun. A name whose declaration fails is broken, not unknown."""
    if name.span in symbols.begun:
        return
    symbols.begun.add(name.span)
    before = symbols.report.errors
    try:
        declare(symbols, name, prepared(symbols, section, value))
    except DiagnosticError as failed:
        symbols.fail(failed.diagnostic)
        mark_broken(symbols, name, value, failed.diagnostic)
    else:
        wrong = [found for found in symbols.report.errors[len(before) :] if not isinstance(found, BadCell)]
        if wrong:
            mark_broken(symbols, name, value, wrong[0])


def _identity(reader: MappingReader) -> None:
    if not reader.has("game"):
        return
    name = reader.word("game")
    bounded(name.text, name.span, "`game`", LONGEST_WORD)
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]*", name.text):
        wanted = "one word of English letters, digits, `_` and `-`"
        raise DiagnosticError(WrongShape(name.span, "`game`", wanted))
    reader.line("title")


def longest(reader: MappingReader) -> int:
    """The largest number of decisions of a match."""
    if not reader.has("longest"):
        return LONGEST
    given = Mapping(
        ((Scalar("longest", reader.span), computed(reader.symbols, reader.needed("longest"))),), reader.span
    )
    return replace(reader, mapping=given).count("longest", LONGEST, MOST_DECISIONS)


def _clauses(symbols: SymbolTable, layers: Layers) -> None:
    rulebooks = read_rulebooks(symbols, layers)
    if rulebooks:
        before = len(symbols.report.errors)
        first, _ = next(iter(rulebooks.values()))
        book = read_rulebook(symbols, first)
        symbols.texts, symbols.clauses, symbols.brief = book.texts, book.clauses, book.brief
        if len(symbols.report.errors) == before:
            symbols.rulebooks = rulebooks


def _seats(symbols: SymbolTable, reader: MappingReader, layers: Layers) -> None:
    """Declare the seats. If they are not said, everything about seats is broken."""
    try:
        if reader.has("seats"):
            declare_seats(symbols, reader.needed("seats"))
            return
        diagnostic = layers.lost_section("seats") or symbols.report.errors[-1]
    except DiagnosticError as failed:
        diagnostic = failed.diagnostic
        symbols.fail(diagnostic)
    declare_seats(symbols, Scalar("2", symbols.span))
    symbols.broken |= dict.fromkeys(ABOUT_SEATS, diagnostic)


def _teams(symbols: SymbolTable, node: Node) -> None:
    try:
        declare_teams(symbols, node)
    except DiagnosticError as failed:
        symbols.fail(failed.diagnostic)
        symbols.broken["team"] = failed.diagnostic


def _check_zones_and_counters(symbols: SymbolTable, reader: MappingReader) -> None:
    """The checks that need all zones and counters."""
    empty = Mapping((), reader.span)
    zones, counters = (reader.get(section) for section in ("zones", "counters"))
    check_zones(symbols, zones if isinstance(zones, Mapping) else empty)
    check_counters(symbols, counters if isinstance(counters, Mapping) else empty)
