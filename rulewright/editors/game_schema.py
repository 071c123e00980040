"""The schema of `game.yaml`, from the keys and words that its readers know."""

from __future__ import annotations

from dsl import overlays
from dsl.declare import (
    boards,
    carries,
    components,
    edges,
    enumerations,
    flow,
    histories,
    lattices,
    links,
    presets,
    provenance,
    rows,
    settings,
    state_vars,
    suppressions,
    tables,
    types,
    zones,
)
from dsl.declare.languages import TAG
from dsl.declare.sections import DECLARED, NEEDED, SECTIONS
from dsl.rules import RowStatus
from dsl.rules.declarations import SCRATCH
from rulewright.editors.key_words import CLAUSE, GAME, STEPS as STEP_KEYS, explained, meanings
from rulewright.editors.shapes import (
    COMPUTED,
    FLAG,
    MARKS,
    NAMED,
    PATH,
    POSITIVE,
    RANGE,
    WORD,
    WORDS,
    Json,
    at_most_one,
    by_kind,
    closed,
    either,
    enum,
    listed,
    mapped,
    named,
    pattern,
    with_owner,
    without,
)

COLUMN = either(WORD, WORDS, closed(rows.GROUP, {"each": WORD, "range": RANGE}, rows.GROUP))
COLUMNS = mapped(COLUMN)
CELLS = mapped(mapped(WORD))
SHEET: dict[str, Json] = {
    "names": WORD,
    "headers": mapped(WORD),
    "ignored": either(enum((rows.OTHERS,)), WORDS),
}
"""The keys that say how the header of a table is read."""
ROWS = {"table": PATH, "rows": CELLS, "columns": COLUMNS, **SHEET, "clause": MARKS}
"""The keys of what has rows: a CSV file or a mapping, and its columns."""


def game_schema() -> Json:
    """The schema of a `game.yaml`: of a game, or of an overlay, in which all keys may be left out."""
    changed = closed(SECTIONS, _sections(whole=False), ("overlay",))
    whole = closed([key for key in SECTIONS if key != "overlay"], _sections(whole=True), NEEDED)
    return {
        "type": "object",
        "if": {"required": ["overlay"]},
        "then": explained(changed, GAME),
        "else": explained(whole, GAME),
    }


def _sections(whole: bool) -> dict[str, Json]:
    """The sections. `whole`: a declaration has the keys that it needs; else it may change another one."""
    found = {section: _declarations(section, whole) for section, _ in DECLARED}
    most = len(enumerations.LETTERS)
    one = {"type": "integer", "minimum": 1, "maximum": most}
    number = either(one, pattern(r"^\d+\.\.\d+$"), {"type": "array", "items": one, "minItems": 1})
    seats = closed(enumerations.SEATS, {"count": number, "names": WORDS, "clause": MARKS}, ("count",))
    allowed = {"finding": pattern("^V[0-9]{3}$"), "about": WORD, "why": WORD}
    origin = {"of": WORD, "rows": WORDS, "status": enum(RowStatus), "why": WORD}
    return found | {
        "game": {"type": ["string", "integer"], "pattern": "^[A-Za-z0-9_][A-Za-z0-9_-]*$"},
        "language": {"const": overlays.LANGUAGE},
        "title": WORD,
        "seats": explained(either(number, seats), meanings("seats")),
        "rules": WORDS,
        "flow": named(explained(_phase(whole), meanings("flow"))),
        "overlay": WORD,
        "removes": WORDS,
        "teams": mapped(WORDS, least=1),
        **dict.fromkeys(("clauses", "labels"), either(PATH, mapped(PATH, f"^{TAG.pattern}$", least=1))),
        **dict.fromkeys(("look", "about"), PATH),
        "longest": COMPUTED,
        "carries": either(listed(WORD, 1), explained(_carries(), meanings("carries"))),
        "absent": mapped(either(WORD, WORDS)),
        "allow": listed(explained(closed(suppressions.KEYS, allowed, suppressions.KEYS), meanings("allow"))),
        "provenance": listed(
            explained(closed(provenance.KEYS, origin, provenance.NEEDED), meanings("provenance"))
        ),
        "small": mapped(preset_schema()),
    }


def preset_schema() -> Json:
    """The schema of a preset: declarations of the game with other keys."""
    changed = mapped({"type": ["object", "array", "string", "number", "boolean"]})
    return closed(
        (*presets.CHANGED, "longest"), dict.fromkeys(presets.CHANGED, changed) | {"longest": COMPUTED}
    )


def _declarations(section: str, whole: bool) -> Json:
    shape = explained(DECLARATIONS[section](whole), meanings(section))
    return named(shape if whole else either(shape, {"const": "none"}))


def _needed(whole: bool, *keys: str) -> tuple[str, ...]:
    return keys if whole else ()


# ---- settings


def _constant(whole: bool) -> Json:
    table = closed(settings.CONSTANT, {"by_seats": mapped(COMPUTED), "clause": MARKS}, ("by_seats",))
    return either(COMPUTED, table)


