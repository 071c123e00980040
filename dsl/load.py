"""Loading: from the texts of a ruleset to its typed rules. The only place that lists the stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping as Names
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from hashlib import sha256
from typing import NamedTuple, ParamSpec, TypeVar

from dsl import rules as r
from dsl.declare.about import read_about
from dsl.declare.arithmetic import SEATS
from dsl.declare.broken_names import PossibleNames, mark_lost, mark_unknown, mark_unread_tables
from dsl.declare.derived_labels import with_derived_labels
from dsl.declare.flow import WrittenPhase
from dsl.declare.labels import Labels, LabelsByLanguage, read_labels, translation, with_row_texts
from dsl.declare.languages import label_files
from dsl.declare.look import read_look
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import mapping, word
from dsl.declare.presets import ChosenPreset as ChosenPreset, apply_preset, chosen, from_file, presets
from dsl.declare.provenance import read_provenance
from dsl.declare.sections import NEEDED, SECTIONS, declarations, longest
from dsl.declare.suppressions import read_suppressions
from dsl.declare.symbol_table import SymbolTable
from dsl.declare.translations import with_translated_clauses
from dsl.definition_files import read_definitions
from dsl.diagnostics import DiagnosticError, ErrorsReported, InternalError, Report
from dsl.document import Mapping, read
from dsl.domains import Type
from dsl.elaborate import bodies
from dsl.elaborate.absent import read_absent
from dsl.elaborate.carried import check_carries
from dsl.elaborate.definitions import Definitions
from dsl.elaborate.expressions import expression_typer
from dsl.elaborate.flow import typed_flow
from dsl.elaborate.history_parts import check_histories
from dsl.elaborate.presence import report_assumed
from dsl.elaborate.references import CellReference, read_cells
from dsl.elaborate.scope import Scope
from dsl.elaborate.scratch import check_recalls, check_scratch
from dsl.elaborate.shown import check_shown
from dsl.elaborate.sizes import check_chains, check_sizes
from dsl.elaborate.templates import unknown_in_brief, unknown_placeholders
from dsl.folder import LARGEST_FILE as LARGEST_FILE, Folder as Folder
from dsl.grammar import parse_question, terminals
from dsl.messages.shapes import MissingKey
from dsl.overlays import GAME as GAME, Layers, laid_over, read_layers
from dsl.recursion import make_room
from dsl.rules import NO_LANGUAGE, About, Collection, Expr, Look, Rules, Var
from dsl.source import Source, Span
from dsl.wording import quoted

P = ParamSpec("P")
T = TypeVar("T")


def load(folder: Folder, small: ChosenPreset | None = None) -> tuple[Rules, Report]:
    """The typed rules of a ruleset, or of a smaller game by a preset, and the report of its warnings.

    Raises `ErrorsReported` with all errors, of all stages that can continue behind them.
    """
    rules, report, _ = load_for_questions(folder, small)
    return rules, report


@dataclass
class Questions:
    """Typing of expressions from outside a ruleset, such as those of scenarios."""

    symbols: SymbolTable
    definitions: Definitions
    configurations: Configurations | None = None

    def configured(self, seats: int, options: dict[str, int]) -> Questions:
        """The same for one configuration."""
        return self if self.configurations is None else self.configurations.questions(seats, options)

    def ask(self, text: str) -> Expr | Collection:
        """A typed expression or collection. Raises `DiagnosticError` if the text is wrong."""
        return self.ask_about(text, {})[0]

    def ask_about(self, text: str, named: Names[str, Type]) -> tuple[Expr | Collection, tuple[Var, ...]]:
        """The same with names for values of some types, and their variables."""
        source = Source(f"`{text}`", text)
        variables = {name: Var(name, kind, source.beginning) for name, kind in named.items()}
        scope = Scope(self.symbols, self.definitions, dict(variables), assume_present=True)
        typer, node = expression_typer(scope), parse_question(source)
        return typer.maybe_collection(node) or typer.expr(node), tuple(variables.values())


MOST_CONFIGURATIONS = 24
"""The most configurations of which the rules are kept."""
Assumed = tuple[tuple[str, int], ...]
"""The number of seats, called `seats`, and the values of options on which declarations depend."""


class Configurations:
    """Readings of one ruleset for its configurations, where numbers in declarations depend on them."""

    def __init__(self, folder: Folder, small: ChosenPreset | None, asked: frozenset[str]) -> None:
        files = dict(folder.files)
        self.folder = Folder(
            folder.name, lambda path: _kept(files, path), with_look=False, known=folder.sources
        )
        self.small = small
        self.asked = asked
        self.known: dict[Assumed, tuple[Rules, Questions]] = {}

    def rules(self, seats: int, options: dict[str, int]) -> Rules:
        """The rules of one configuration. Raises `ErrorsReported`."""
        return self._read(seats, options)[0]

    def questions(self, seats: int, options: dict[str, int]) -> Questions:
        """The context of questions in one configuration. Raises `ErrorsReported`."""
        return self._read(seats, options)[1]

    def _read(self, seats: int, options: dict[str, int]) -> tuple[Rules, Questions]:
        assumed = tuple(
            (name, value) for name, value in sorted({**options, SEATS: seats}.items()) if name in self.asked
        )
        found = self.known.get(assumed)
        if found is None:
            rules, _, questions = _load(self.folder, self.small, dict(assumed), self)
            found = rules, questions
            if len(self.known) >= MOST_CONFIGURATIONS:
                self.known.clear()
            self.known[assumed] = found
        return found


def _kept(files: dict[str, bytes], path: str) -> bytes:
    """The bytes of a file as they were when the ruleset was read first."""
    if path not in files:
        raise FileNotFoundError(path)
    return files[path]


def load_for_questions(folder: Folder, small: ChosenPreset | None = None) -> tuple[Rules, Report, Questions]:
    """`load`, and the context in which questions about the rules are typed."""
    rules, report, questions = _load(folder, small, {}, None)
    asked = questions.symbols.asked
    if asked:
        configurations = Configurations(folder, small, frozenset(asked))
        rules = replace(rules, configurations=configurations)
        questions.configurations = configurations
    return rules, report, questions


def _load(
    folder: Folder, small: ChosenPreset | None, assumed: dict[str, int], within: Configurations | None
) -> tuple[Rules, Report, Questions]:
    """The rules with these options and number of seats, where declarations depend on them."""
    options = {name: value for name, value in assumed.items() if name != SEATS}
    report = Report()
    symbols = SymbolTable(report, terminals(), folder, assumed=options, assumed_seats=assumed.get(SEATS))
    analysis = Analysis(folder, report, symbols)
    rules = _analysed(analysis, small, within)
    assert analysis.definitions is not None
    return rules, report, Questions(symbols, analysis.definitions, within)


@dataclass
class Analysis:
    """What is known of a ruleset, as far as its mistakes allow: its findings, declarations and definitions.

    `rules` are there if it has no errors; `partial` are the rules without what could not be typed, with
    the `names` that they may have beside those that they have.
    """

    folder: Folder
    report: Report
    symbols: SymbolTable
    definitions: Definitions | None = None
    rules: Rules | None = None
    partial: Rules | None = None
    names: PossibleNames | None = None


def analyse(folder: Folder) -> Analysis:
    """A ruleset with all its findings. Nothing is raised for mistakes in it."""
    report = Report()
    analysis = Analysis(folder, report, SymbolTable(report, terminals(), folder))
    with suppress(ErrorsReported):
        analysis.rules = _analysed(analysis, None, None)
    return analysis


def _analysed(analysis: Analysis, small: ChosenPreset | None, within: Configurations | None) -> Rules:
    """The rules. Raises `ErrorsReported` with all errors of all stages if there are any."""
    make_room()
    folder, report, symbols = analysis.folder, analysis.report, analysis.symbols
    layers = _required(report, read_layers, folder)
    mark_lost(symbols, layers.lost)
    reader = _required(report, _read_game, symbols, layers)
    digest = folder.digest
    if small is not None:
        reader, preset = _required(report, _shrink, symbols, reader, small)
        digest = partial(_small_digest, folder, preset)
    else:
        symbols.attempt(presets, symbols, reader.mapping)
    written, lost = read_definitions(symbols, layers)
    phases = declarations(symbols, reader, layers)
    if report.has_errors:
        mark_unread_tables(symbols)
    declared = not report.has_errors
    labels = symbols.attempt(_labels, symbols, layers, folder) or {NO_LANGUAGE: (Labels(), symbols.span)}
    analysis.names = PossibleNames(symbols, reader.mapping, _sources(labels))
    labels = with_row_texts(labels, symbols.row_texts)
    look = symbols.attempt(_look, symbols, layers, folder, declared) if small is None else None
    definitions = analysis.definitions = Definitions(symbols, written, lost=lost)
    about = symbols.attempt(_about, symbols, layers, folder)
    shown = look.shown if look is not None else ()
    definitions.used.update(value.name for value in shown)
    try:
        rules = _elaborate(definitions, reader, phases, labels, digest)
    except (AssertionError, DiagnosticError, InternalError, LookupError):
        # what a failed declaration leaves behind may contradict itself
        report.stop_on_errors()
        raise
    rules = symbols.attempt(with_translated_clauses, symbols, rules) or rules
    analysis.partial = rules = replace(rules, bases=layers.bases)
    incomplete = report.has_errors
    for found, _ in labels.values():
        for diagnostic in unknown_placeholders(found, rules, incomplete):
            report.add(diagnostic)
    for diagnostic in () if incomplete else unknown_in_brief(rules):
        report.add(diagnostic)
    report.stop_on_errors()
    rules = with_derived_labels(rules)
    if (absent := reader.get("absent")) is not None:
        preferences = symbols.attempt(read_absent, symbols, absent, rules, small is None)
        rules = replace(rules, absent=preferences or {})
    symbols.attempt(check_sizes, rules)
    if (many := symbols.attempt(check_chains, rules)) is not None:
        symbols.report.add(many)
    check_shown(symbols, rules, shown)
    check_scratch(symbols, rules, shown)
    check_recalls(symbols, rules)
    report.stop_on_errors()
    return replace(rules, look=look or Look(), about=about or About(), configurations=within)


def _required(report: Report, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of `work`, without which loading ends. Raises `ErrorsReported`."""
    try:
        return work(*args, **kwargs)
    except DiagnosticError as failed:
        report.add(failed.diagnostic)
        report.stop_on_errors()
        raise


