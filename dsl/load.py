"""Loading: from the texts of a ruleset to its typed rules. The only place that lists the stages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import ParamSpec, TypeAlias, TypeVar

from dsl.declare.boards import declare_board
from dsl.declare.components import declare_component
from dsl.declare.enumerations import declare_seats
from dsl.declare.flow import read_flow
from dsl.declare.labels import Labels, label_files, read_labels, translation
from dsl.declare.look import read_look
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import mapping, words
from dsl.declare.presets import ChosenPreset as ChosenPreset, apply_preset, chosen, from_file, presets
from dsl.declare.rulebook import read_rulebook
from dsl.declare.settings import declare_constant, declare_option, declare_ruling
from dsl.declare.state_vars import check_counters, declare_counter, declare_mark, declare_pointer
from dsl.declare.suppressions import read_suppressions
from dsl.declare.symbol_table import SymbolTable, located
from dsl.declare.tables import declare_table
from dsl.declare.types import declare_type
from dsl.declare.zones import check_zones, declare_zone
from dsl.diagnostics import DiagnosticError, Report
from dsl.document import Mapping, Node, Scalar, read
from dsl.elaborate import bodies
from dsl.elaborate.absent import read_absent
from dsl.elaborate.definitions import Definitions
from dsl.elaborate.expressions import expression_typer
from dsl.elaborate.references import check_flow, read_cells
from dsl.elaborate.scope import Scope
from dsl.elaborate.sizes import check_chains, check_sizes
from dsl.elaborate.templates import unknown_placeholders
from dsl.folder import LARGEST_FILE as LARGEST_FILE, Folder as Folder
from dsl.grammar import parse, parse_question, terminals
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.messages.sizes import TooMuchText
from dsl.recursion import make_room
from dsl.rules import NO_LANGUAGE, Collection, Expr, Look, Phase, Rules
from dsl.source import Source, Span
from dsl.syntax import Definition
from dsl.wording import quoted

P = ParamSpec("P")
T = TypeVar("T")

GAME = "game.yaml"
NEEDED = ("game", "seats", "rules", "flow")
LONGEST, MOST_DECISIONS = 10_000, 1_000_000_000
MOST_RULES = 200_000
"""The most characters of all rules files; the largest bundled game has 20,000."""
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
)
ONCE = ("title", "clauses", "labels", "look", "longest", "absent", "allow", "small")
SECTIONS = (*NEEDED, *ONCE, *(section for section, _ in DECLARED))


def load(folder: Folder, small: ChosenPreset | None = None) -> tuple[Rules, Report]:
    """The typed rules of a ruleset, or of a smaller game by a preset, and the report of its warnings.

    Raises `ErrorsReported` with all errors of the first stage that has any.
    """
    rules, report, _ = load_for_questions(folder, small)
    return rules, report


@dataclass
class Questions:
    """Typing of expressions from outside a ruleset, such as those of scenarios."""

    symbols: SymbolTable
    definitions: Definitions

    def ask(self, text: str) -> Expr | Collection:
        """A typed expression or collection. Raises `DiagnosticError` if the text is wrong."""
        typer = expression_typer(Scope(self.symbols, self.definitions, assume_present=True))
        node = parse_question(Source(f"`{text}`", text))
        return typer.maybe_collection(node) or typer.expr(node)


def load_for_questions(folder: Folder, small: ChosenPreset | None = None) -> tuple[Rules, Report, Questions]:
    """`load`, and the context in which questions about the rules are typed."""
    make_room()
    report = Report()
    symbols = SymbolTable(report, terminals(), folder.source)
    reader = _required(report, _read_game, symbols, folder)
    digest = folder.digest
    if small is not None:
        reader, preset = _required(report, _shrink, symbols, reader, small)
        digest = partial(_small_digest, folder, preset)
    else:
        symbols.attempt(presets, symbols, reader.mapping)
    written = _definitions(symbols, reader)
    phases = _declarations(symbols, reader)
    labels = symbols.attempt(_labels, symbols, reader, folder) or {NO_LANGUAGE: (Labels(), symbols.span)}
    report.stop_on_errors()
    look = symbols.attempt(_look, symbols, reader, folder) if small is None else None
    definitions = Definitions(symbols, written)
    rules = _elaborate(definitions, reader, phases, labels, digest())
    for found, _ in labels.values():
        for diagnostic in unknown_placeholders(found, rules):
            report.add(diagnostic)
    if (absent := reader.get("absent")) is not None:
        preferences = symbols.attempt(read_absent, symbols, absent, rules, small is None)
        rules = replace(rules, absent=preferences or {})
    symbols.attempt(check_sizes, rules)
    symbols.attempt(check_chains, rules)
    report.stop_on_errors()
    rules = replace(rules, look=look or Look())
    return rules, report, Questions(symbols, definitions)


def _required(report: Report, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of `work`, without which loading ends. Raises `ErrorsReported`."""
    try:
        return work(*args, **kwargs)
    except DiagnosticError as failed:
        report.add(failed.diagnostic)
        report.stop_on_errors()
        raise