def _option(whole: bool) -> Json:
    shapes = {
        "range": RANGE,
        "values": either(WORDS, NAMED),
        "size": RANGE,
        "default": either(WORD, WORDS),
        "clause": MARKS,
    }
    found = closed(settings.OPTION, shapes) | at_most_one("range", "values")
    if not whole:
        return found
    kinds = {"anyOf": [{"required": ["range"]}, {"required": ["values"]}]}
    one: Json = {"properties": {"values": WORDS, "default": WORD}, "required": ["default"]}
    one |= {"if": {"not": kinds}, "then": {"properties": {"default": FLAG}}}
    several = {"properties": {"default": WORDS}, "required": ["values"]}
    return found | {"if": {"required": ["size"]}, "then": several, "else": one}


def _ruling(whole: bool) -> Json:
    shapes = {"clause": MARKS, "readings": mapped(WORD), "chosen": WORD, "why": WORD}
    return closed(settings.RULING, shapes, _needed(whole, "readings", "chosen", "why"))


# ---- types and pieces


def _type(whole: bool) -> Json:
    shapes = {
        **ROWS,
        "product": either(WORDS, mapped(WORD)),
        "values": either(WORDS, RANGE),
        "order": enum(types.ORDERS),
        "without": mapped(
            either(WORDS, closed(enumerations.LEFT_OUT, {"values": WORDS, "clause": MARKS}, ("values",))),
            "^[0-9]+$",
        ),
    }
    kinds = {"product": types.PRODUCT, "values": types.LISTED}
    found = closed(dict.fromkeys((*types.PRODUCT, *types.LISTED, *types.TABLED)), shapes)
    found |= by_kind(kinds, types.TABLED) | at_most_one("table", "rows")
    if whole:
        found["anyOf"] = [{"required": [key]} for key in (*kinds, "table", "rows")]
    return either(listed(NAMED, 1), pattern(r"\.\."), found)


def _around() -> Json:
    """The corners or edges of a board: their name, or their name and columns."""
    return either(WORD, closed(edges.KEYS, {**ROWS, "name": WORD}, ("name",)))


def _board(whole: bool) -> Json:
    places = either(listed(WORD, 1), RANGE | {"minimum": 1})
    step = listed(COMPUTED, 2) | {"maxItems": 2}
    hexes = closed(
        lattices.HEXES,
        {"side": POSITIVE, "rows": listed(POSITIVE, 1), "rectangle": listed(POSITIVE, 2)},
    )
    sides = listed(POSITIVE, 2) | {"maxItems": 2}
    shapes = {
        **ROWS,
        **dict.fromkeys(("line", "ring", "graph"), places),
        "grid": sides,
        "hex": either(sides, hexes),
        "edges_of": WORD,
        "values": listed(WORD, 1),
        "part_of": WORD,
        "ends": either(WORDS, mapped(WORD)),
        "without": WORDS,
        "neighbours": enum(links.STEPS),
        "directions": either(WORD, mapped(either(listed(WORD, 1), mapped(step, least=1)))),
        "borders": mapped(WORDS),
        "corners": _around(),
        "edges": _around(),
        "links": either(PATH, mapped(WORDS)),
        "drawn": either(enum(("whole",)), pattern(r"\.(csv|tsv|xlsx|xlsm|ods)(#.+)?$"), listed(WORDS)),
    }
    kinds = {kind: (*keys, "clause") for kind, keys in boards.KEYS.items()}
    found = closed(dict.fromkeys((*kinds, *(key for keys in kinds.values() for key in keys))), shapes)
    return found | by_kind(kinds, None if whole else tuple(shapes))


def _component(whole: bool) -> Json:
    shapes = {
        **ROWS,
        "die": RANGE,
        "kinds": WORD,
        "of": enum(components.OF),
        "count": POSITIVE,
        "copies": either(WORD, mapped(COMPUTED)),
        "keep": either(WORDS, mapped(COMPUTED)),
    }
    kinds = {kind: (*keys, "clause") for kind, keys in components.KEYS.items() if kind}
    rest = (*components.KEYS[""], "clause") if whole else tuple(shapes)
    return closed(dict.fromkeys((*kinds, *shapes)), shapes) | by_kind(kinds, rest)


# ---- state


def _owned(found: Json) -> Json:
    """The same, with `of` where it is needed, and no keys of the position for working memory."""
    sights = ("owner", "team", "others")
    needs = [
        with_owner("seen_by", *sights),
        with_owner("counted_by", *sights),
        with_owner("lasts", "own turn"),
        without("lasts", SCRATCH, state_vars.OF_THE_POSITION),
    ]
    return found | {"allOf": needs}


def _state() -> dict[str, Json]:
    return {
        "of": WORD,
        "at": either(WORD, WORDS, mapped(WORD)),
        "lasts": WORD,
        "shared": enum(state_vars.SHARED),
        "clause": MARKS,
        "seen_by": enum(state_vars.SIGHTS),
    }


