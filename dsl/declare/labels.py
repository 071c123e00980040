"""Labels: the texts that people read for the names of a ruleset, in one language."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dsl.declare.nodes import line, mapping, word
from dsl.document import Node
from dsl.source import Span

HOLE = re.compile(r"\{(\w+)('s)?\}( [a-z]+)?")
"""A placeholder: `{seat}`, `{seat's}`, with the next word, which may be its verb."""


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
    """The labels, and the longer texts, nouns and phrases of the sections `help`, `nouns` and `phrases`."""
    found = Labels()
    sections = {"help": found.helps, "nouns": found.nouns, "phrases": found.phrases}
    for key, value in mapping(node, "the labels").pairs:
        if key.text in sections:
            read = word if key.text == "help" else line
            for name, content in mapping(value, f"`{key.text}`").pairs:
                text = read(content, f"`{key.text}` of `{name.text}`")
                sections[key.text][name.text] = text.text
                found.places[name.text, text.text] = text.span
        else:
            found.names[key.text] = line(value, f"the label of `{key.text}`").text
    return found
