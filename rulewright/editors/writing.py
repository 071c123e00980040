"""What may come next, and what a word means, in all files of a ruleset that is being edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

from dsl.declare.flow import STRENGTHS
from dsl.load import GAME
from dsl.source import Source
from dsl.workspace.completion import MARK, Completion, complete, declared_as, seats, sorted_by_rank
from dsl.workspace.hover import Hover, hover, in_comment, word_at
from dsl.workspace.snapshot import Snapshot
from rulewright.editors.key_words import WORDS
from rulewright.editors.schema_words import (
    Path,
    holds_more,
    is_open,
    keys_at,
    meaning_of,
    words_at,
)
from rulewright.editors.schemas import KINDS, schema
from rulewright.editors.shapes import Json
from rulewright.editors.yaml_place import YamlPlace, place_in_yaml

NEW_NAMES = 1
"""How deep in `game.yaml` the names of declarations stand, which are new ones."""
TEXTS = ("game", "title", "rules", "clauses", "labels", "look", "about", "overlay")
"""The sections of `game.yaml` in which no name of a declaration stands."""
FLOW = re.compile(r"^flow:.*\n(?:[ #].*(?:\n|$)|\n)*", re.MULTILINE)
PHASE = re.compile(r"^( +)(\w+):", re.MULTILINE)
OVERLAY = re.compile(r"^overlay\s*:", re.MULTILINE)


def completions(snapshot: Snapshot, source: Source, offset: int) -> list[Completion]:
    """What may come at a place: of rules by the grammar, of YAML by the schema of the file and by name."""
    kind = kind_of_file(snapshot.path_of(source) or source.name)
    line, column = source.position(offset)
    before = source.line(line)[: column - 1]
    if kind is None or in_comment(source, offset) or MARK.search(before):
        return complete(snapshot, source, offset)
    place = place_in_yaml(source.text, offset)
    known = _schema(kind, OVERLAY.search(source.text) is not None)
    found = [*_keys(known, place), *_words(known, place)]
    if _is_free(kind, known, place):
        named = _named(snapshot, kind, source, place)
        found += complete(snapshot, source, offset) if named is None else named
    return sorted_by_rank(found)


def hovered(snapshot: Snapshot, source: Source, offset: int) -> Hover | None:
    """What is known of the name or word at a place; in YAML also what a key means, and a word behind one."""
    found = hover(snapshot, source, offset)
    if found is not None:
        return found
    kind = kind_of_file(snapshot.path_of(source) or source.name)
    return _key_hover(kind, source, offset) if kind is not None else None


def kind_of_file(path: str) -> str | None:
    """The kind of a YAML file of a ruleset, one of `KINDS`, by its path."""
    return next((kind for kind, (_, _, usual) in KINDS.items() if fnmatchcase(path, usual)), None)


@cache
def _schema(kind: str, is_overlay: bool) -> Json:
    """The schema of a kind of file; of a game that of an overlay or of a whole game."""
    found = schema(kind)
    if "then" in found:
        return {**found["then" if is_overlay else "else"], "$defs": found.get("$defs", {})}
    return found


def _keys(known: Json, place: YamlPlace) -> Iterator[Completion]:
    """The keys of the mapping, each with a colon behind it, unless one is there."""
    if not place.key:
        return
    for key, needed in keys_at(known, place.path, place.beside).items():
        colon = ":" if holds_more(known, (*place.path, key)) else ": "
        meaning = meaning_of(known, place.path, key)
        yield Completion(
            key,
            "key",
            _gist(meaning),
            0 if needed else 1,
            inserted=key if place.written else key + colon,
            meaning=meaning,
            replaces=len(place.word) if " " in key else 0,
        )


def _words(known: Json, place: YamlPlace) -> Iterator[Completion]:
    if not place.value:
        return
    for word in words_at(known, place.path):
        meaning = _meaning_of_word(place.path, word)
        yield Completion(word, "keyword", _gist(meaning), 0, meaning=meaning)


def _gist(meaning: str) -> str:
    """The beginning of a meaning that is shown beside a word."""
    return re.split(r"[:.;]", meaning, maxsplit=1)[0].replace("`", "")


def _meaning_of_word(path: Path, word: str) -> str:
    key = path[-1] if path else ""
    return WORDS.get(str(key), {}).get(word, "")


def _is_free(kind: str, known: Json, place: YamlPlace) -> bool:
    """Whether what is declared may stand at a place as well."""
    new = place.key and len(place.path) <= NEW_NAMES
    if kind == "game" and (new or (place.path[:1] and place.path[0] in TEXTS)):
        return False
    return any(
        wanted and is_open(known, place.path, key)
        for wanted, key in ((place.key, True), (place.value, False))
    )


def _named(snapshot: Snapshot, kind: str, source: Source, place: YamlPlace) -> list[Completion] | None:
    """The names that fit a place, where it asks for those of one kind; otherwise nothing."""
    *_, last = ("", *(step for step in place.path if isinstance(step, str)))
    if kind == "scenarios":
        return _named_in_scenario(snapshot, place)
    if kind == "game" and place.value:
        if place.path[:1] == ("allow",) and last == "finding":
            return []
        if place.path[:1] == ("components",) and place.path[-2:-1] == ("columns",):
            return declared_as(snapshot, ("a type", "a board"))
        if place.path[:1] == ("options",) and last == "values":
            return declared_as(snapshot, ("a type", "a board", "a component"))
        if place.path[:1] == ("options",) and last == "default":
            return _values_of_option(snapshot, str(place.path[1]))
    if kind != "game" or place.path[:1] != ("flow",) or not place.value:
        return None
    if "then" in place.path:
        return _phases(snapshot)
    if last in STRENGTHS:
        return declared_as(snapshot, ("an action",))
    return declared_as(snapshot, ("a procedure",)) if isinstance(place.path[-1], int) else None


def _named_in_scenario(snapshot: Snapshot, place: YamlPlace) -> list[Completion] | None:
    """The names that fit a place of a scenario, where it asks for those of one kind; otherwise nothing."""
    path = place.path[1:]
    while path[:1] == ("when",) and path[2:3] == ("lines",):
        path = ("when", *path[3:])
    match path:
        case ("given", "at") if place.value:
            return _phases(snapshot)
        case ("given", "seat") if place.value:
            return seats(snapshot)
        case ("given", "options"):
            return declared_as(snapshot, ("an option", "a ruling"))
        case ("given", "options", str(name)):
            return _values_of_option(snapshot, name)
        case ("given", "options", str(name), int()) if place.value:
            return _values_of_option(snapshot, name)
        case ("chance",) if place.key:
            return declared_as(snapshot, ("a component", "a zone", "a type", "a board"))
        case ("when", int()) if place.key:
            return seats(snapshot)
        case ("when", int(), "refused") if place.key:
            because = Completion("because", "key", "", 1, inserted="" if place.written else "because: ")
            return [*seats(snapshot), because]
        case ("when", int(), str(seat)) | ("when", int(), "refused", str(seat)) if (
            place.value and seat != "because"
        ):
            return [*declared_as(snapshot, ("an action",)), Completion("pass", "keyword", "", 0)]
    return None


def _values_of_option(snapshot: Snapshot, name: str) -> list[Completion]:
    option = snapshot.analysis.symbols.options.get(name)
    values = option.values if option is not None else ()
    return [Completion(value, "value", f"a value of `{name}`", 0) for value in values]


def _phases(snapshot: Snapshot) -> list[Completion]:
    """The phases of the flow, by what is written."""
    game = snapshot.source(GAME)
    section = FLOW.search(game.text) if game is not None else None
    found = PHASE.findall(section[0]) if section is not None else []
    return [Completion(name, "phase", "a phase", 0) for indent, name in found if indent == found[0][0]]


def _key_hover(kind: str, source: Source, offset: int) -> Hover | None:
    """What a key means, or a word behind one."""
    span = word_at(source, offset)
    if span is None or in_comment(source, span.start):
        return None
    place = place_in_yaml(source.text, span.start)
    known = _schema(kind, OVERLAY.search(source.text) is not None)
    text = meaning_of(known, place.path, span.text) if place.key else ""
    if not text and place.value and span.text in words_at(known, place.path):
        text = _meaning_of_word(place.path, span.text)
    return Hover(span, f"`{span.text}`: {text}") if text else None
