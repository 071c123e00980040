"""The clauses of the rulebook, and the words that people read for names."""

from __future__ import annotations

from dsl.declare.nodes import mapping, needed, word
from dsl.declare.world import World, keys
from dsl.document import Mapping, Node
from dsl.rules import Clause
from dsl.source import Span


def read_clauses(world: World, node: Node) -> dict[str, Clause]:
    """`clauses: {§1.1: {heading: ..., kind: rule, says: ...}}`. Raises `Failed` if there are none."""
    found = keys(world, node, "the rulebook file", ("rulebook", "clauses"))
    pairs = mapping(needed(found, "clauses", "the rulebook file"), "`clauses`").pairs
    return {
        key.text: _clause(key.text, mapping(value, f"clause `{key.text}`"), key.span) for key, value in pairs
    }


def _clause(name: str, entry: Mapping, span: Span) -> Clause:
    return Clause(name, _text(entry, "kind") or "rule", _text(entry, "heading"), _text(entry, "says"), span)


def _text(entry: Mapping, name: str) -> str:
    node = entry.get(name)
    return word(node, f"`{name}`").text if node is not None else ""


def read_labels(node: Node) -> tuple[dict[str, str], dict[str, str]]:
    """Labels by name; and under `help` the longer texts."""
    labels: dict[str, str] = {}
    helps: dict[str, str] = {}
    for key, value in mapping(node, "the labels").pairs:
        if key.text == "help":
            pairs = mapping(value, "`help`").pairs
            helps.update({k.text: word(v, f"the help for `{k.text}`").text for k, v in pairs})
        else:
            labels[key.text] = word(value, f"the label of `{key.text}`").text
    return labels, helps
