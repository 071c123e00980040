"""The index: every name has a meaning, and renaming there and back is as if nothing had been."""

from __future__ import annotations

import random
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl import syntax as s
from dsl.index.symbols import Symbol
from dsl.workspace.hover import hover
from dsl.workspace.navigation import CannotRename, Edit, definition, references, rename
from dsl.workspace.snapshot import Snapshot, Workspace
from rulewright.library import bundled, find
from rulewright.main import main
from tests.games import EACH_TIME
from tests.workspace.edited import files_of
from validators.diff.compare import compare

RENAMED = ("tic_tac_toe", "pig", "roma", "yacht")


def workspace(name: str) -> Workspace:
    files = files_of(name)
    look = find(name) / "look.yaml"

    def fetch(path: str) -> bytes:
        if path == "look.yaml" and look.is_file():
            return look.read_bytes()
        if path not in files:
            return (find(name) / path).read_bytes()
        return files[path]

    tests = [path for path in files if path.startswith("scenarios/") or path == "mutants.yaml"]
    return Workspace(name, fetch, lambda: tests)


@cache
def snapshot(name: str) -> Snapshot:
    return workspace(name).snapshot()


def applied(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, key=lambda each: -each.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def edited(before: Snapshot, edits: Iterable[Edit]) -> dict[str, str]:
    """The texts of files after some edits, by path."""
    by_file: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        path = before.path_of(edit.span.source)
        assert path is not None
        by_file[path].append(edit)
    texts = {path: before.source(path) for path in by_file}
    return {path: applied(source.text, by_file[path]) for path, source in texts.items() if source is not None}


# ---- every name has a meaning


@pytest.mark.parametrize("name", EACH_TIME)
def test_every_name_in_rules_is_indexed(name: str) -> None:
    check_indexed(name)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled())
def test_every_name_in_every_rules_file_is_indexed(name: str) -> None:
    check_indexed(name)


def check_indexed(name: str) -> None:
    found = snapshot(name)
    definitions = found.analysis.definitions
    assert definitions is not None
    missing = [
        (node.text, node.span.place)
        for each in definitions.written
        for node in s.walk(each)
        if isinstance(node, s.Name | s.Word) and node.span.text == node.text
        if node.span not in found.index.found
    ]
    assert missing == []


# ---- renaming


def symbols_of(found: Snapshot) -> list[Symbol]:
    index = found.whole_index
    known = {index.canonical(symbol) for each in index.found.values() for symbol in each.symbols}
    return sorted(known, key=lambda symbol: (symbol.kind, symbol.name, symbol.owner))


def there_and_back(name: str, symbol: Symbol) -> bool:
    """Rename a symbol and rename it back; false if it cannot be renamed."""
    before = snapshot(name)
    new = "§Q9.9" if symbol.kind == "clause" else f"qq_{symbol.name}"
    first = before.whole_index.of(symbol)[0].span
    try:
        edits = rename(before, first.source, first.start, new)
    except CannotRename:
        return False
    space = workspace(name)
    for path, text in edited(before, edits).items():
        space.edit(path, text)
    after = space.snapshot()
    assert [found.message for found in after.analysis.report.errors] == []
    path = before.path_of(edits[0].span.source)
    assert path is not None
    source = after.source(path)
    assert source is not None
    try:
        back = rename(after, source, edits[0].span.start, symbol.name)
    except CannotRename:
        return False  # another name was the same before, and may not become so
    for changed, text in edited(after, back).items():
        original = before.source(changed)
        assert original is not None
        assert text == original.text
    assert before.analysis.rules is not None
    assert after.analysis.rules is not None
    if symbol.kind == "declared":
        changes = compare(before.analysis.rules, after.analysis.rules).changes
        renamed = [each for each in changes if each.verb == "renamed"]
        assert len(changes) <= 1 or [each.name for each in renamed] == [new]
    return True


