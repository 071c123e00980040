"""The front door: a folder of texts becomes typed rules. The only place that lists the stages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import ParamSpec, TypeVar

from dsl.declare.allowed import read_allowed
from dsl.declare.boards import declare_board
from dsl.declare.components import declare_component
from dsl.declare.entry import Entry, entry
from dsl.declare.enumerations import declare_seats
from dsl.declare.flow import read_flow
from dsl.declare.labels import Labels, read_labels
from dsl.declare.nodes import mapping, words
from dsl.declare.rulebook import read_rulebook
from dsl.declare.settings import declare_constant, declare_option, declare_ruling
from dsl.declare.small import Wanted as Wanted, chosen, from_file, presets, shrunk
from dsl.declare.stores import check_counters, declare_counter, declare_mark, declare_pointer
from dsl.declare.tables import declare_table
from dsl.declare.types import declare_type
from dsl.declare.world import World
from dsl.declare.zones import check_zones, declare_zone
from dsl.diagnostics import Failed, Report
from dsl.document import Mapping, Node, Scalar, read
from dsl.elaborate.definitions import Definitions
from dsl.elaborate.expressions import Expressions
from dsl.elaborate.phrases import strange_holes
from dsl.elaborate.references import check_flow, read_cells
from dsl.elaborate.scope import Scope
from dsl.elaborate.sizes import check_chains, check_sizes
from dsl.folder import LARGEST_FILE as LARGEST_FILE, Folder as Folder
from dsl.grammar import parse, parse_question, terminals
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.messages.sizes import TooMuchText
from dsl.recursion import make_room
from dsl.rules import Expr, Group, Phase, Rules
from dsl.source import Source
from dsl.syntax import Definition
from dsl.wording import quoted

P = ParamSpec("P")
T = TypeVar("T")

GAME = "game.yaml"
NEEDED = ("game", "seats", "rules", "flow")
LONGEST, MOST_DECISIONS = 10_000, 1_000_000_000
MOST_RULES = 200_000
"""Characters of all rules files; the largest bundled game has 20,000."""
Declare = Callable[[World, Scalar, Node], None]
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
ONCE = ("title", "clauses", "labels", "longest", "allow", "small")
SECTIONS = (*NEEDED, *ONCE, *(section for section, _ in DECLARED))


def load(folder: Folder, small: Wanted | None = None) -> tuple[Rules, Report]:
    """The typed rules of a ruleset, with the warnings that were found; or those of a smaller game.

    Raises `Stop` with every error of the first stage that left any.
    """
    rules, report, _ = load_for_questions(folder, small)
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


def load_for_questions(folder: Folder, small: Wanted | None = None) -> tuple[Rules, Report, Questions]:
    """The same as `load`, and what is needed to ask questions in the words of the rules."""
    make_room()
    report = Report()
    world = World(report, terminals(), folder.source)
    found = _front(report, _read_game, world, folder)
    digest = folder.digest
    if small is not None:
        found, preset = _front(report, _shrink, world, found, small)
        digest = partial(_small_digest, folder, preset)
    else:
        world.attempt(presets, world, found.found)
    written = _rules_text(world, found)
    phases = _declarations(world, found)
    labels = world.attempt(_labels, world, found) or Labels()
    report.stop_on_errors()
    definitions = Definitions(world, written)
    rules = _elaborate(definitions, found, phases, labels, digest())
    for mistake in strange_holes(labels, rules):
        report.add(mistake)
    world.attempt(check_sizes, rules)
    world.attempt(check_chains, rules)
    report.stop_on_errors()
    return rules, report, Questions(world, definitions)


def _front(report: Report, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Something that nothing can go on without."""
    try:
        return work(*args, **kwargs)
    except Failed as failed:
        report.add(failed.mistake)
        report.stop_on_errors()
        raise


# ---- what is written


def _read_game(world: World, folder: Folder) -> Entry:
    """`game.yaml` as a mapping that has what it cannot do without."""
    found = entry(world, read(folder.source(GAME)), f"`{GAME}`", SECTIONS)
    world.span = found.found.span.source.beginning
    missing = [key for key in NEEDED if not found.has(key)]
    if missing:
        hint = "add what is missing: every game has a name, seats, rules and a flow of phases"
        raise Failed(MissingKey(world.span, found.where, quoted(missing, "and"), hint))
    return found


def _shrink(world: World, found: Entry, small: Wanted) -> tuple[Entry, str]:
    """The game with a preset laid over it, and the preset as it is written. Raises `Failed`."""
    known = presets(world, found.found)
    if small.source is None:
        preset = chosen(known, small, found.found)
    else:
        preset = from_file(world, found.found, read(small.source))
    world.report.stop_on_errors()
    return replace(found, found=shrunk(found.found, preset)), preset.span.text


def _small_digest(folder: Folder, preset: str) -> str:
    """The content hash of a smaller game: that of its files and of the preset."""
    return sha256(f"{folder.digest()}\0{preset}".encode()).hexdigest()


