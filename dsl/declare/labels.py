"""Labels: the texts that people read for the names of a ruleset, in one language or several."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from dsl.declare.nodes import line, mapping, text
from dsl.document import Node, Scalar
from dsl.rules import Translation, Untranslated
from dsl.source import Span

SECTIONS = ("help", "nouns", "phrases", "forms")
HOLE = re.compile(r"\{(\w+)('s)?\}( [a-z]+)?")
"""A placeholder: `{seat}`, `{seat's}`, with the next word, which may be its verb."""
FORM_HOLE = re.compile(r"\{(\w+)(?:'s)?(?::(\w+))?(?: \? ([^:{}]*) : ([^{}]*))?\}")
"""A placeholder where nouns have forms: `{card}`, `{card:acc}`, by who it is `{seat ? you : others}`."""


@dataclass(frozen=True)
class Labels:
    """A label for each name, longer texts, nouns (`die, dice`) and phrases (`{seat} owns {development}`).

    `forms` has words of the language with their principal parts, where these are not as most words' are.

    `places` says where a text is written, by its name and itself.
    """

    names: dict[str, str] = field(default_factory=dict)
    helps: dict[str, str] = field(default_factory=dict)
    nouns: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    places: dict[tuple[str, str], Span] = field(default_factory=dict)

    @property
    def written(self) -> dict[str, Span]:
        """Where a text of each word is."""
        return {name: at for (name, _), at in self.places.items()}


LabelsByLanguage: TypeAlias = dict[str, tuple[Labels, Span]]
"""The labels of each language, and where `game.yaml` names them; the first is the default."""


def read_labels(node: Node) -> Labels:
    """The labels, and what stands in the sections `help`, `nouns`, `phrases` and `forms`."""
    found = Labels()
    sections = dict(zip(SECTIONS, (found.helps, found.nouns, found.phrases, found.forms), strict=True))
    for key, value in mapping(node, "the labels").pairs:
        if key.text in sections:
            read = text if key.text == "help" else line
            for name, content in mapping(value, f"`{key.text}`").pairs:
                said = read(content, f"`{key.text}` of `{name.text}`")
                sections[key.text][name.text] = said.text
                found.places[name.text, said.text] = said.span
        else:
            label = line(value, f"the label of `{key.text}`")
            found.names[key.text] = label.text
            found.places[key.text, label.text] = label.span
    return found


# ---- texts of tables

TextKind = Literal["text", "label", "help"]
"""What a text in a table is: what only faces show, what its row is called, what is told about the row."""


@dataclass(frozen=True)
class RowText:
    """A text for people in a table: what it is, its language, none for the game's own, and whose it is."""

    kind: TextKind
    language: str | None
    name: str
    text: Scalar


def with_row_texts(labels: LabelsByLanguage, texts: list[RowText]) -> LabelsByLanguage:
    """The labels of each language with the texts of tables, where the files of labels say nothing else."""
    found = dict(labels)
    first = next(iter(found))
    for each in texts:
        language = each.language or first
        own, _ = found.setdefault(language, (Labels(), each.text.span))
        told = own.helps if each.kind == "help" else own.names
        if each.name not in told:
            told[each.name] = each.text.text
            own.places[each.name, each.text.text] = each.text.span
    return found


# ---- several languages


def translation(default: Labels, labels: Labels, at: Span) -> Translation:
    """The labels of another language, with what one of the two languages has and the other one lacks."""
    missing: list[Untranslated] = []
    for kind, ours, theirs in (
        ("label", default.names, labels.names),
        ("help", default.helps, labels.helps),
    ):
        missing += [
            Untranslated(kind, name, default.places[name, text], False)
            for name, text in ours.items()
            if text and name not in theirs
        ]
        missing += [
            Untranslated(kind, name, labels.places[name, text], True)
            for name, text in theirs.items()
            if text and name not in ours
        ]
    return Translation(
        labels.names,
        labels.helps,
        labels.nouns,
        labels.phrases,
        at,
        tuple(missing),
        labels.written,
        forms=labels.forms,
    )
