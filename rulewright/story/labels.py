"""The labels of a language, with those of what is asked for."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import EnumType, PieceType
from interpreter import ir


def labels_of(rules: r.Rules, machine: ir.Machine) -> dict[str, str]:
    """The labels of a language. What is asked for and has none is called by its noun, or as its type is."""
    found = dict(rules.labels)
    declared = {
        *rules.zones,
        *rules.types,
        *rules.components,
        *(words.name for words in machine.variables.values()),
    }
    for node in machine.nodes:
        name = node.name.rpartition(".")[2] if isinstance(node, ir.Decide) else ""
        if not name or name in found or name in declared or not isinstance(node, ir.Decide):
            continue
        match node.type:
            case EnumType(of) | PieceType(of):
                pass
            case _:
                of = ""
        if noun := rules.nouns.get(name) or rules.labels.get(of):
            found[name] = noun
    return found
