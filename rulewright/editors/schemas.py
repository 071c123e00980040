"""JSON Schemas for the files of a ruleset, for editors that know YAML: one for each kind of file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import get_args

from dsl.colours import NAMED as COLOURS
from dsl.declare import about, labels, look, look_boards, look_faces, look_pieces, rulebook
from dsl.load import GAME
from dsl.rules import RowStatus
from dsl.rules.about import TAGS
from dsl.rules.look import Aligned, CellShape, DrawnArea, Fit, Level, Outline, Shaped, Side, Turned
from rulewright.editors.game_schema import game_schema, preset_schema, steps_schema
from rulewright.editors.key_words import FILES, explained
from rulewright.editors.shapes import (
    DECIMAL,
    FLAG,
    MARKS,
    NOTHING,
    NUMBER,
    PATH,
    POSITION,
    WORD,
    WORDS,
    Json,
    at_most_one,
    closed,
    either,
    enum,
    listed,
    mapped,
    pattern,
)
from validators.mutate import equivalents
from validators.mutate.operators import OPERATORS
from validators.scenarios import reading
from validators.scenarios.scenario import ALLOWANCES

DIALECT = "http://json-schema.org/draft-07/schema#"
"""The version that editors know best."""

COLOUR = either(enum(COLOURS), pattern("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"))


def schema(kind: str) -> Json:
    """The schema of a kind of file, one of `KINDS`."""
    title, make, _ = KINDS[kind]
    found = {"$schema": DIALECT, "title": title, **explained(make(), FILES.get(kind, {}))}
    if kind == "game":
        found["$defs"] = {"steps": steps_schema()}
    if kind == "scenarios":
        found["$defs"] = {"line": explained(_line(), FILES[kind])}
    return found


def schema_text(kind: str) -> str:
    """The file of a schema."""
    return json.dumps(schema(kind), indent=1, ensure_ascii=False) + "\n"


# ---- looks


def look_schema() -> Json:
    """The schema of `look.yaml`."""
    shapes: dict[str, Json] = {way: mapped(_state_look(way)) for way in look.WAYS}
    shapes |= {
        "boards": mapped(_board_look()),
        "together": listed(WORDS),
        "pieces": mapped(_piece_look()),
        "icons": mapped(WORD),
        "seats": mapped(COLOUR),
        "areas": listed(enum(look.AREAS), len(look.AREAS)) | {"uniqueItems": True},
        "shown": WORDS,
        "values": mapped(mapped(WORD)),
    }
    return closed(look.SECTIONS, shapes)


def _state_look(section: str) -> Json:
    ways = enum(look.WAYS[section])
    shapes = {
        "as": ways,
        "area": enum(get_args(DrawnArea)),
        "board": WORD,
        "offset": either(POSITION, mapped(POSITION)),
        "order": NUMBER,
        "icon": WORD,
        "colour": COLOUR,
    }
    by_value = {"colours": mapped(COLOUR), "icons": mapped(WORD)}
    more = look.BY_VALUE.get(section, ())
    return either(ways, closed((*look.STATE_KEYS, *more), shapes | {key: by_value[key] for key in more}))


def _board_look() -> Json:
    shapes = {
        "positions": mapped(POSITION),
        "rows": listed(WORDS),
        "turned": mapped(enum(get_args(Turned))),
        "cell": enum(get_args(CellShape)),
        "size": DECIMAL,
        "colours": either(COLOUR, listed(either(COLOUR, listed(COLOUR, 1)), 1)),
        "ground": COLOUR,
        "bands": listed(DECIMAL, 1),
        "dots": either(WORDS, mapped(WORDS, "^[0-9]+$")),
        "panels": listed(closed(("box", "colour"), {"box": listed(DECIMAL, 4), "colour": COLOUR})),
        "spots": mapped(either(listed(POSITION), mapped(listed(POSITION)))),
        "places": mapped(COLOUR),
        "lines": either(enum(("none", "links")), listed(WORDS)),
        "shapes": mapped(listed(POSITION, 3)),
        "own": FLAG,
        "names": either(FLAG, pattern(r"\{")),
        "picture": either(PATH, closed(("file", "box"), {"file": PATH, "box": listed(DECIMAL, 4)})),
        "borders": mapped(listed(enum(get_args(Side)))),
        "stands_for": mapped(mapped(WORDS)),
    }
    return closed(look_boards.KEYS, shapes) | at_most_one("positions", "rows")


def _face_box() -> Json:
    coloured = either(COLOUR, mapped(COLOUR))
    shapes = {
        "box": either(enum(("all",)), listed(DECIMAL, 4)),
        "text": WORD,
        "picture": either(WORD, mapped(PATH)),
        "fill": coloured,
        "edge": coloured,
        "ink": coloured,
        "size": DECIMAL,
        "least": DECIMAL,
        "align": enum(get_args(Aligned)),
        "level": enum(get_args(Level)),
        "radius": DECIMAL,
        "opacity": DECIMAL,
        "fit": enum(get_args(Fit)),
        "by": WORD,
        "when": WORD,
    }
    return closed(look_faces.KEYS, shapes)


def _piece_look() -> Json:
    shapes = {
        "shape": enum(get_args(Shaped)),
        "face": either(
            closed(look_pieces.PARTS, dict.fromkeys(look_pieces.PARTS, WORD)), listed(_face_box())
        ),
        "back": listed(_face_box()),
        "size": either(enum(tuple(look_faces.SIZES)), listed(DECIMAL, 2)),
        "outline": enum(get_args(Outline)),
        "pack": listed(WORD, 2),
        "by": WORD,
        "colours": either(COLOUR, mapped(COLOUR)),
        "ink": either(COLOUR, mapped(COLOUR)),
        "icons": either(WORD, mapped(WORD)),
        "ahead": WORD,
    }
    return closed(look_pieces.KEYS, shapes)


def about_schema() -> Json:
    """The schema of `about.yaml`."""
    tags = listed(enum(TAGS)) | {"uniqueItems": True}
    shapes = {"says": mapped(WORD), "names": mapped(listed(WORD)), "tags": tags}
    return closed(about.KEYS, shapes)


# ---- labels and rulebooks


def labels_schema() -> Json:
    """The schema of a file of labels: a text for each name, and sections of texts."""
    return {
        "type": "object",
        "properties": dict.fromkeys(labels.SECTIONS, mapped(WORD)),
        "additionalProperties": WORD,
    }


def rulebook_schema() -> Json:
    """The schema of the file of clauses."""
    text = closed(
        rulebook.TEXT,
        {"language": pattern("^[a-z]{2,3}$"), "title": WORD, "fingerprints": WORD},
        ("language",),
    )
    sentences = {"type": ["integer", "string"], "pattern": r"^[0-9]+(\.\.[0-9]+)?$"}
    reasons = closed(rulebook.DUTIES, dict.fromkeys(rulebook.DUTIES, WORD))
    clause = {
        "kind": enum(rulebook.KINDS),
        **dict.fromkeys(("heading", "section", "page", "says", "why"), WORD),
        "at": mapped(either(sentences, listed(sentences))),
        "excluded": either(WORD, reasons),
        "numbers": mapped(WORD, "^-?[0-9]+$"),
    }
    shapes = {
        "rulebook": closed(rulebook.HEADER, dict.fromkeys(rulebook.HEADER, WORD)),
        "brief": closed(rulebook.BRIEF, dict.fromkeys(rulebook.BRIEF, WORD)),
        "texts": mapped(text),
        "clauses": mapped(closed(rulebook.CLAUSE, clause), "^§"),
    }
    return closed(rulebook.FILE, shapes, ("clauses",))


def translation_schema() -> Json:
    """The schema of a translated file of clauses."""
    texts = tuple(key for key in rulebook.CLAUSE if key not in rulebook.FACTS)
    ruling = closed(("readings", "why"), {"readings": mapped(WORD), "why": WORD})
    statuses = tuple(RowStatus)
    shapes = {
        "rulebook": closed(rulebook.HEADER, dict.fromkeys(rulebook.HEADER, WORD)),
        "brief": closed(rulebook.BRIEF, dict.fromkeys(rulebook.BRIEF, WORD)),
        "clauses": mapped(closed(texts, dict.fromkeys(texts, WORD)), "^§"),
        "rulings": mapped(ruling),
        "provenance": mapped(closed(statuses, dict.fromkeys(statuses, WORD))),
    }
    return closed(tuple(shapes), shapes)


# ---- tests


def scenarios_schema() -> Json:
    """The schema of a file of scenarios."""
    given = {
        "seats": NUMBER,
        "options": mapped(either(WORD, WORDS)),
        "at": WORD,
        "seat": WORD,
        "prepared": FLAG,
        "set": either(NOTHING, {"type": "object"}),
        "carried": {"type": "object"},
        "spare": FLAG,
    }
    allowances = enum(ALLOWANCES)
    scenario = {
        "scenario": WORD,
        "cites": either(MARKS, listed(MARKS)),
        "given": either(NOTHING, closed(reading.GIVEN, given)),
        "chance": either(NOTHING, mapped(either(WORD, WORDS))),
        "allow": either(allowances, listed(allowances)),
        "when": either(NOTHING, listed({"$ref": "#/$defs/line"})),
        "then": either(NOTHING, {"type": "object"}),
    }
    return listed(closed(reading.KEYS, scenario, ("scenario",)))


def _line() -> Json:
    """A line of `when`: a choice of a seat, or what is refused, expected, possible, repeated."""
    several = {"times": NUMBER, "lines": listed({"$ref": "#/$defs/line"}, 1)}
    outcomes = mapped(either(WORD, listed(WORD, 1))) | {"minProperties": 1, "maxProperties": 1}
    single = {
        "type": "object",
        "properties": {
            "refused": mapped(either(WORD, WORDS), least=1),
            "expect": {"type": "object", "minProperties": 1},
            "possible": outcomes,
            "impossible": outcomes,
            "times": False,
        },
        "additionalProperties": WORD,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return either(closed(several, several, several), single)


def mutants_schema() -> Json:
    """The schema of `mutants.yaml`."""
    shapes = {
        "operator": enum(operator.name for operator in OPERATORS),
        "clause": MARKS,
        "nth": NUMBER | {"minimum": 1},
        **dict.fromkeys(("in", "old", "new", "why"), WORD),
    }
    entry = closed(equivalents.KEYS, shapes, ("operator", "why"))
    return listed(entry | {"anyOf": [{"required": ["in"]}, {"required": ["clause"]}]})


KINDS: dict[str, tuple[str, Callable[[], Json], str]] = {
    "game": ("A game: what there is, what may be set, how it goes", game_schema, GAME),
    "look": ("How a game looks", look_schema, "look.yaml"),
    "about": ("What a game is to people who look for one", about_schema, "about.yaml"),
    "labels": ("The texts that people read for names", labels_schema, "labels/*.yaml"),
    "rulebook": ("The clauses of a rulebook", rulebook_schema, "rulebook.yaml"),
    "translation": ("The clauses of a rulebook in another language", translation_schema, "rulebook.*.yaml"),
    "scenarios": ("Tests of rules", scenarios_schema, "scenarios/*.yaml"),
    "mutants": ("Mutants that make no difference", mutants_schema, equivalents.FILE),
    "small": ("A preset that makes a game smaller", preset_schema, "small/*.yaml"),
}
"""The kinds of files: a title, what makes the schema, and the usual paths in a ruleset."""
