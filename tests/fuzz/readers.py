"""Everything that reads a text that somebody has written, as functions of the text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from dsl import grammar
from dsl.diagnostics import ErrorsReported, Report
from dsl.document import read
from dsl.document_recovery import read_recovering
from dsl.folder import LARGEST_FILE
from dsl.load import Questions, load, load_for_questions
from dsl.pictures import LARGEST_PICTURE, data_url
from dsl.render import as_json, lines, snippets
from dsl.rules import Rules
from dsl.source import Source, Span
from dsl.workspace import navigation
from dsl.workspace.calls import signature
from dsl.workspace.corrections import all_corrections
from dsl.workspace.drift import Drift, TouchedByEdit
from dsl.workspace.formatting import formatted
from dsl.workspace.highlighting import hints, semantic_tokens
from dsl.workspace.outline import foldings, outline
from dsl.workspace.snapshot import Snapshot, Workspace
from dsl.workspace.yaml_form import formatted_yaml
from interpreter import companion_log, log
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.replay import replay
from rulewright.editors import writing
from rulewright.editors.open_rulesets import findings
from rulewright.matches.position_file import LARGEST as LARGEST_POSITION, position_in
from rulewright.studio.line_changes import changed_lines
from rulewright.studio.merging import merged
from rulewright.updates.rules import updated
from rulewright.updates.scenarios import updated_scenarios
from tests.fuzz.inputs import folder_of
from validators.mutate.equivalents import read_equivalents
from validators.scenarios.reading import read_file
from validators.scenarios.running import ScenarioRunner
from validators.trace.alignment import align
from validators.trace.fingerprints import fingerprint
from validators.trace.sentences import sentences

GAME = """game: demo
seats: 2
rules: [demo.rules]
labels: labels.yaml
look: look.yaml
clauses: rulebook.yaml
boards:
  field: {grid: [3, 3]}
components:
  card: {table: cards.csv, columns: {cost: 1..9}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner}
counters:
  gold: {of: seat, range: 0..9}
flow:
  turn: {seat: rotates, do: [{do one of: [sow]}], then: turn}
  final: {score: none}
"""
FILES = {
    "game.yaml": GAME,
    "demo.rules": "action sow\n    gold of me += 1\n",
    "rulebook.yaml": "rulebook: {title: Demo, language: en}\nclauses:\n  §1.1: {heading: Sow, says: sow}\n",
    "labels.yaml": "sow: Sow\n",
    "look.yaml": "pieces:\n  card: {shape: card}\n",
    "cards.csv": "card,cost\nknight,3\nbaker,2\n",
}


# ---- readers


def _loaded(path: str) -> Callable[[str], None]:
    """Reads the ruleset with another text of a file, and shows what is wrong with it."""

    def read_all(text: str) -> None:
        try:
            found = load(folder_of({**FILES, path: text}))[1]
        except ErrorsReported as error:
            found = error.report
        _shown(found)

    return read_all


def _shown(found: Report) -> None:
    for show in (snippets, lines, as_json):
        show(found)


SAVED = {**FILES, "scenarios/demo.yaml": "- scenario: sown\n  when: [A: sow]\n  then: {gold of A: 1}\n"}


def _edited(path: str) -> Callable[[str], None]:
    """Reads the ruleset as an editor does, and again after a small change at the end of a file."""

    def edit(text: str) -> None:
        workspace = Workspace("demo", lambda path: SAVED[path].encode())
        workspace.edit(path, text)
        _ = workspace.snapshot().findings
        workspace.edit(path, f"{text}\n# more")
        snapshot = workspace.snapshot()
        _shown(Report(findings(snapshot)))
        _ = snapshot.whole_index

    return edit


def _asked(path: str) -> Callable[[str], None]:
    """Asks what an editor asks of a file: at some places of it, and of all of it."""

    def ask(text: str) -> None:
        workspace = Workspace("demo", lambda path: SAVED[path].encode())
        workspace.edit(path, text)
        snapshot = workspace.snapshot()
        source = snapshot.source(path)
        if source is None:
            return
        for place in (len(text) // 2, len(text)):
            _ask_at(snapshot, source, place)
        whole = Span(source, 0, len(text))
        found = [list(hints(snapshot, whole)), list(semantic_tokens(snapshot, source)), foldings(source)]
        found.append(list(outline(snapshot, source)))
        for finding in snapshot.findings:
            found.append(list(all_corrections(snapshot, finding)))

    return ask


def _ask_at(snapshot: Snapshot, source: Source, place: int) -> None:
    """What is asked at a place: about the name there, what may come next, and after one more letter."""
    writing.completions(snapshot, source, place)
    writing.hovered(snapshot, source, place)
    signature(snapshot, source, place)
    navigation.definition(snapshot, source, place)
    navigation.references(snapshot, source, place)
    drift = Drift(source, Source(source.name, f"{source.text[:place]}x{source.text[place:]}"))
    try:
        drift.unchanged(place)
    except TouchedByEdit:
        return


def _merged(text: str) -> None:
    """Puts an edit at each third line together with one at the end, and compares what was edited."""
    some = text.split("\n")
    other = "\n".join(f"{line}x" if number % 3 else line for number, line in enumerate(some))
    for old, new in ((text, other), (f"a\n{text}b", f"b\n{text}a"), (text, text[len(text) // 3 :])):
        changed_lines(old, new)
        merged(old, new, f"{old}\nmore")


@cache
def _known() -> tuple[Rules, Questions]:
    rules, _, questions = load_for_questions(folder_of(FILES))
    return rules, questions


def _rules() -> Rules:
    return _known()[0]


@cache
def _game() -> Game:
    return Game(_rules(), compile_rules(_rules(), None, {}))


def _played(text: str) -> None:
    """Plays each scenario, with each of its assertions made false."""
    runner = ScenarioRunner(*_known(), falsify=True)
    for scenario in read_file(Source("x.yaml", text), _rules()).scenarios:
        _ = runner.run(scenario).diagnostic


def _updated_scenarios(text: str) -> None:
    updated_scenarios(Source("x.yaml", text), *_known())


def _position(text: str) -> None:
    position_in(Source("x.yaml", text)).match(_game(), 0)


def _replayed(text: str) -> None:
    replay(_game(), log.read(Source("match.log", text), trusted=True), verify=False)


def _told(text: str) -> None:
    """Reads lines that are sealed anew, as far as they are JSON."""
    seal, found = "", []
    for line in text.split("\n"):
        try:
            read_line = json.loads(line)
            line, seal = log.sealed(read_line, seal) if isinstance(read_line, dict) else (line, seal)
        except (ValueError, RecursionError):
            line = f"{line}\n"
        found.append(line)
    text = "".join(found)
    companion_log.resumed(_game(), companion_log.read(Source("match.log", text)))


def _located(text: str) -> None:
    """Numbers the sentences of a text, and carries them over to one in which some are changed."""
    found = [fingerprint(one.text) for one in sentences(Source("x.txt", text), "en")]
    other = [fingerprint(f"{number} {mark}") if number % 3 else mark for number, mark in enumerate(found)]
    align(found, other[len(other) // 5 :])


def _chosen(text: str) -> None:
    """Says a text where words of a choice are expected."""
    try:
        Match(_game()).start().choose("A", text)
    except Fault as fault:
        _shown(Report([fault.diagnostic]))


def _svg(inner: str) -> None:
    data_url(f'<svg xmlns="http://www.w3.org/2000/svg">{inner}</svg>'.encode())


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads a text, the kind of parts that the text is made of, and its most characters."""

    read: Callable[[str], object]
    parts: str
    most: int = LARGEST_FILE


