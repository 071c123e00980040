"""The words that people read for the names of the rules, in one language."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dsl.declare.nodes import line, mapping, word
from dsl.document import Node
from dsl.source import Span

HOLE = re.compile(r"\{(\w+)('s)?\}( [a-z]+)?")
"""A hole of a phrase: `{seat}`, `{seat's}`, with the word after it, which may be its verb."""


@dataclass(frozen=True)
class Labels:
    """A label for each name, longer texts, nouns (`die, dice`) and phrases (`{seat} owns {development}`).

    `places` says where a noun or phrase is written, by its name and text.
    """

    names: dict[str, str] = field(default_factory=dict)
    helps: dict[str, str] = field(default_factory=dict)
    nouns: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    places: dict[tuple[str, str], Span] = field(default_factory=dict)


def read_labels(node: Node) -> Labels:
    """Labels by name; and under `help`, `nouns` and `phrases` what is said at length and within sentences."""
    found = Labels()
    sections = {"help": found.helps, "nouns": found.nouns, "phrases": found.phrases}
    for key, value in mapping(node, "the labels").pairs:
        if key.text in sections:
            for name, node_ in mapping(value, f"`{key.text}`").pairs:
                read = word if key.text == "help" else line
                text = read(node_, f"`{key.text}` of `{name.text}`")
                sections[key.text][name.text] = text.text
                found.places[name.text, text.text] = text.span
        else:
            found.names[key.text] = line(value, f"the label of `{key.text}`").text
    return found
