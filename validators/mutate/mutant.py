"""What a mutant is: a ruleset with one small edit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dsl.folder import Folder
from dsl.source import Source, Span
from dsl.wording import shortened

MARK = re.compile(r"(?<!clause:) §[\w.\-]+(?=\s|$)")


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A piece of text and what stands there instead."""

    span: Span
    new: str

    @property
    def old(self) -> str:
        return self.span.text


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: who makes it, where, to which clauses the place belongs, and the text that changes.

    `header` names what the place is part of, in words that outlive a shift of lines. Nearly always there is
    one edit; the first is the one that is spoken of.
    """

    operator: str
    path: str
    header: str
    clauses: tuple[str, ...]
    edits: tuple[TextEdit, ...]

    @property
    def span(self) -> Span:
        return self.edits[0].span

    @property
    def old(self) -> str:
        return plain(self.edits[0].old)

    @property
    def new(self) -> str:
        return plain(self.edits[0].new)

    @property
    def says(self) -> str:
        """The change in words."""
        old, new = shortened(self.old), shortened(self.new)
        if len(self.edits) > 1:
            return f"`{old}` and `{new}` interchanged"
        return f"`{new}` in place of `{old}`" if new else f"`{old}` left out"


def plain(text: str) -> str:
    """A text in one line, with single blanks and without the clause marks of lines."""
    return MARK.sub("", " ".join(text.split()))


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """A text after its edits, which do not overlap."""
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.new + text[edit.span.end :]
    return text


@dataclass
class InMemoryFolder(Folder):
    """A folder whose texts are known, so that what was made of one of them can be used again."""

    texts: Mapping[str, Source] = field(default_factory=dict)

    def source(self, path: str) -> Source:
        """A file as text. Raises `DiagnosticError` if there is none."""
        if path not in self.texts:
            return super().source(path)
        self.files[path] = self.texts[path].text.encode()
        return self.texts[path]


def in_memory(name: str, files: Mapping[str, bytes]) -> InMemoryFolder:
    """The folder of a ruleset. Raises `DiagnosticError` if a file is no text."""
    folder = Folder(name, lambda path: fetched(files, path))
    return InMemoryFolder(name, folder.fetch, texts={path: folder.source(path) for path in files})


def mutated(whole: InMemoryFolder, mutant: Mutant) -> InMemoryFolder:
    """The folder of a mutant: its texts are those of the ruleset, but for one."""
    text = Source(mutant.span.source.name, edited(mutant.span.source.text, mutant.edits))
    return InMemoryFolder(whole.name, whole.fetch, texts={**whole.texts, mutant.path: text})


def fetched(files: Mapping[str, bytes], path: str) -> bytes:
    """A file by its path. Raises `OSError` if there is none."""
    if path not in files:
        raise FileNotFoundError(2, "No such file or directory")
    return files[path]