# ---- texts


def _read_game(symbols: SymbolTable, layers: Layers) -> MappingReader:
    """`game.yaml`, with its required keys."""
    reader = entry(symbols, layers.merged, f"`{GAME}`", SECTIONS)
    symbols.span = reader.mapping.span.source.beginning
    unknown = {found.span: found for found in symbols.report.errors}
    for key, value in reader.mapping.pairs:
        if key.text not in SECTIONS and isinstance(value, Mapping):
            mark_unknown(symbols, value, unknown[key.span])
    missing = [key for key in NEEDED if not reader.has(key) and layers.lost_section(key) is None]
    if missing:
        hint = "add what is missing: every game has a name, seats, rules and a flow of phases"
        symbols.fail(MissingKey(symbols.span, reader.where, quoted(missing, "and"), hint))
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


def _labels(symbols: SymbolTable, layers: Layers, folder: Folder) -> LabelsByLanguage:
    """The labels in all languages. Only those of the default language count for the digest."""
    texts: dict[str, tuple[Mapping, Span]] = {}
    for layer in layers.texts:
        for file in label_files(layer):
            path = folder.named_in(file.path.span.source, file.path.text)
            if texts and file.language != next(iter(texts)) and path not in folder.files:
                folder.translations.add(path)
            text = mapping(read(symbols.open(file.path)), "the labels")
            if file.language in texts:
                text = laid_over(texts[file.language][0], text, 1)
            texts[file.language] = text, file.path.span
    return {language: (read_labels(text), at) for language, (text, at) in texts.items()}