# ---- texts


def _read_game(symbols: SymbolTable, folder: Folder) -> MappingReader:
    """`game.yaml`, with its required keys."""
    reader = entry(symbols, read(folder.source(GAME)), f"`{GAME}`", SECTIONS)
    symbols.span = reader.mapping.span.source.beginning
    missing = [key for key in NEEDED if not reader.has(key)]
    if missing:
        hint = "add what is missing: every game has a name, seats, rules and a flow of phases"
        raise DiagnosticError(MissingKey(symbols.span, reader.where, quoted(missing, "and"), hint))
    return reader


def _shrink(symbols: SymbolTable, reader: MappingReader, small: ChosenPreset) -> tuple[MappingReader, str]:
    """The game with a preset applied, and the text of the preset. Raises `DiagnosticError`."""
    known = presets(symbols, reader.mapping)
    if small.source is None:
        preset = chosen(known, small, reader.mapping)
    else:
        preset = from_file(symbols, reader.mapping, read(small.source))
    symbols.report.stop_on_errors()
    return replace(reader, mapping=apply_preset(reader.mapping, preset)), preset.span.text


def _small_digest(folder: Folder, preset: str) -> str:
    """The content hash of a smaller game: of its files and the preset."""
    return sha256(f"{folder.digest()}\0{preset}".encode()).hexdigest()


def _definitions(symbols: SymbolTable, reader: MappingReader) -> tuple[Definition, ...]:
    """The parsed definitions of all rules files."""
    paths = symbols.attempt(words, reader.get("rules"), "`rules`") or ()
    sources = symbols.attempt_all(symbols.open, paths)
    length = sum(len(source.text) for source in sources)
    if length > MOST_RULES and not symbols.report.has_errors:
        symbols.fail(TooMuchText(sources[-1].beginning, "the rules", length, MOST_RULES))
        return ()
    return tuple(definition for file in symbols.attempt_all(parse, sources) for definition in file)


LabelsByLanguage: TypeAlias = "dict[str, tuple[Labels, Span]]"
"""The labels of each language, and where `game.yaml` names them; the first is the default."""


def _labels(symbols: SymbolTable, reader: MappingReader, folder: Folder) -> LabelsByLanguage:
    """The labels in all languages. Only those of the default language count for the digest."""
    found: LabelsByLanguage = {}
    for file in label_files(reader):
        if found and file.path.text not in folder.files:
            folder.translations.add(file.path.text)
        found[file.language] = read_labels(read(symbols.open(file.path))), file.path.span
    return found


def _look(symbols: SymbolTable, reader: MappingReader, folder: Folder) -> Look:
    """How the game looks; a smaller game looks as it comes."""
    if not reader.has("look") or not folder.with_look:
        return Look()
    named = reader.word("look")
    source = located(folder.look, named)
    return read_look(symbols, read(source), lambda node: located(folder.picture, node))


# ---- declarations


def _declarations(symbols: SymbolTable, reader: MappingReader) -> dict[str, Phase]:
    """All declarations, and the phases if the declarations have no errors."""
    symbols.attempt(_identity, reader)
    symbols.attempt(_clauses, symbols, reader)
    if symbols.attempt(_seats, symbols, reader) is None:
        return {}
    _sections(symbols, reader)
    if symbols.report.has_errors:
        return {}
    _check_zones_and_counters(symbols, reader)
    return symbols.attempt(read_flow, symbols, reader.needed("flow")) or {}


