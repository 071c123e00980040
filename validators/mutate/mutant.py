"""Mutants: rulesets with one small edit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dsl.folder import Folder, fetch_of
from dsl.sheets.workbooks import is_archive
from dsl.source import Source, Span, with_replaced
from dsl.wording import shortened

MARK = re.compile(r"(?<!clause:) §[\w.\-]+(?=\s|$)")


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A span of text and its replacement."""

    span: Span
    new: str

    @property
    def old(self) -> str:
        return self.span.text


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: its operator, its place, the clauses of the place, and the edits of the text.

    `header` names what contains the place, independently of line numbers. There is nearly always one edit;
    messages show the first.
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
    """A text in one line, with single spaces and without clause marks."""
    return MARK.sub("", " ".join(text.split()))


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """A text after edits that do not overlap."""
    return with_replaced(text, ((edit.span, edit.new) for edit in edits))


@dataclass
class InMemoryFolder(Folder):
    """A folder with sources in memory: each is one object, so that what is cached for it is reused."""

    texts: Mapping[str, Source] = field(default_factory=dict)
    with_look: bool = False

    def source(self, path: str) -> Source:
        """A file as text. Raises `DiagnosticError` if there is none."""
        if path not in self.texts:
            return super().source(path)
        self.files[path] = self.texts[path].text.encode()
        self.place(self.texts[path].name, path)
        return self.texts[path]


def in_memory(name: str, files: Mapping[str, bytes]) -> InMemoryFolder:
    """The folder of a ruleset. Raises `DiagnosticError` if a file is not text."""
    folder = Folder(name, fetch_of(files))
    return InMemoryFolder(
        name, folder.fetch, texts={path: folder.source(path) for path in files if not is_archive(files[path])}
    )


def mutated(whole: InMemoryFolder, mutant: Mutant) -> InMemoryFolder:
    """The folder of a mutant: that of the ruleset with one source replaced."""
    text = Source(mutant.span.source.name, edited(mutant.span.source.text, mutant.edits))
    return InMemoryFolder(whole.name, whole.fetch, texts={**whole.texts, mutant.path: text})
