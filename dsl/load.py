"""The front door: a folder of texts becomes typed rules. The only place that lists the stages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from dsl.declare.flow import read_flow
from dsl.declare.kinds import declare_board, declare_component, declare_seat, declare_type
from dsl.declare.stores import (
    check_counters,
    check_zones,
    declare_counter,
    declare_mark,
    declare_pointer,
    declare_zone,
)
from dsl.declare.tables import (
    declare_constant,
    declare_option,
    declare_ruling,
    declare_table,
    read_clauses,
)
from dsl.declare.world import World, keys, mapping, needed, number, word, words
from dsl.diagnostics import Failed, Report
from dsl.document import Mapping, Node, Scalar, read
from dsl.elaborate.definitions import Definitions
from dsl.elaborate.expressions import Expressions
from dsl.elaborate.scope import Scope
from dsl.grammar import parse, parse_question, terminals
from dsl.messages import CannotRead, NotText, TooLarge
from dsl.rules import Expr, Group, Phase, Rules
from dsl.source import Source, Span
from dsl.syntax import Definition

LARGEST_FILE = 2_000_000
SECTIONS = (
    "game", "title", "seats", "clauses", "rules", "longest", "labels", "constants", "options", "rulings",
    "types", "boards", "components", "zones", "counters", "marks", "pointers", "tables", "flow",
)  # fmt: skip
DECLARED: tuple[tuple[str, Callable[[World, Scalar, Node], None]], ...] = (
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


@dataclass
class Folder:
    """The files of one ruleset, read through `fetch` (a path within the folder to bytes)."""

    name: str
    fetch: Callable[[str], bytes]
    files: dict[str, bytes] = field(default_factory=dict)

    def source(self, path: str, span: Span | None = None) -> Source:
        """A file as text. Raises `Failed` if it is missing, too large or no text."""
        shown = f"{self.name}/{path}"
        at = span or Span(Source(shown, ""), 0, 0)
        if ".." in path.split("/") or path.startswith(("/", "\\")) or "\0" in path:
            raise Failed(CannotRead(at, path, "it lies outside the ruleset's folder"))
        try:
            data = self.fetch(path)
        except OSError as error:
            hint = "a ruleset is a folder with a `game.yaml`" if path == "game.yaml" else "check its name"
            raise Failed(CannotRead(at, shown, error.strerror or "it is not there", hint)) from None
        if len(data) > LARGEST_FILE:
            raise Failed(TooLarge(at, shown, len(data), LARGEST_FILE))
        self.files[path] = data
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Failed(NotText(at, shown, error.start)) from None
        if "\0" in text:
            raise Failed(NotText(at, shown, text.index("\0")))
        return Source(shown, text.replace("\r\n", "\n"))

    def digest(self) -> str:
        """The content hash of everything that was read, independent of the folder's place."""
        whole = hashlib.sha256()
        for path in sorted(self.files):
            part = hashlib.sha256(self.files[path].replace(b"\r\n", b"\n")).hexdigest()
            whole.update(f"{path}\0{part}\n".encode())
        return whole.hexdigest()


def load(folder: Folder) -> tuple[Rules, Report]:
    """The typed rules of a ruleset, with the warnings that were found.

    Raises `Stop` with every error of the first stage that left any.
    """
    rules, report, _ = load_for_questions(folder)
    return rules, report


@dataclass
class Questions:
    """Expressions about a ruleset that stand outside it, as scenarios ask them."""

    world: World
    definitions: Definitions

    def ask(self, text: str) -> Expr | Group:
        """A typed expression or collection. Raises `Failed` if the text means nothing."""
        typer = Expressions(Scope(self.world, self.definitions, trusting=True))
        node = parse_question(Source(f"`{text}`", text))
        return typer.maybe_group(node) or typer.expr(node)


def load_for_questions(folder: Folder) -> tuple[Rules, Report, Questions]:
    """The same as `load`, and what is needed to ask questions in the words of the rules."""
    report = Report()
    document = _front(report, lambda: read(folder.source("game.yaml")))
    world = World(report, terminals(), lambda path: folder.source(path))
    found = _front(report, lambda: keys(world, document, "`game.yaml`", SECTIONS))
    world.span = Span(found.span.source, found.span.start, min(found.span.end, found.span.start + 1))
    title, seats_ok = _identity(world, found, folder)
    written = _rules_text(world, found, folder)
    if seats_ok:
        _declare(world, found)
    phases: dict[str, Phase] = {}
    if not report.has_errors:
        phases = read_flow(world, found.get("flow")) if _has_flow(world, found) else {}
    report.stop_on_errors()
    rules, definitions = _elaborate(world, found, folder, written, phases, title)
    return rules, report, Questions(world, definitions)


