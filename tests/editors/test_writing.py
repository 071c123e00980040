"""Keys and words of YAML files: offered where the schema has them, explained, also in half-written text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from dsl.workspace.completion import Completion
from rulewright.editors.key_words import WORDS
from rulewright.editors.schema_words import Path, meaning_of, words_at
from rulewright.editors.schemas import KINDS, schema
from rulewright.editors.writing import completions, hovered, kind_of_file
from rulewright.editors.yaml_place import place_in_yaml
from rulewright.library import bundled, find
from tests.workspace.edited import files_of
from tests.workspace.test_index import workspace

HERE = "|"


def offered(old: str, new: str, path: str = "game.yaml") -> dict[str, Completion]:
    """What is offered at the bar after a part of a file of Roma was replaced."""
    text = files_of("roma")[path].decode()
    space = workspace("roma")
    space.snapshot()
    place = text.index(old) + new.index(HERE)
    space.edit(path, text.replace(old, new.replace(HERE, ""), 1))
    found = space.snapshot()
    source = found.source(path)
    assert source is not None
    return {each.text: each for each in completions(found, source, place)}


@pytest.mark.parametrize(
    ("new", "wanted", "unwanted"),
    [
        ("zones:\n  heap: {|}\n", {"holds", "seen_by", "order", "start"}, {"range", "deck"}),
        ("zones:\n  heap: {holds: card, ord|", {"order", "seen_by"}, {"holds"}),
        ("zones:\n  heap: {order: |, holds: card}\n", {"shuffled", "pile"}, {"holds", "all"}),
        ("zones:\n  heap:\n    holds: card\n    |\n    order: pile\n", {"seen_by", "of"}, {"holds", "order"}),
        ("zones:\n  heap: {seen_by: |}\n", {"all", "owner", "count"}, {"shuffled"}),
        ("zones:\n  heap: {holds: |}\n", {"card"}, {"deck", "money"}),
        ("zones:\n  |", set(), {"deck", "holds", "card"}),
        ("zones:\n  order:\n    |\n", {"order", "holds"}, {"range"}),
        ("small|\nzones:\n", {"histories"}, {"zones", "flow", "overlay"}),
        ("zones:\n  heap: {holds: card, # |\n", set(), {"seen_by"}),
    ],
)
def test_keys_and_words_are_those_of_the_place(new: str, wanted: set[str], unwanted: set[str]) -> None:
    found = offered("zones:\n", new).keys()
    assert wanted <= found
    assert not unwanted & found


@pytest.mark.parametrize(
    ("new", "wanted", "unwanted"),
    [
        ("flow:\n  extra:\n    do: [|]\n", {"roll_dice"}, {"deck", "may do"}),
        ("flow:\n  extra:\n    do:\n      - |\n", {"roll_dice", "may do", "if"}, {"deck"}),
        ("flow:\n  extra:\n    do:\n      - {may do: [|\n", {"lay", "activate"}, {"roll_dice", "deck"}),
        ("flow:\n  extra:\n    do: [{may do: [lay], |}]\n", {"named", "otherwise"}, {"do one of", "at most"}),
        ("flow:\n  extra:\n    then: |\n", {"turn", "final"}, {"deck", "do"}),
        ("flow:\n  extra: {seat: |}\n", {"rotates"}, set()),
        ("flow:\n  extra: {score: |}\n", {"highest", "lowest", "none"}, {"deck"}),
    ],
)
def test_the_flow_asks_for_steps_actions_and_phases(new: str, wanted: set[str], unwanted: set[str]) -> None:
    found = offered("flow:\n", new).keys()
    assert wanted <= found
    assert not unwanted & found


@pytest.mark.parametrize(
    ("new", "wanted", "unwanted"),
    [
        ("given: {options: {|}}", {"mercator_cap", "used_up"}, {"deck", "lay"}),
        ("given: {options: {used_up: |}}", {"at_once", "when_needed"}, {"deck", "used_up"}),
        ("given: {options: {used_up: [|]}}", {"at_once", "when_needed"}, {"deck", "used_up"}),
        ("given: {seat: |}", {"A", "B"}, {"deck"}),
        ("chance: {|}", {"deck", "action_die", "seat"}, {"lay", "money"}),
        ("when: [{|", {"A", "refused", "lines"}, {"deck", "lay"}),
        ("when: [{A: |", {"lay", "pass"}, {"deck"}),
        ("when: [{refused: {|", {"A", "because"}, {"deck"}),
        ("when: [{refused: {A: |", {"lay", "pass"}, {"deck"}),
        ("when: [{times: 2, lines: [{refused: {A: |", {"lay", "pass"}, {"deck"}),
    ],
)
def test_scenarios_ask_for_seats_actions_and_options(new: str, wanted: set[str], unwanted: set[str]) -> None:
    before = "- scenario: "
    found = offered(before, f"- scenario: new\n  {new}\n{before}", "scenarios/battles.yaml").keys()
    assert wanted <= found
    assert not unwanted & found


@pytest.mark.parametrize(
    ("old", "new", "wanted", "unwanted"),
    [
        ("components:\n", "components:\n  coin: {columns: {weight: |}}\n", {"seat"}, {"deck", "lay"}),
        ("flow:\n", "allow: [{finding: |}]\nflow:\n", set(), {"deck", "lay"}),
        ("options:\n", "options:\n  some: {values: |, size: 2}\n", {"card"}, {"deck", "lay"}),
        ("options:\n", "options:\n  some: {values: [a, b], size: 1, default: [|]}\n", {"a", "b"}, {"deck"}),
    ],
)
def test_no_other_names_are_offered(old: str, new: str, wanted: set[str], unwanted: set[str]) -> None:
    found = offered(old, new).keys()
    assert wanted <= found
    assert not unwanted & found


@pytest.mark.parametrize("target", ["", "tur"])
def test_a_phase_that_is_half_written_is_not_explained(target: str) -> None:
    game = files_of("roma")["game.yaml"].decode()
    text = game.replace("flow:\n", f"flow:\n  extra: {{then: {target}}}\n", 1)
    space = workspace("roma")
    space.edit("game.yaml", text)
    found = space.snapshot()
    source = found.source("game.yaml")
    assert source is not None
    assert hovered(found, source, text.index("then: ") + len("then: ")) is None


@pytest.mark.parametrize(
    ("path", "text"), [("labels/en.yaml", "nouns:\n"), ("game.yaml", "game: roma\nlook: look.yaml\n")]
)
def test_keys_of_a_look_are_offered_while_another_file_has_mistakes(path: str, text: str) -> None:
    space = workspace("roma")
    space.edit(path, text)
    space.edit("look.yaml", "pieces:\n  card: {sh")
    found = space.snapshot()
    source = found.source("look.yaml")
    assert source is not None
    assert "shape" in {each.text for each in completions(found, source, len(source.text))}


def test_a_key_is_written_with_its_colon_unless_one_is_there() -> None:
    found = offered("zones:\n", "zones:\n  heap: {h|}\n")
    assert found["holds"].inserted == "holds: "
    assert found["when_empty"].inserted == "when_empty:"
    assert offered("zones:\n", "zones:\n  heap: {h|: card}\n")["holds"].inserted == "holds"


def test_the_words_of_a_key_are_replaced_together() -> None:
    found = offered("flow:\n", "flow:\n  extra:\n    do: [{may d|}]\n")["may do"]
    assert (found.inserted, found.replaces) == ("may do: ", len("may d"))


def test_a_colour_is_not_a_comment() -> None:
    assert "size" in offered("boards:\n", 'boards:\n  other: {colours: "#ff0000", |}\n', "look.yaml")
    assert "size" not in offered("boards:\n", "boards:\n  other: {own: true, # |\n", "look.yaml")
    colours = 'pieces:\n  card: {colours: {forum: "#fff", |}}\n'
    assert "attack_opposite" in offered("zones:\n", colours + "zones:\n", "look.yaml")
    text = 'options:\n  pace: {values: ["#1", "#2"], default: "#1"}\n'
    space = workspace("roma")
    space.edit("game.yaml", text)
    found = space.snapshot()
    source = found.source("game.yaml")
    assert source is not None
    assert hovered(found, source, text.index("default")) is not None


def test_a_key_and_a_word_behind_it_are_explained() -> None:
    space = workspace("roma")
    found = space.snapshot()
    source = found.source("game.yaml")
    assert source is not None
    zones = source.text.index("\nzones:")
    for word, said in (("seen_by", "Who sees the pieces"), ("shuffled", "each draw is random")):
        shown = hovered(found, source, source.text.index(word, zones) + 1)
        assert shown is not None
        assert said in shown.text
    counted = hovered(found, source, source.text.index("seen_by", zones) + 1)
    assert counted is not None
    assert counted.span.text == "seen_by"


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """All keys of a schema's known mappings with the paths that lead there."""
    if isinstance(value, dict):
        for key, inner in value.get("properties", {}).items():
            yield path, key
            yield from places(inner, (*path, key))
        for key in ("anyOf", "oneOf", "allOf"):
            for inner in value.get(key, ()):
                yield from places(inner, path)
        for key in ("then", "else"):
            yield from places(value.get(key), path)
        yield from places(value.get("items"), (*path, 0))
        yield from places(value.get("additionalProperties"), (*path, "name"))
        for regex, inner in value.get("patternProperties", {}).items():
            fitting = next(n for n in ("name", "§1", "2", "hu", "each seat in turn") if re.search(regex, n))
            yield from places(inner, (*path, fitting))