READERS = {
    "document": Reader(lambda text: read(Source("x.yaml", text)), "yaml"),
    "recovery": Reader(lambda text: read_recovering(Source("game.yaml", text)), "yaml"),
    "pieces": Reader(lambda text: grammar.parse_pieces(Source("x.rules", text)), "rules"),
    "game": Reader(_loaded("game.yaml"), "yaml"),
    "rules": Reader(_loaded("demo.rules"), "rules"),
    "table": Reader(_loaded("cards.csv"), "csv"),
    "labels": Reader(_loaded("labels.yaml"), "yaml"),
    "look": Reader(_loaded("look.yaml"), "yaml"),
    "rulebook": Reader(_loaded("rulebook.yaml"), "yaml"),
    "edited game": Reader(_edited("game.yaml"), "yaml"),
    "edited rules": Reader(_edited("demo.rules"), "rules"),
    "scenarios": Reader(lambda text: read_file(Source("x.yaml", text), _rules()), "yaml"),
    "mutants": Reader(lambda text: read_equivalents(Source("mutants.yaml", text)), "yaml"),
    "form of rules": Reader(lambda text: formatted(Source("x.rules", text)), "rules"),
    "form of YAML": Reader(lambda text: formatted_yaml(Source("x.yaml", text)), "yaml"),
    "log": Reader(lambda text: log.read(Source("match.log", text), trusted=True), "log"),
    "picture": Reader(_svg, "svg", LARGEST_PICTURE),
    "edited labels": Reader(_edited("labels.yaml"), "yaml"),
    "edited scenarios": Reader(_edited("scenarios/demo.yaml"), "yaml"),
    "edited table": Reader(_edited("cards.csv"), "csv"),
    "asked of game": Reader(_asked("game.yaml"), "yaml"),
    "asked of rules": Reader(_asked("demo.rules"), "rules"),
    "asked of scenarios": Reader(_asked("scenarios/demo.yaml"), "yaml"),
    "asked of table": Reader(_asked("cards.csv"), "csv"),
    "merged edits": Reader(_merged, "rules"),
    "played scenarios": Reader(_played, "yaml"),
    "updated scenarios": Reader(_updated_scenarios, "yaml"),
    "updated rules": Reader(lambda text: updated(Source("x.rules", text)), "rules"),
    "position": Reader(_position, "yaml", LARGEST_POSITION),
    "replay": Reader(_replayed, "log"),
    "told log": Reader(_told, "log"),
    "words": Reader(_chosen, "text"),
    "text of a rulebook": Reader(_located, "text"),
}