T = TypeVar("T")


def _front(report: Report, work: Callable[[], T]) -> T:
    try:
        return work()
    except Failed as failed:
        report.add(failed.mistake)
        report.stop_on_errors()
        raise


def _identity(world: World, found: Mapping, folder: Folder) -> tuple[dict[str, str], bool]:
    """Name, title, seats and the rulebook's clauses; whether the seats could be read."""
    names: dict[str, str] = {"longest": "10000"}

    def name() -> None:
        names["game"] = word(needed(found, "game", "`game.yaml`"), "`game`").text
        title = found.get("title")
        names["title"] = word(title, "`title`").text if title is not None else names["game"]

    def longest() -> None:
        node = found.get("longest")
        if node is not None:
            names["longest"] = str(number(node, "`longest`"))

    def clauses() -> None:
        node = found.get("clauses")
        if node is not None:
            path = word(node, "`clauses`")
            world.clauses = read_clauses(world, read(folder.source(path.text, path.span)))

    for work in (name, longest, clauses):
        world.attempt(work)
    before = len(world.report)
    world.attempt(lambda: declare_seat(world, needed(found, "seats", "`game.yaml`")))
    return names, len(world.report) == before


def _rules_text(world: World, found: Mapping, folder: Folder) -> tuple[Definition, ...]:
    written: list[Definition] = []

    def files() -> None:
        for path in words(needed(found, "rules", "`game.yaml`"), "`rules`"):
            world.attempt(lambda path=path: written.extend(parse(folder.source(path.text, path.span))))  # type: ignore[misc]

    world.attempt(files)
    return tuple(written)


def _declare(world: World, found: Mapping) -> None:
    for section, declare in DECLARED:
        node = found.get(section)
        if node is None:
            continue
        try:
            pairs = mapping(node, f"`{section}`").pairs
        except Failed as failed:
            world.fail(failed.mistake)
            continue
        for name, value in pairs:
            world.attempt(lambda d=declare, n=name, v=value: d(world, n, v))  # type: ignore[misc]
    check_zones(world)
    check_counters(world)


def _has_flow(world: World, found: Mapping) -> bool:
    before = len(world.report)
    world.attempt(lambda: mapping(needed(found, "flow", "`game.yaml`"), "`flow`"))
    return len(world.report) == before


def _elaborate(
    world: World, found: Mapping, folder: Folder, written: tuple[Definition, ...], phases: dict[str, Phase], names: dict[str, str]
) -> tuple[Rules, Definitions]:  # fmt: skip
    report = world.report
    definitions = Definitions(world, written)
    definitions.gather()
    values = definitions.all_values()
    cells = definitions.cells()
    routines = definitions.all_routines()
    triggers, scores, invariants = (
        definitions.triggers(),
        definitions.scores(),
        definitions.invariants(),
    )
    definitions.check_flow(phases)
    labels, helps = _labels(world, found, folder)
    if not report.has_errors:
        definitions.warn_unused()
    report.stop_on_errors()
    rules = Rules(
        names["game"], names["title"], world.seats, int(names["longest"]), world.types, world.components,
        world.zones, world.counters, world.marks, world.pointers, world.tables, world.options,
        world.constants, cells, routines, values, triggers, scores, invariants, phases,
        world.clauses or {}, labels, helps, world.span, folder.digest(),
    )  # fmt: skip
    return rules, definitions


def _labels(world: World, found: Mapping, folder: Folder) -> tuple[dict[str, str], dict[str, str]]:
    labels: dict[str, str] = {}
    helps: dict[str, str] = {}

    def read_labels() -> None:
        node = found.get("labels")
        if node is None:
            return
        path = word(node, "`labels`")
        for key, value in mapping(read(folder.source(path.text, path.span)), "the labels").pairs:
            if key.text == "help":
                helps.update({k.text: word(v, "a help text").text for k, v in mapping(value, "`help`").pairs})
            else:
                labels[key.text] = word(value, "a label").text

    world.attempt(read_labels)
    return labels, helps