def _zone(whole: bool) -> Json:
    shapes = _state() | {
        "holds": WORD,
        "size": POSITIVE,
        "order": enum(zones.ORDERS),
        "shows": enum(zones.SHOWS),
        "counted_by": enum(state_vars.SIGHTS),
        "seen_by": enum(zones.SEEN),
        "start": enum(zones.START),
        "when_empty": closed(zones.WHEN_EMPTY, {"refill": WORD}, zones.WHEN_EMPTY),
        "drawn": enum(zones.DRAWN),
    }
    found = closed(zones.ALL_KEYS, shapes, _needed(whole, "holds", "seen_by"))
    return _owned(found) if whole else found


def _counter(whole: bool) -> Json:
    shapes = _state() | {
        "range": either(RANGE, mapped(RANGE)),
        "start": either(COMPUTED, mapped(COMPUTED)),
        "bank": WORD,
        "short": enum(state_vars.SHORT),
        "at_edge": enum(state_vars.EDGES),
    }
    found = closed(state_vars.COUNTER, shapes, _needed(whole, "range"))
    return _owned(found) | {"dependencies": {"short": ["bank"]}} if whole else found


def _mark(whole: bool) -> Json:
    found = closed(state_vars.KEYS, _state())
    return _owned(found) if whole else found


def _pointer(whole: bool) -> Json:
    found = closed(state_vars.POINTER, _state() | {"to": WORD, "start": WORD}, _needed(whole, "to"))
    return _owned(found) if whole else found


def _table(whole: bool) -> Json:
    cells = either({"type": "object"}, {"type": "array"})
    shapes = {
        "over": either(WORD, WORDS),
        "gives": WORD,
        "order": enum(tables.ORDERS),
        "rows": cells,
        "table": PATH,
        "clause": MARKS,
    }
    found = closed(tables.TABLE, shapes, _needed(whole, "over", "gives"))
    return found | at_most_one("rows", "table")


def _history(whole: bool) -> Json:
    shapes = {"of": listed(WORD, 1), "most": COMPUTED, "lasts": enum((SCRATCH,)), "clause": MARKS}
    return closed(histories.KEYS, shapes, _needed(whole, "of", "most"))


def _carries() -> Json:
    return closed(carries.KEYS, {"of": listed(WORD, 1), "while": WORD, "clause": MARKS}, ("of",))


DECLARATIONS = {
    "constants": _constant,
    "options": _option,
    "rulings": _ruling,
    "types": _type,
    "boards": _board,
    "components": _component,
    "zones": _zone,
    "counters": _counter,
    "marks": _mark,
    "pointers": _pointer,
    "tables": _table,
    "histories": _history,
}
"""The shape of a declaration of each section."""

# ---- the flow


def _phase(whole: bool) -> Json:
    """A phase. Steps are in each other, so they are known by name: `#/$defs/steps`."""
    turn = closed(flow.TURN, dict.fromkeys(flow.TURN, WORD)) | {"minProperties": 1}
    score = closed(flow.BEST[:2], dict.fromkeys(flow.BEST[:2], listed(WORD, 1)))
    cases = mapped(WORD) | {"required": ["otherwise"]}
    shapes = {
        "seat": either(enum(flow.ROTATES), turn),
        "do": STEPS,
        "then": either(WORD, cases),
        "score": either(enum(flow.BEST), score | {"minProperties": 1, "maxProperties": 1}),
        "clause": MARKS,
    }
    found = closed(flow.PHASE, shapes)
    return found | ({"anyOf": [{"required": ["then"]}, {"required": ["score"]}]} if whole else {})


STEPS: Json = {"$ref": "#/$defs/steps"}


def steps_schema() -> Json:
    """The steps of a phase: names of procedures, offers, steps under conditions, rounds."""
    names, rounds = listed(WORD, 1), "^each seat in turn\\b"
    shapes = {
        **dict.fromkeys(flow.STRENGTHS, names),
        "at most": WORD,
        "with": WORD,
        "named": WORD,
        "if": WORD,
        "do": STEPS,
        "otherwise": STEPS,
        "clause": MARKS,
    }
    others = {verb: [key for key in flow.OFFER if key not in flow.STRENGTHS] for verb in flow.STRENGTHS}
    for verb, keys in others.items():
        gone = {"otherwise"} if verb == "may keep doing" else {"at most"}
        others[verb] = [key for key in keys if key not in gone]
    offers = [
        {"required": [verb], "propertyNames": {"enum": list(dict.fromkeys([verb, *keys]))}}
        for verb, keys in others.items()
    ]
    group = {"required": ["if", "do"], "propertyNames": {"enum": list(flow.GROUP)}}
    header = {"anyOf": [{"pattern": rounds}, {"enum": list(flow.ROUND)}]}
    turns = {"propertyNames": header, "minProperties": 1}
    step = {
        "type": "object",
        "properties": shapes,
        "patternProperties": {rounds: STEPS},
        "additionalProperties": False,
        "anyOf": [*offers, group, turns],
    }
    return listed(either(WORD, explained(step, {**STEP_KEYS, "clause": CLAUSE})))
