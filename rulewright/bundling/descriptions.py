"""The description and the tables of a game as a file carries them: what its page reads, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.bundling.rulebooks import headings

Names = tuple[str, ...]
LEFT_OUT: Names = ("format", "rulings", "tables", "routines", "clauses")
"""Parts of a description that only other pages read, or that are made anew."""
OF_TYPES: Names = ("numeric", "sides", "links", "base")
OF_DECISIONS: Names = ("clauses", "at", "passing")
OF_SCORES: Names = ("at",)
"""What is left out of each part."""


def carried_description(description: Mapping[str, Any], languages: Names, rulebook: str) -> dict[str, Any]:
    """A description with the labels of some languages only; of its first one, if it has none of them.

    Headings of clauses that the rulebook has are left out: `web/shell/local_rules.js` reads them there.
    """
    kept = [x for x in description["languages"] if x in languages] or description["languages"][:1]
    found = headings(rulebook)
    return {
        **without(description, LEFT_OUT),
        "languages": kept,
        **{part: {x: t for x, t in description[part].items() if x in kept} for part in ("labels", "helps")},
        "types": each_without(description["types"], OF_TYPES),
        "decisions": each_without(description["decisions"], OF_DECISIONS),
        "scores": [without(line, OF_SCORES) for line in description["scores"]],
        "routines": {
            name: {"types": routine["types"][:1]}
            for name, routine in description["routines"].items()
            if routine["kind"] == "action" and routine["types"]
        },
        "clauses": {mark: text for mark, text in description["clauses"].items() if found.get(mark) != text},
    }


def carried_tables(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Tables of a module without the places in the ruleset, which the page does not show."""
    return {
        **tables,
        "decisions": {node: {**found, "at": ""} for node, found in tables["decisions"].items()},
        "reasons": {
            node: [kind, clauses, "", *rest] for node, (kind, clauses, _, *rest) in tables["reasons"].items()
        },
    }


def without(found: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """A part without some of its fields."""
    return {name: value for name, value in found.items() if name not in names}


def each_without(found: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Parts by name, each without some of its fields."""
    return {name: without(part, names) for name, part in found.items()}