def _sources(labels: LabelsByLanguage) -> frozenset[Source]:
    """The files of the labels."""
    return frozenset(at.source for found, _ in labels.values() for at in found.places.values())


def _look(symbols: SymbolTable, layers: Layers, folder: Folder, declared: bool) -> Look:
    """How the game looks; a smaller game looks as it comes. Without all declarations only its form counts."""
    named = [word(node, "`look`") for node in layers.named("look")] if folder.with_look else []
    if not named:
        return Look()
    texts = [mapping(read(symbols.located(folder.look, node)), "the look") for node in named]
    if not declared:
        return Look()
    whole = reduce(partial(laid_over, depth=1), texts)
    return read_look(symbols, whole, partial(symbols.located, folder.picture))


def _about(symbols: SymbolTable, layers: Layers, folder: Folder) -> About:
    """What the game is to people who look for one; an overlay's texts are laid over those of its base."""
    named = [word(node, "`about`") for node in layers.named("about")] if folder.with_look else []
    texts = [mapping(read(symbols.located(folder.look, node)), "the file `about`") for node in named]
    return read_about(symbols, reduce(partial(laid_over, depth=2), texts)) if texts else About()


# ---- definitions


class _Typed(NamedTuple):
    """The typed definitions."""

    values: dict[str, r.Value]
    cells: tuple[CellReference, ...]
    routines: dict[str, r.Routine]
    triggers: tuple[r.Trigger, ...]
    scores: tuple[r.ScoreLine, ...]
    invariants: tuple[r.Invariant, ...]
    goals: tuple[r.Invariant, ...]
    phases: dict[str, r.Phase]


