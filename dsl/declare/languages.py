"""Files that `game.yaml` names for each language: of labels, and of the clauses of the rulebook."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from dsl.declare.nodes import LONGEST_WORD, bounded, word
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.messages.names import BadLanguageTag
from dsl.messages.shapes import WrongShape
from dsl.rules import NO_LANGUAGE

MOST_LANGUAGES = 40
TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*")
"""A language tag of BCP 47: language, script, region and variants, each in its usual case."""


@dataclass(frozen=True)
class LanguageFile:
    """A file that `game.yaml` names: its language, and the node with its path."""

    language: str
    path: Scalar


def label_files(game: Mapping) -> tuple[LanguageFile, ...]:
    """The files of `labels`: one, or one for each language, of which the first is the default.

    The language of a single file is its name, if that is a tag: `labels/en.yaml`. Raises `DiagnosticError`.
    """
    return tuple(
        LanguageFile(PurePosixPath(file.path.text).stem, file.path)
        if file.language == NO_LANGUAGE and TAG.fullmatch(PurePosixPath(file.path.text).stem)
        else file
        for file in _files(game, "labels")
    )


def clause_files(game: Mapping) -> tuple[LanguageFile, ...]:
    """The files of `clauses`: one, whose language is that of the game, or one for each language, of which
    the first has all of them and the others are translations. Raises `DiagnosticError`."""
    return _files(game, "clauses")


def _files(game: Mapping, key: str) -> tuple[LanguageFile, ...]:
    node = game.get(key)
    if node is None:
        return ()
    if not isinstance(node, Mapping):
        return (LanguageFile(NO_LANGUAGE, word(node, f"`{key}`")),)
    if not node.pairs:
        raise DiagnosticError(WrongShape(node.span, f"`{key}`", "a path, or a mapping of languages to paths"))
    if len(node.pairs) > MOST_LANGUAGES:
        raise DiagnosticError(WrongShape(node.span, f"`{key}`", f"at most {MOST_LANGUAGES} languages"))
    return tuple(_file(tag, path, key) for tag, path in node.pairs)


def language_tag(key: Scalar) -> str:
    """The language that a key names. Raises `DiagnosticError` if it is no tag."""
    bounded(key.text, key.span, "this language", LONGEST_WORD)
    if not TAG.fullmatch(key.text):
        raise DiagnosticError(BadLanguageTag(key.span, key.text, _tag_hint(key.text)))
    return key.text


def _file(key: Scalar, value: Node, section: str) -> LanguageFile:
    return LanguageFile(
        language_tag(key), word(value, f"the {section} for `{key.text}`", "the path of a file")
    )


def _tag_hint(written: str) -> str:
    """The same tag in its usual form, if it only has another one."""
    first, *rest = written.replace("_", "-").split("-")
    case = {2: str.upper, 4: str.title}
    usual = "-".join([first.lower(), *(case.get(len(part), str.lower)(part) for part in rest)])
    return f"write `{usual}`" if TAG.fullmatch(usual) else "write a tag such as `hu`, `pt-BR` or `sr-Latn`"
