"""Schemas accept every bundled file, and refuse the mistakes in keys and kinds that the readers refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from dsl.declare.languages import clause_files, label_files
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, read
from dsl.source import Source
from rulewright.commands.schema import KINDS as OFFERED
from rulewright.editors.schemas import KINDS, schema
from rulewright.library import bundled, find
from tests.editors.as_json import read_json
from tests.rulewright.conftest import Run, run as run

LOAD = Path(__file__).resolve().parents[1] / "diagnostics" / "load"
SEEDED = sorted(path.name for path in LOAD.iterdir() if re.match("D00[9]|D010|D011", path.name))
BEYOND = frozenset(
    [
        "D009-shows-of-a-zone-without-dice",
        "D010-board-links-missing",
        "D010-range-of-a-value-missing",
        "D011-bank-with-index",
        "D011-board-of-no-values",
        "D011-by-seats-outside-seats",
        "D011-size-of-a-set",
        "D011-by-type-without-index",
        "D011-count-out-of-bounds",
        "D011-drawn-not-rows",
        "D011-drawn-place-missing",
        "D011-drawn-place-twice",
        "D011-grid-too-large",
        "D011-link-listed-twice",
        "D011-link-to-itself",
        "D011-number-half-written",
        "D011-range-backwards",
        "D011-range-too-large",
        "D011-refill-from-itself",
        "D011-start-not-a-number",
        "D011-start-outside-range",
        "D011-step-to-the-same-place",
        "D011-table-cell-outside-range",
        "D011-table-domain-too-large",
        "D011-table-key-outside-domain",
        "D011-too-few-seat-names",
        "D011-too-many-faces",
        "D011-too-many-table-rows",
        "D011-top-of-a-bag",
        "D011-type-too-large",
        "D011-unknown-duration",
    ]
)
"""Cases of these codes in which a number is too large or what another declaration says matters."""


@cache
def validator(kind: str) -> Draft7Validator:
    Draft7Validator.check_schema(schema(kind))
    return Draft7Validator(schema(kind))


def faults(kind: str, text: str) -> list[str]:
    found = validator(kind).iter_errors(read_json(text))
    return [f"{'/'.join(map(str, each.absolute_path))}: {each.message[:300]}" for each in found]


def files(root: Path) -> Iterator[tuple[str, Path]]:
    """The files of a ruleset with their kinds."""
    yield "game", root / "game.yaml"
    game = read(Source("game.yaml", (root / "game.yaml").read_text("utf-8")))
    if not isinstance(game, Mapping):
        return
    with suppress(DiagnosticError):
        yield from [("labels", root / file.path.text) for file in label_files(game)]
    with suppress(DiagnosticError):
        for number, file in enumerate(clause_files(game)):
            yield ("translation" if number else "rulebook"), root / file.path.text
    for kind in ("look", "about"):
        if (node := game.get(kind)) is not None:
            yield kind, root / node.text  # type: ignore[union-attr]
    yield from (("scenarios", path) for path in sorted(root.glob("scenarios/*.yaml")))
    if (root / "mutants.yaml").is_file():
        yield "mutants", root / "mutants.yaml"


@pytest.mark.parametrize("name", bundled())
def test_every_bundled_file_is_accepted(name: str) -> None:
    for kind, path in files(find(name)):
        assert faults(kind, path.read_text("utf-8")) == [], path


@pytest.mark.parametrize("case", SEEDED)
def test_mistakes_in_keys_and_kinds_are_refused(case: str) -> None:
    found = []
    for kind, path in files(LOAD / case):
        if path.is_file():
            found += faults(kind, path.read_text("utf-8"))
    assert (found == []) == (case in BEYOND), found


def test_the_command_offers_all_kinds() -> None:
    assert tuple(KINDS) == OFFERED


def test_a_schema_is_printed(run: Run) -> None:
    result = run("schema", "game")
    assert result.exit_code == 0
    assert json.loads(result.output) == schema("game")


def test_all_schemas_are_written_into_a_folder(run: Run, tmp_path: Path) -> None:
    assert run("schema", "--into", str(tmp_path / "schemas")).exit_code == 0
    written = {path.stem: json.loads(path.read_text("utf-8")) for path in (tmp_path / "schemas").iterdir()}
    assert written == {kind: schema(kind) for kind in KINDS}


def test_without_a_kind_all_are_listed(run: Run) -> None:
    lines = run("schema").output.splitlines()
    assert [line.split()[0] for line in lines] == list(KINDS)


def test_a_folder_that_cannot_be_made_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    result = run("schema", "game", "--into", str(tmp_path / "file"))
    assert result.exit_code == 2
    assert "cannot" in result.output


def test_a_new_ruleset_names_its_schema(run: Run, tmp_path: Path) -> None:
    run("new", "dice", "--into", str(tmp_path))
    for name in ("game", "look", "rulebook"):
        path = tmp_path / "dice" / f"{name}.yaml"
        first = path.read_text("utf-8").splitlines()[0]
        found = re.fullmatch(r"# yaml-language-server: \$schema=(.*)", first)
        assert found is not None
        assert json.loads((path.parent / found[1]).read_text("utf-8")) == schema(name)
        assert faults(name, path.read_text("utf-8")) == []


ONE_MISTAKE = [
    ("game", "zones: {hand: {hold: card, seen_by: all}}"),
    ("game", "flow: {play: {do: [{may: [roll]}], then: play}}"),
    ("game", "flow: {play: {do: [{may do: [roll], at most: 3}], then: play}}"),
    ("look", "zones: {hand: {as: haand}}"),
    ("look", "seats: {A: bleu}"),
    ("about", "tags: [card]"),
    ("about", "says: Jump."),
    ("labels", "help: {throw: [a, b]}"),
    ("rulebook", "clauses: {4.1: {says: x}}"),
    ("rulebook", "clauses: {§4.1: {says: x, kind: rul}}"),
    ("scenarios", "- {scenaro: x}"),
    ("scenarios", "- {scenario: x, when: [{A: roll, B: roll}]}"),
    ("scenarios", "- {scenario: x, given: {seat: A, sets: {}}}"),
    ("mutants", "- {in: value x, operator: nonsense, why: x}"),
    ("small", "zone: {hand: {}}"),
]


@pytest.mark.parametrize(("kind", "text"), ONE_MISTAKE)
def test_a_mistake_is_refused(kind: str, text: str) -> None:
    whole = "game: g\nseats: 2\nrules: [g.rules]\n" if kind == "game" else ""
    flow = "" if "flow" in text or kind != "game" else "flow: {final: {score: highest}}\n"
    assert faults(kind, whole + flow + text)


def test_an_overlay_may_leave_out_what_it_does_not_change() -> None:
    assert not faults("game", "overlay: chess\ngame: mine\nzones: {hand: {size: 3}, box: none}\n")
    assert faults("game", "overlay: chess\ngame: mine\nzones: {hand: {sizes: 3}}\n")


def repeated(value: object) -> list[object]:
    """The lists of words of a schema in which one comes twice; servers refuse such a schema as a whole."""
    if isinstance(value, list):
        return [found for each in value for found in repeated(each)]
    if not isinstance(value, dict):
        return []
    words = [value[key] for key in ("enum", "required") if isinstance(value.get(key), list)]
    twice = [each for each in words if len({(type(word), word) for word in each}) < len(each)]
    return [*twice, *(found for each in value.values() for found in repeated(each))]


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_comes_twice_in_a_list(kind: str) -> None:
    assert repeated(schema(kind)) == []