def _typed(definitions: Definitions, phases: dict[str, WrittenPhase]) -> _Typed:
    """All definitions, typed in the order of the fields, then what can only be checked of all of them."""
    definitions.gather()
    typed = _Typed(
        definitions.all_values(),
        read_cells(definitions),
        bodies.typed_routines(definitions),
        bodies.triggers(definitions),
        bodies.scores(definitions),
        bodies.invariants(definitions),
        bodies.goals(definitions),
        typed_flow(definitions, phases),
    )
    report_assumed(definitions.symbols)
    check_histories(definitions)
    check_carries(definitions)
    if not definitions.symbols.report.has_errors:
        definitions.warn_unused()
    return typed


def _elaborate(
    definitions: Definitions,
    reader: MappingReader,
    phases: dict[str, WrittenPhase],
    languages: LabelsByLanguage,
    digest: Callable[[], str],
) -> Rules:
    """The typed rules, or those that are left if there are errors. Raises `DiagnosticError` if none are."""
    symbols = definitions.symbols
    typed = _typed(definitions, phases)
    allow = reader.get("allow")
    allowed = symbols.attempt(read_suppressions, symbols, allow) if allow is not None else ()
    rows = reader.get("provenance")
    provenance = symbols.attempt(read_provenance, symbols, rows) if rows is not None else ()
    language, (labels, _) = next(iter(languages.items()))
    others = {tag: translation(labels, *other) for tag, other in languages.items() if tag != language}
    return Rules(
        name=reader.word("game").text,
        title=reader.line("title") or reader.word("game").text,
        seat_counts=symbols.seat_counts,
        longest=longest(reader),
        types=symbols.types,
        components=symbols.components,
        teams=symbols.teams,
        zones=symbols.zones,
        counters=symbols.counters,
        marks=symbols.marks,
        pointers=symbols.pointers,
        tables=symbols.tables,
        options=symbols.options,
        constants=symbols.constants,
        cells=typed.cells,
        routines=typed.routines,
        values=typed.values,
        collections=definitions.typed_collections,
        triggers=typed.triggers,
        scores=typed.scores,
        invariants=typed.invariants,
        phases=typed.phases,
        clauses=symbols.clauses or {},
        labels=labels.names,
        helps=labels.helps,
        span=symbols.span,
        digest=digest(),
        allowed=allowed or (),
        provenance=provenance or (),
        goals=typed.goals,
        texts=symbols.texts,
        brief=symbols.brief,
        nouns=labels.nouns,
        phrases=labels.phrases,
        rows=tuple(symbols.rows),
        language=language,
        translations=others,
        histories=symbols.histories,
        carries=symbols.carries,
        text_columns=symbols.text_columns,
        written=labels.written,
        computed_from=frozenset(symbols.computed_from),
    )
