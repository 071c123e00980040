"""Snapshots of a ruleset: unsaved texts over its files, with all that is known of them."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.domains import Type
from dsl.folder import BASE, Folder
from dsl.index.build import build_index, with_tests
from dsl.index.index import Index
from dsl.load import Analysis, analyse
from dsl.pieces import pieces
from dsl.source import Source

TESTS = re.compile(r"scenarios/[^/]+\.yaml|mutants\.yaml")


@dataclass(frozen=True)
class Snapshot:
    """A ruleset at one moment. Nothing in it changes any more."""

    analysis: Analysis
    paths: dict[str, str]
    """The path of each file in the folder by its name in messages."""
    tests: tuple[Source, ...] = ()
    """The files of scenarios and of mutants."""
    locals: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    """The types of the locals of each definition by its header, as they were when it parsed last."""

    @cached_property
    def index(self) -> Index:
        """What the names in the files of its rules mean."""
        return build_index(self.analysis)

    @cached_property
    def whole_index(self) -> Index:
        """What the names in all its files mean, those of its tests as well."""
        return with_tests(self.index, self.analysis, self.tests)

    @cached_property
    def digest(self) -> bytes:
        """A hash of all its texts, those of its tests as well."""
        found = {**self.analysis.folder.sources, **{self.paths[test.name]: test for test in self.tests}}
        whole = hashlib.blake2b()
        for path, source in sorted(found.items()):
            for part in (encoded(path), encoded(source.text)):
                whole.update(len(part).to_bytes(8, "big") + part)
        return whole.digest()

    def index_for(self, source: Source) -> Index:
        """An index that has the names of a file."""
        return self.whole_index if source in self.tests else self.index

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Its mistakes and warnings, in the order of their places."""
        return tuple(self.analysis.report)

    def source(self, path: str) -> Source | None:
        """The text of a file that was read, by its path in the folder."""
        others = (found for found in self.tests if self.path_of(found) == path)
        return self.analysis.folder.sources.get(path) or next(others, None)

    def path_of(self, source: Source) -> str | None:
        """The path in the folder of a source."""
        return self.paths.get(source.name)

    def is_below(self, source: Source) -> bool:
        """Whether a file belongs to the game that this one overlays."""
        return (self.path_of(source) or "").startswith(BASE)


@dataclass
class Workspace:
    """A ruleset while it is edited. `fetch` reads its files, `texts` are the unsaved ones by path.

    `list_tests` returns the paths of the files of scenarios and mutants.

    A text that has not changed keeps its source, and with it what was parsed from it.
    """

    name: str
    fetch: Callable[[str], bytes]
    list_tests: Callable[[], Iterable[str]] = tuple
    texts: dict[str, str] = field(default_factory=dict)
    _sources: dict[str, Source] = field(default_factory=dict)
    _locals: dict[str, dict[str, Type]] = field(default_factory=dict)

    def edit(self, path: str, text: str | None) -> None:
        """Replace the text of a file; none: it is as it was saved."""
        if text is None:
            self.texts.pop(path, None)
        else:
            self.texts[path] = text

    def folder(self) -> Folder:
        """Its files as they are now."""
        return Folder(self.name, partial(self._bytes, dict(self.texts)))

    def snapshot(self) -> Snapshot:
        """The ruleset as it is now, read and typed. Mistakes in it are its findings.

        Edits that come meanwhile, from another thread, do not count.
        """
        texts = dict(self.texts)
        fetch = partial(self._bytes, texts)
        folder = Folder(self.name, fetch, known=self._sources)
        analysis = analyse(folder)
        tests = dict(self._tests(fetch, texts))
        self._sources = {**self._sources, **folder.sources, **tests}
        self._locals.update(_locals_of(analysis))
        paths = {f"{self.name}/{path}": path for path in (*folder.sources, *tests)}
        return Snapshot(analysis, paths, tuple(tests.values()), dict(self._locals))

    def _tests(self, fetch: Callable[[str], bytes], texts: dict[str, str]) -> Iterator[tuple[str, Source]]:
        """The files of tests, which do not count as files of the rules."""
        folder = Folder(self.name, fetch, known=self._sources)
        for path in sorted({*self.list_tests(), *filter(TESTS.fullmatch, texts)}):
            try:
                yield path, folder.source(path)
            except DiagnosticError:
                continue

    def _bytes(self, texts: dict[str, str], path: str) -> bytes:
        text = texts.get(path)
        return self.fetch(path) if text is None else encoded(text)


def encoded(text: str) -> bytes:
    """A text as a file would hold it. Half a character is encoded too: that it is not text is said later."""
    return text.encode("utf-8", "surrogatepass")


def _locals_of(analysis: Analysis) -> dict[str, dict[str, Type]]:
    """The types of the locals of each definition that parses, by its header."""
    bound = analysis.symbols.local_types
    sources = {span.source for span in bound}
    found: dict[str, dict[str, Type]] = {}
    for source in sources:
        places = sorted((span for span in bound if span.source is source), key=lambda at: at.start)
        starts = [span.start for span in places]
        for piece in pieces(source):
            span = piece.span
            inner = places[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
            mine = {at.text: bound[at] for at in inner}
            if mine:
                found[header_of(span.text)] = mine
    return found


def header_of(text: str) -> str:
    """What a definition is known by while it is edited: its first two words."""
    return " ".join(re.findall(r"\w+", text)[:2])
