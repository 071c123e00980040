"""Labels: the texts that people read for the names of a ruleset, in one language or several."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from dsl.declare.nodes import LONGEST_WORD, bounded, line, mapping, text, word
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.messages.names import BadLanguageTag
from dsl.messages.shapes import WrongShape
from dsl.rules import NO_LANGUAGE, Translation, Untranslated
from dsl.source import Span

MOST_LANGUAGES = 40
SECTIONS = ("help", "nouns", "phrases")
HOLE = re.compile(r"\{(\w+)('s)?\}( [a-z]+)?")
"""A placeholder: `{seat}`, `{seat's}`, with the next word, which may be its verb."""
TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*")
"""A language tag of BCP 47: language, script, region and variants, each in its usual case."""


@dataclass(frozen=True)
class Labels:
    """A label for each name, longer texts, nouns (`die, dice`) and phrases (`{seat} owns {development}`).

    `places` says where a text is written, by its name and itself.
    """

    names: dict[str, str] = field(default_factory=dict)
    helps: dict[str, str] = field(default_factory=dict)
    nouns: dict[str, str] = field(default_factory=dict)
    phrases: dict[str, str] = field(default_factory=dict)
    places: dict[tuple[str, str], Span] = field(default_factory=dict)

    @property
    def written(self) -> dict[str, Span]:
        """Where a text of each word is."""
        return {name: at for (name, _), at in self.places.items()}


def read_labels(node: Node) -> Labels:
    """The labels, and the longer texts, nouns and phrases of the sections `help`, `nouns` and `phrases`."""
    found = Labels()
    sections = dict(zip(SECTIONS, (found.helps, found.nouns, found.phrases), strict=True))
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


# ---- several languages


@dataclass(frozen=True)
class LabelFile:
    """A file of labels that `game.yaml` names: its language, and the node with its path."""

    language: str
    path: Scalar


def label_files(game: Mapping) -> tuple[LabelFile, ...]:
    """The files of `labels`: one, or one for each language, of which the first is the default.

    The language of a single file is its name, if that is a tag: `labels/en.yaml`. Raises `DiagnosticError`.
    """
    node = game.get("labels")
    if node is None:
        return ()
    if not isinstance(node, Mapping):
        path = word(node, "`labels`")
        name = PurePosixPath(path.text).stem
        return (LabelFile(name if TAG.fullmatch(name) else NO_LANGUAGE, path),)
    if not node.pairs:
        raise DiagnosticError(WrongShape(node.span, "`labels`", "a path, or a mapping of languages to paths"))
    if len(node.pairs) > MOST_LANGUAGES:
        raise DiagnosticError(WrongShape(node.span, "`labels`", f"at most {MOST_LANGUAGES} languages"))
    return tuple(_label_file(key, value) for key, value in node.pairs)


def _label_file(key: Scalar, value: Node) -> LabelFile:
    bounded(key.text, key.span, "this language", LONGEST_WORD)
    if not TAG.fullmatch(key.text):
        raise DiagnosticError(BadLanguageTag(key.span, key.text, _tag_hint(key.text)))
    return LabelFile(key.text, word(value, f"the labels for `{key.text}`", "the path of a file"))


def _tag_hint(written: str) -> str:
    """The same tag in its usual form, if it only has another one."""
    first, *rest = written.replace("_", "-").split("-")
    case = {2: str.upper, 4: str.title}
    usual = "-".join([first.lower(), *(case.get(len(part), str.lower)(part) for part in rest)])
    return f"write `{usual}`" if TAG.fullmatch(usual) else "write a tag such as `hu`, `pt-BR` or `sr-Latn`"


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
        labels.names, labels.helps, labels.nouns, labels.phrases, at, tuple(missing), labels.written
    )