def _sections(symbols: SymbolTable, reader: MappingReader) -> None:
    """Declare everything, section by section; types and boards earlier if another one needs them."""
    works: list[Callable[[], None]] = []
    for section, declare in DECLARED:
        node = reader.get(section)
        found = symbols.attempt(mapping, node, f"`{section}`") if node is not None else None
        for name, value in found.pairs if found is not None else ():
            work: Callable[[], None] = partial(_declare, symbols, declare, name, value)
            works.append(work)
            if section in ("types", "boards"):
                symbols.pending.setdefault(name.text, work)
    for waiting in works:
        waiting()


def _declare(symbols: SymbolTable, declare: Declare, name: Scalar, value: Node) -> None:
    """Declare a name, unless that has begun. A name whose declaration fails is broken, not unknown."""
    if name.span in symbols.begun:
        return
    symbols.begun.add(name.span)
    try:
        declare(symbols, name, value)
    except DiagnosticError as failed:
        symbols.fail(failed.diagnostic)
        symbols.broken.setdefault(name.text, failed.diagnostic)


def _identity(reader: MappingReader) -> None:
    name = reader.word("game")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]*", name.text):
        raise DiagnosticError(WrongShape(name.span, "`game`", "one word of letters, digits, `_` and `-`"))
    reader.line("title")
    reader.count("longest", LONGEST, MOST_DECISIONS)


def _clauses(symbols: SymbolTable, reader: MappingReader) -> None:
    if reader.has("clauses"):
        read_rulebook(symbols, read(symbols.open(reader.word("clauses"))))


def _seats(symbols: SymbolTable, reader: MappingReader) -> bool:
    declare_seats(symbols, reader.needed("seats"))
    return True


def _check_zones_and_counters(symbols: SymbolTable, reader: MappingReader) -> None:
    """The checks that need all zones and counters."""
    empty = Mapping((), reader.span)
    zones, counters = (reader.get(section) for section in ("zones", "counters"))
    check_zones(symbols, zones if isinstance(zones, Mapping) else empty)
    check_counters(symbols, counters if isinstance(counters, Mapping) else empty)


# ---- definitions


def _elaborate(
    definitions: Definitions,
    reader: MappingReader,
    phases: dict[str, Phase],
    languages: LabelsByLanguage,
    digest: str,
) -> Rules:
    """The typed rules. Raises `ErrorsReported`."""
    symbols = definitions.symbols
    definitions.gather()
    values = definitions.all_values()
    cells = read_cells(definitions)
    routines = bodies.typed_routines(definitions)
    triggers = bodies.triggers(definitions)
    scores = bodies.scores(definitions)
    invariants, goals = bodies.invariants(definitions), bodies.goals(definitions)
    check_flow(definitions, phases)
    if not symbols.report.has_errors:
        definitions.warn_unused()
    allow = reader.get("allow")
    allowed = symbols.attempt(read_suppressions, symbols, allow) if allow is not None else ()
    symbols.report.stop_on_errors()
    language, (labels, _) = next(iter(languages.items()))
    others = {tag: translation(labels, *other) for tag, other in languages.items() if tag != language}
    return Rules(
        name=reader.word("game").text,
        title=reader.line("title") or reader.word("game").text,
        seats=symbols.seats,
        longest=reader.count("longest", LONGEST, MOST_DECISIONS),
        types=symbols.types,
        components=symbols.components,
        zones=symbols.zones,
        counters=symbols.counters,
        marks=symbols.marks,
        pointers=symbols.pointers,
        tables=symbols.tables,
        options=symbols.options,
        constants=symbols.constants,
        cells=cells,
        routines=routines,
        values=values,
        collections=definitions.typed_collections,
        triggers=triggers,
        scores=scores,
        invariants=invariants,
        phases=phases,
        clauses=symbols.clauses or {},
        labels=labels.names,
        helps=labels.helps,
        span=symbols.span,
        digest=digest,
        allowed=allowed or (),
        goals=goals,
        texts=symbols.texts,
        nouns=labels.nouns,
        phrases=labels.phrases,
        rows=tuple(symbols.rows),
        language=language,
        translations=others,
        written=labels.written,
    )