@pytest.mark.parametrize("kind", ["game", "rulebook", "scenarios", "mutants"])
def test_every_key_has_a_meaning(kind: str) -> None:
    known = schema(kind)
    without = {
        (*path, key)
        for path, key in places(known)
        if not meaning_of(known, path, key) and not {"small", "hex", "when_empty"} & {*path, key}
    }
    allowed = {
        "title",
        "publisher",
        "edition",
        "language",
        "fingerprints",
        "numbers",
        "source",
        "each",
        "range",
    }
    assert {path for path in without if not {str(part) for part in path} & allowed} == set()


def test_every_explained_word_is_one_of_its_key() -> None:
    known = schema("game")
    words = {
        (path[-1] if path else "", word)
        for path, key in places(known)
        for word in words_at(known, (*path, key))
        for path in [(*path, key)]
    }
    assert {(key, word) for key, meant in WORDS.items() for word in meant} <= words


def nodes(
    node: yaml.Node, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], int, str]]:
    """The keys of a YAML text: the path of the mapping, where the key begins, and the key."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield path, key.start_mark.index, key.value
            yield from nodes(value, (*path, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from nodes(item, (*path, number))


@pytest.mark.parametrize("name", bundled())
def test_places_are_those_of_a_yaml_parser(name: str) -> None:
    folder = find(name)
    files = [
        file for file in sorted(folder.rglob("*.yaml")) if kind_of_file(file.relative_to(folder).as_posix())
    ]
    for file in files:
        text = file.read_text("utf-8")
        found = [*nodes(yaml.compose(text, yaml.BaseLoader))]
        for path, at, key in found[:: max(1, len(found) // 8)]:
            place = place_in_yaml(text, at)
            assert (place.path, place.key, place.written) == (path, True, True), (file, key)
            assert {each for other, _, each in found if other == path} - {key} <= place.beside, (file, key)


def test_every_kind_of_file_is_known_by_its_path() -> None:
    usual = {"labels": "labels/en.yaml", "scenarios": "scenarios/end.yaml", "small": "small/tiny.yaml"}
    for kind, (_, _, path) in KINDS.items():
        assert kind_of_file(usual.get(kind, path)) == kind
    assert kind_of_file("notes.yaml") is None


def test_any_cut_of_a_file_has_a_place() -> None:
    text = files_of("kuhn_poker")["game.yaml"].decode()
    for offset in range(len(text)):
        cut = text[:offset]
        assert place_in_yaml(cut, offset).word in cut
        whole = place_in_yaml(text, offset)
        assert whole.key or whole.value


@pytest.mark.parametrize("text", ["\t[a, ", "\t{a: 1}", "\t[", "one:\n\t[a]\n"])
def test_a_tab_before_a_bracket_has_a_place(text: str) -> None:
    for offset in range(len(text) + 1):
        assert place_in_yaml(text, offset).path in {(), ("one",), ("a",), (0,), (1,), ("one", 0)}