@pytest.mark.parametrize("name", RENAMED)
def test_rename_there_and_back(name: str) -> None:
    known = symbols_of(snapshot(name))
    there = [symbol for symbol in known if symbol.kind != "local"]
    chosen = random.Random(name).sample(there, min(8, len(there)))
    assert sum(there_and_back(name, symbol) for symbol in chosen) >= 3


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("connect_four", Symbol("value", "d", "column")),  # in `stands_for` of a look
        ("euchre", Symbol("declared", "suit")),  # a column of a product, and in faces
        ("henhouse", Symbol("declared", "beast")),  # the kind of a piece as its column
        ("crazy_eights", Symbol("declared", "pile")),  # not in `order: pile`
        ("fenways", Symbol("value", "way", "work")),  # the rows of a look-up table
        ("fenways", Symbol("value", "timber", "good")),  # its titles, and cells of corners
        ("dry_season", Symbol("value", "tor", "place")),  # a part of a board, and files of places and links
        ("oware", Symbol("column", "number", "pit")),  # the titles of a file of places
        ("roll_through_the_ages", Symbol("value", "cloth", "ware")),  # a ring that is a part of a type
    ],
)
def test_rename_reaches_names_in_looks_tables_and_products(name: str, symbol: Symbol) -> None:
    assert there_and_back(name, symbol)


def test_a_place_that_is_named_by_where_it_lies_is_not_renamed() -> None:
    assert not there_and_back("fenways", Symbol("value", "c3", "tile"))


def test_a_rename_that_would_leave_a_mistake_is_refused() -> None:
    found = snapshot("gin_rummy")
    place = found.whole_index.of(Symbol("value", "five", "rank"))[0].span
    with pytest.raises(CannotRename, match="would be wrong then"):
        rename(found, place.source, place.start, "qq_five")


@pytest.mark.long
@pytest.mark.parametrize("name", RENAMED)
def test_rename_everything_there_and_back(name: str) -> None:
    known = [symbol for symbol in symbols_of(snapshot(name)) if symbol.kind != "local"]
    assert sum(there_and_back(name, symbol) for symbol in known) > len(known) / 3


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("pig", Symbol("declared", "pot")),
        ("roma", Symbol("declared", "money")),
        ("tic_tac_toe", Symbol("declared", "stone")),
        ("hearts", Symbol("declared", "trick")),  # also the name of a phase
        ("hearts", Symbol("phase", "trick")),
        ("hearts", Symbol("declared", "count_up")),
        ("hearts", Symbol("phase", "count_up")),
    ],
)
def test_scenarios_hold_under_the_new_name(name: str, symbol: Symbol, tmp_path: Path) -> None:
    before = snapshot(name)
    place = next(each.span for each in before.index.of(symbol))
    folder = Path(shutil.copytree(find(name), tmp_path / name))
    for path, text in edited(before, rename(before, place.source, place.start, f"qq_{symbol.name}")).items():
        (folder / path).write_text(text, "utf-8")
    result = CliRunner().invoke(main, ["test", str(folder)])
    assert result.exit_code == 0, result.output


# ---- places


def test_a_row_is_declared_in_its_table() -> None:
    found = snapshot("roma")
    places = [each.span for each in found.index.of(Symbol("value", "nero", "card row")) if each.declares]
    assert [Path(place.source.name).suffix for place in places] == [".csv"]


ISLANDS = {
    "game.yaml": b"""\
game: islands
seats: 2
rules: [islands.rules]
boards:
  island: {graph: islands.csv, columns: {wind: flag}, links: links.csv, drawn: drawn.csv}
pointers:
  boat: {of: seat, to: island, start: skerry}
flow:
  sail: {do: [sail], then: final}
  final: {score: highest}
""",
    "islands.rules": b"procedure sail\n    boat of me = links\nscore windy = 1 if (boat of me).wind\n",
    "islands.csv": b"island,wind\nskerry,true\nlinks,false\nholm,false\n",
    "links.csv": b"holm_to,to\nskerry,links holm\n",
    "drawn.csv": b"skerry,\nlinks,holm\n",
}


@pytest.mark.parametrize(("island", "files"), [("holm", 3), ("links", 4), ("skerry", 4)])
def test_a_place_is_renamed_in_all_files_of_its_board(island: str, files: int) -> None:
    space = Workspace("islands", lambda path: ISLANDS[path], lambda: [])
    found = space.snapshot()
    assert [each.message for each in found.analysis.report.errors] == []
    place = next(each.span for each in found.index.of(Symbol("value", island, "island")) if each.declares)
    texts = edited(found, rename(found, place.source, place.start, "reef"))
    assert len(texts) == files
    for path, text in texts.items():
        assert text == re.sub(rf"\b{island}\b(?!\.csv|:)", "reef", ISLANDS[path].decode())