def _rules_text(world: World, found: Entry) -> tuple[Definition, ...]:
    paths = world.attempt(words, found.get("rules"), "`rules`") or ()
    sources = [source for path in paths if (source := world.attempt(world.open, path)) is not None]
    if world.attempt(_check_length, sources, world.report) is None:
        return ()
    files = [world.attempt(parse, source) for source in sources]
    return tuple(definition for file in files for definition in file or ())


def _check_length(sources: list[Source], report: Report) -> int:
    """How long the rules are together. Raises `Failed` if that is more than anybody waits for."""
    together = sum(len(source.text) for source in sources)
    if together > MOST_RULES and not report.has_errors:
        raise Failed(TooMuchText(sources[-1].beginning, "the rules", together, MOST_RULES))
    return together


def _labels(world: World, found: Entry) -> Labels:
    if not found.has("labels"):
        return Labels()
    return read_labels(read(world.open(found.word("labels"))))


# ---- what there is


def _declarations(world: World, found: Entry) -> dict[str, Phase]:
    """All declarations, and the phases if the declarations have no errors."""
    world.attempt(_identity, world, found)
    world.attempt(_clauses, world, found)
    if world.attempt(_seats, world, found) is None:
        return {}
    _sections(world, found)
    if world.report.has_errors:
        return {}
    _check_together(world, found)
    return world.attempt(read_flow, world, found.needed("flow")) or {}


def _sections(world: World, found: Entry) -> None:
    """Everything that is declared, section by section; types and boards also when another needs them."""
    works: list[Callable[[], None]] = []
    for section, declare in DECLARED:
        node = found.get(section)
        pairs = world.attempt(mapping, node, f"`{section}`") if node is not None else None
        for name, value in pairs.pairs if pairs is not None else ():
            work: Callable[[], None] = partial(_declare, world, declare, name, value)
            works.append(work)
            if section in ("types", "boards"):
                world.pending.setdefault(name.text, work)
    for waiting in works:
        waiting()


def _declare(world: World, declare: Declare, name: Scalar, value: Node) -> None:
    """One declaration, once; a name whose declaration fails is known to be broken, not unknown."""
    if name.span in world.begun:
        return
    world.begun.add(name.span)
    try:
        declare(world, name, value)
    except Failed as failed:
        world.fail(failed.mistake)
        world.broken.setdefault(name.text, failed.mistake)


def _identity(world: World, found: Entry) -> None:
    name = found.word("game")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]*", name.text):
        raise Failed(WrongShape(name.span, "`game`", "one word of letters, digits, `_` and `-`"))
    found.line("title")
    found.count("longest", LONGEST, MOST_DECISIONS)


def _clauses(world: World, found: Entry) -> None:
    if found.has("clauses"):
        read_rulebook(world, read(world.open(found.word("clauses"))))


def _seats(world: World, found: Entry) -> bool:
    declare_seats(world, found.needed("seats"))
    return True


def _check_together(world: World, found: Entry) -> None:
    """What can be said of zones and counters only when all are known."""
    empty = Mapping((), found.span)
    zones, counters = (found.get(section) for section in ("zones", "counters"))
    check_zones(world, zones if isinstance(zones, Mapping) else empty)
    check_counters(world, counters if isinstance(counters, Mapping) else empty)


# ---- what may be done


def _elaborate(
    definitions: Definitions,
    found: Entry,
    phases: dict[str, Phase],
    labels: Labels,
    digest: str,
) -> Rules:
    """The rules, typed. Raises `Stop` if anything in them has no meaning."""
    world = definitions.world
    definitions.gather()
    values = definitions.all_values()
    cells = read_cells(definitions)
    routines = definitions.all_routines()
    triggers = definitions.triggers()
    scores, invariants, goals = definitions.scores(), definitions.invariants(), definitions.goals()
    check_flow(definitions, phases)
    if not world.report.has_errors:
        definitions.warn_unused()
    allowed = (world.attempt(read_allowed, world, found.needed("allow")) or ()) if found.has("allow") else ()
    world.report.stop_on_errors()
    return Rules(
        name=found.word("game").text,
        title=found.line("title") or found.word("game").text,
        seats=world.seats,
        longest=found.count("longest", LONGEST, MOST_DECISIONS),
        types=world.types,
        components=world.components,
        zones=world.zones,
        counters=world.counters,
        marks=world.marks,
        pointers=world.pointers,
        tables=world.tables,
        options=world.options,
        constants=world.constants,
        cells=cells,
        routines=routines,
        values=values,
        triggers=triggers,
        scores=scores,
        invariants=invariants,
        phases=phases,
        clauses=world.clauses or {},
        labels=labels.names,
        helps=labels.helps,
        span=world.span,
        digest=digest,
        allowed=allowed,
        goals=goals,
        texts=world.texts,
        nouns=labels.nouns,
        phrases=labels.phrases,
        rows=tuple(world.rows),
    )
