"""What a schema allows at a place: the keys and words that may be written there, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulewright.editors.shapes import Json

Path = tuple[str | int, ...]


def shapes_at(schema: Json, path: Path) -> list[Json]:
    """The shapes that a value may have to which keys and positions lead, without references in them."""
    shapes = list(_alternatives(schema, schema))
    for step in path:
        shapes = [
            alternative
            for shape in shapes
            for inner in _inner(shape, step)
            for alternative in _alternatives(schema, inner)
        ]
    return shapes


def keys_at(schema: Json, path: Path, beside: frozenset[str]) -> dict[str, bool]:
    """The keys that a mapping may still have beside those that it has, and whether it needs each."""
    found: dict[str, bool] = {}
    for shape in shapes_at(schema, path):
        known = shape.get("properties", {})
        for key, inner in known.items():
            if key not in beside and inner is not False and _may_have(shape, {*(beside & known.keys()), key}):
                found.setdefault(key, key in shape.get("required", ()))
    return found


def words_at(schema: Json, path: Path) -> list[str]:
    """The words of which a value may be one."""
    found: dict[str, None] = {}
    for shape in shapes_at(schema, path):
        for word in (*shape.get("enum", ()), *([shape["const"]] if "const" in shape else ())):
            found[{True: "true", False: "false"}[word] if isinstance(word, bool) else str(word)] = None
    return list(found)


def is_open(schema: Json, path: Path, key: bool) -> bool:
    """Whether any word may stand at a place, as a key or as a value."""
    for shape in shapes_at(schema, path):
        if key and _has_any_keys(shape):
            return True
        if not key and "enum" not in shape and "const" not in shape and _is_scalar(shape):
            return True
    return False


def holds_more(schema: Json, path: Path) -> bool:
    """Whether a value is a mapping in any case."""
    shapes = shapes_at(schema, path)
    return bool(shapes) and all(_kinds(shape) <= {"object"} for shape in shapes)


def meaning_of(schema: Json, path: Path, key: str) -> str:
    """What the schema says about a key of a mapping; empty if it says nothing."""
    for shape in shapes_at(schema, path):
        text = shape.get("properties", {}).get(key, {}) or {}
        if text.get("description"):
            return str(text["description"])
    return ""


def _alternatives(schema: Json, shape: Json) -> Iterator[Json]:
    """A shape, or those of which it is one. What all of them have in common stays with each."""
    if not isinstance(shape, dict):
        return
    if "$ref" in shape:
        yield from _alternatives(schema, schema["$defs"][shape["$ref"].rpartition("/")[2]])
        return
    if "properties" in shape or not ({"anyOf", "oneOf", "then", "else"} & shape.keys()):
        yield shape
        return
    for each in (*shape.get("anyOf", ()), *shape.get("oneOf", ()), shape.get("then"), shape.get("else")):
        if each is not None:
            yield from _alternatives(schema, each)


def _inner(shape: Json, step: str | int) -> Iterable[Json]:
    """The shapes of what a key or position leads to."""
    if isinstance(step, int):
        return [shape["items"]] if isinstance(shape.get("items"), dict) else []
    if step in shape.get("properties", {}):
        return [shape["properties"][step]]
    matching = [s for regex, s in shape.get("patternProperties", {}).items() if re.search(regex, step)]
    if not matching and isinstance(shape.get("additionalProperties"), dict):
        return [shape["additionalProperties"]]
    return matching


def _has_any_keys(shape: Json) -> bool:
    more = shape.get("additionalProperties", "properties" not in shape and "object" in _kinds(shape))
    return isinstance(more, dict) or more is True or "patternProperties" in shape


def _is_scalar(shape: Json) -> bool:
    return bool(_kinds(shape) & {"string", "number", "integer", "boolean"})


def _kinds(shape: Json) -> set[str]:
    kind = shape.get("type", "string" if {"pattern", "enum", "const"} & shape.keys() else [])
    return {kind} if isinstance(kind, str) else set(kind)


# ---- which keys go together


def _may_have(shape: Json, keys: set[str]) -> bool:
    """Whether a mapping with some keys may become one of a shape by more keys."""
    names = shape.get("propertyNames")
    if names is not None and not all(_is_named(names, key) for key in keys):
        return False
    if "not" in shape and _holds(shape["not"], keys):
        return False
    branch = shape.get("then" if _holds(shape["if"], keys) else "else") if "if" in shape else None
    if branch is not None and not _may_have(branch, keys):
        return False
    if not all(_may_have(each, keys) for each in shape.get("allOf", ())):
        return False
    return "anyOf" not in shape or any(_may_have(each, keys) for each in shape["anyOf"])


def _is_named(names: Json, key: str) -> bool:
    if "anyOf" in names:
        return any(_is_named(each, key) for each in names["anyOf"])
    if "pattern" in names:
        return re.search(names["pattern"], key) is not None
    return "enum" not in names or key in names["enum"]


def _holds(shape: Json, keys: set[str]) -> bool:
    """Whether a mapping with some keys is one of a shape; never of one that asks about values."""
    if "properties" in shape:
        return False
    if "not" in shape:
        return not _holds(shape["not"], keys)
    if "anyOf" in shape:
        return any(_holds(each, keys) for each in shape["anyOf"])
    return set(shape.get("required", ())) <= keys
