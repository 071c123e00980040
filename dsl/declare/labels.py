"""The words that people read for the names of the rules, in one language."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.declare.nodes import mapping, word
from dsl.document import Node


@dataclass(frozen=True)
class Labels:
    """A label for each name, longer texts, nouns (`die, dice`) and phrases (`{seat} owns {development}`)."""

    names: dict[str, str] = field(default_factory=dict)
    helps: dict[str, str] = field(default_factory=dict)
    nouns: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)


def read_labels(node: Node) -> Labels:
    """Labels by name; and under `help`, `nouns` and `phrases` what is said at length and within sentences."""
    found = Labels()
    sections = {"help": found.helps, "nouns": found.nouns, "phrases": found.phrases}
    for key, value in mapping(node, "the labels").pairs:
        if key.text in sections:
            pairs = mapping(value, f"`{key.text}`").pairs
            sections[key.text].update({k.text: word(v, f"`{key.text}` of `{k.text}`").text for k, v in pairs})
        else:
            found.names[key.text] = word(value, f"the label of `{key.text}`").text
    return found