def test_a_place_of_a_board_is_declared_in_its_file() -> None:
    found = snapshot("kalah")
    (declared,) = [each.span for each in found.index.of(Symbol("value", "a1", "pit")) if each.declares]
    assert Path(declared.source.name).name == "pits.csv"


def test_definition_of_a_column_is_its_declaration() -> None:
    found = snapshot("roma")
    source = found.source("roma.rules")
    assert source is not None
    (place,) = definition(found, source, source.text.index("cost money"))
    assert place.source.name == "roma/game.yaml"
    assert place.text == "cost"


def test_references_reach_scenarios_and_labels() -> None:
    found = snapshot("pig")
    source = found.source("pig.rules")
    assert source is not None
    files = {found.path_of(span.source) for span in references(found, source, source.text.index("pot"))}
    assert {"pig.rules", "game.yaml", "labels/en.yaml"} <= files
    assert any(path is not None and path.startswith("scenarios/") for path in files)


def test_a_clause_is_known_and_renamed_in_its_translations() -> None:
    found = snapshot("roma")
    source, translated = found.source("rulebook.yaml"), found.source("rulebook.ro.yaml")
    assert source is not None
    assert translated is not None
    at = source.text.index("§9.17:")
    assert "rulebook.ro.yaml" in {found.path_of(span.source) for span in references(found, source, at)}
    (place,) = definition(found, translated, translated.text.index("§9.17:"))
    assert place.source is source
    text = hover(found, translated, translated.text.index("§9.17:"))
    assert text is not None
    assert "Tribunus Plebis" in text.text
    texts = edited(found, rename(found, source, at, "§9.97"))
    assert "  §9.97:\n    heading: Tribunus Plebis" in texts["rulebook.ro.yaml"]


def test_a_ruling_is_renamed_in_its_translations() -> None:
    found = snapshot("roma")
    source = found.source("game.yaml")
    assert source is not None
    texts = edited(found, rename(found, source, source.text.index("  used_up:") + 2, "emptied"))
    assert "\n  emptied:\n    why: regula" in texts["rulebook.ro.yaml"]
    texts = edited(found, rename(found, source, source.text.index("      at_once:") + 6, "immediately"))
    assert "\n      immediately: cărțile decartate" in texts["rulebook.ro.yaml"]


@pytest.mark.parametrize(
    ("word", "new", "why"),
    [
        ("pot", "choose", "a word of the language"),
        ("pot", "points", "already: pig/game.yaml"),
        ("pot", "two words", "a word of English letters"),
        ("die.face", "seat", "already"),
    ],
)
def test_renames_that_are_refused(word: str, new: str, why: str) -> None:
    found = snapshot("pig")
    source = found.source("pig.rules")
    assert source is not None
    with pytest.raises(CannotRename, match=why):
        rename(found, source, source.text.index(word), new)


def test_the_same_name_changes_nothing() -> None:
    found = snapshot("pig")
    source = found.source("pig.rules")
    assert source is not None
    assert rename(found, source, source.text.index("pot"), "pot") == []


def test_nothing_is_renamed_while_there_are_mistakes() -> None:
    space = workspace("pig")
    space.edit("pig.rules", files_of("pig")["pig.rules"].decode() + "\nvalue broken =\n")
    found = space.snapshot()
    source = found.source("pig.rules")
    assert source is not None
    with pytest.raises(CannotRename, match="correct the mistakes first"):
        rename(found, source, source.text.index("pot"), "kitty")


def test_a_label_that_two_things_share_is_written_for_each() -> None:
    before = snapshot("pig")
    (declared,) = [each for each in before.whole_index.of(Symbol("declared", "points")) if each.declares]
    texts = edited(before, rename(before, declared.span.source, declared.span.start, "dots"))
    assert "points: points\ndots: points\n" in texts["labels/en.yaml"]
    assert "score points = dots of me" in texts["pig.rules"]
    score = before.whole_index.of(Symbol("score", "points", "score"))[-1].span
    texts = edited(before, rename(before, score.source, score.start, "dots"))
    assert "points: points\ndots: points\n" in texts["labels/en.yaml"]
    assert "score dots = points of me" in texts["pig.rules"]
