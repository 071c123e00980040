"""The description and the tables of a game as a file carries them: what its page reads, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dsl.domains import reading_type

Names = tuple[str, ...]
LEFT_OUT: Names = ("format", "rulings", "tables", "routines", "clauses")
"""Parts of a description that only other pages read, or that are made again."""
OF_TYPES: Names = ("numeric", "sides", "links", "base", "clauses")
OF_STATE: Names = ("clauses", "counted_by")
OF_DECISIONS: Names = ("clauses", "at", "passing")
OF_SCORES: Names = ("at", "text")
"""What is left out of each part."""
SHARED: Names = ("name", "type")
"""What description and tables both say of a decision."""
ASSUMED: dict[str, Any] = {"offer": 0, "passing": 0, "axes": [0, 0, 0], "wants": []}
"""What the page assumes of a decision of which it is not said."""


def carried_description(description: Mapping[str, Any], languages: Names) -> dict[str, Any]:
    """A description with the labels of some languages only; of its first one, if it has none of them.

    Clauses are there in the first language, as is the rulebook.
    """
    kept = [x for x in description["languages"] if x in languages] or description["languages"][:1]
    return {
        **without(description, LEFT_OUT),
        "languages": kept,
        **{
            part: {x: t for x, t in description[part].items() if x in kept}
            for part in ("labels", "helps", "conditions")
            if part in description
        },
        "types": {name: _type(decl) for name, decl in named_types(description).items()},
        "zones": each_without(description["zones"], OF_STATE),
        "variables": [without(variable, OF_STATE) for variable in description["variables"]],
        "decisions": {node: _said(each) for node, each in description["decisions"].items()},
        "scores": [without(line, OF_SCORES) for line in description["scores"]],
        "routines": {
            name: {"types": routine["types"][:1]}
            for name, routine in description["routines"].items()
            if routine["kind"] == "action" and routine["types"]
        },
        "clauses": dict(list(description["clauses"].items())[:1]),
    }


FOR_OTHERS = ("format", "digest", "head", "totals", "invariants")
"""Tables for hosts in other languages."""
FEW: Names = ("branches", "counted", "ended", "endings")
"""Tables that are left out where they say nothing."""


def carried_tables(tables: Mapping[str, Any], description: Mapping[str, Any]) -> dict[str, Any]:
    """Tables of a module without what the page does not read, or takes from the description.

    No place in the texts of the rules is named: a file does not have them.
    """
    described = description["decisions"]
    return {
        **without(tables, (*FOR_OTHERS, *(name for name in FEW if not tables[name]))),
        "decisions": {
            node: {
                name: value
                for name, value in found.items()
                if (name not in ("at", "parameter") and ASSUMED.get(name) != value)
                and (name not in SHARED or described.get(node, {}).get(name) != value)
            }
            for node, found in tables["decisions"].items()
        },
        "reasons": {
            node: [kind, clauses, None, *more]
            for node, (kind, clauses, _, *more) in tables["reasons"].items()
        },
        "cells": [[routine] for routine, _ in tables["cells"]],
        "map": without(tables["map"], ("work",)),
        "variables": [["", *words] for _, *words in tables["variables"]],
        "chance": {node: [*of[:2], [], *of[3:]] for node, of in tables["chance"].items()},
    }


def named_types(description: Mapping[str, Any]) -> dict[str, Any]:
    """The types without those of readings that nothing in the description is of."""
    readings = {reading_type(option) for option in description["options"]}
    others = {name: part for name, part in description.items() if name != "types"}
    text = json.dumps([others, {x: t for x, t in description["types"].items() if x not in readings}])
    return {
        name: part
        for name, part in description["types"].items()
        if name not in readings or json.dumps(name) in text
    }


def _type(decl: Mapping[str, Any]) -> dict[str, Any]:
    """A type; its members are left out where they are numbers in a row, as the page assumes."""
    in_a_row = decl["members"] == list(range(decl["lo"], decl["lo"] + len(decl["names"])))
    return without(decl, (*OF_TYPES, "members") if in_a_row else OF_TYPES)


def _said(decision: Mapping[str, Any]) -> dict[str, Any]:
    """A decision; what does not hold of it is left out."""
    return {name: value for name, value in without(decision, OF_DECISIONS).items() if value or value is None}


def without(found: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """A part without some of its fields."""
    return {name: value for name, value in found.items() if name not in names}


def each_without(found: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Parts by name, each without some of its fields."""
    return {name: without(part, names) for name, part in found.items()}
