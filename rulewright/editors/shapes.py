"""Shapes of values in YAML files, as JSON Schema: words, numbers, ranges, lists, mappings with known keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dsl.declare.nodes import EXAMPLES, WORD as NAME

Json = dict[str, Any]

WORD: Json = {"type": ["string", "number", "boolean"]}
"""One word or text. YAML takes some for numbers or booleans; the reader of a key does not."""
NUMBER: Json = {"type": "integer"}
COMPUTED: Json = {"type": ["integer", "string"], "pattern": r"^[\w\s+*/().-]+$"}
"""A whole number, or an expression of numbers: `2 * seats`."""
POSITIVE: Json = {**COMPUTED, "minimum": 1}
RANGE: Json = COMPUTED
"""`0..6`, or one number, each computed or not."""
NAMED: Json = {"type": ["string", "number", "boolean"], "pattern": r"^\w+$"}
"""A word that is a name."""
PATH: Json = {"type": "string", "minLength": 1}
MARKS: Json = {"type": "string", "pattern": r"^\s*§\S+(\s+§\S+)*\s*$"}
"""Clause marks with blanks between."""
DECIMAL: Json = {"type": "number"}
POSITION: Json = {"type": "array", "items": DECIMAL, "minItems": 2, "maxItems": 2}
NOTHING: Json = {"type": "null"}


def enum(allowed: Iterable[str]) -> Json:
    """One of some words."""
    return {"enum": [{"true": True, "false": False}.get(word, word) for word in _once(*allowed)]}


def _once(*words: str) -> list[str]:
    """Words without repetition: some servers take no schema in which a word comes twice."""
    return list(dict.fromkeys(words))


FLAG = enum(("true", "false"))


def pattern(regex: str) -> Json:
    return {"type": "string", "pattern": regex}


def listed(item: Json, least: int = 0) -> Json:
    return {"type": "array", "items": item, **({"minItems": least} if least else {})}


WORDS = listed(WORD)


def mapped(value: Json, key: str = "", least: int = 0) -> Json:
    """A mapping of any keys, or of those that match a pattern."""
    found: Json = {"type": "object"}
    if key:
        found |= {"patternProperties": {key: value}, "additionalProperties": False}
    else:
        found["additionalProperties"] = value
    return found | ({"minProperties": least} if least else {})


def named(value: Json) -> Json:
    """A mapping whose keys are names."""
    return mapped(value, f"^{NAME.pattern}$")


def either(*shapes: Json) -> Json:
    return {"anyOf": list(shapes)}


def closed(keys: Iterable[str], shapes: Mapping[str, Json], needed: Iterable[str] = ()) -> Json:
    """A mapping with known keys, each with a shape, of which some are needed. All keys must have a shape."""
    return {
        "type": "object",
        "properties": {key: described(key, shapes[key]) for key in keys},
        "additionalProperties": False,
        **({"required": list(needed)} if needed else {}),
    }


def described(key: str, shape: Json) -> Json:
    """A shape with the hint that the reader of the key gives."""
    return {**shape, "description": EXAMPLES[key]} if key in EXAMPLES else shape


def by_kind(kinds: Mapping[str, Iterable[str]], rest: Iterable[str] | None) -> Json:
    """What keys stand beside the key that decides the kind of a mapping; `rest`: those without such a key.

    Without `rest` one of the deciding keys is needed.
    """
    cases: list[Json] = [
        {"if": {"required": [kind]}, "then": {"propertyNames": {"enum": _once(kind, *keys)}}}
        for kind, keys in kinds.items()
    ]
    none: Json = {"not": {"anyOf": [{"required": [kind]} for kind in kinds]}}
    if rest is None:
        cases.append({"oneOf": [{"required": [kind]} for kind in kinds]})
    else:
        cases.append({"if": none, "then": {"propertyNames": {"enum": _once(*rest)}}})
    return {"allOf": cases}


def at_most_one(*keys: str) -> Json:
    """Of two keys only one may be there."""
    return {"not": {"required": list(keys)}}


def without(key: str, value: str, others: Iterable[str]) -> Json:
    """Beside a value of a key there is none of some others."""
    return {
        "if": {"type": "object", "properties": {key: {"const": value}}, "required": [key]},
        "then": {"not": {"anyOf": [{"required": [other]} for other in others]}},
    }


def with_owner(key: str, *values: str) -> Json:
    """Some values of a key need `of` beside it."""
    return {
        "if": {"properties": {key: {"enum": list(values)}}, "required": [key]},
        "then": {"required": ["of"]},
    }
