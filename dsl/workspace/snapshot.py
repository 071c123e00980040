"""Snapshots of a ruleset: unsaved texts over its files, with all that is known of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dsl.diagnostics import Diagnostic
from dsl.folder import Folder
from dsl.load import Analysis, analyse
from dsl.source import Source


@dataclass(frozen=True)
class Snapshot:
    """A ruleset at one moment. Nothing in it changes any more."""

    analysis: Analysis
    paths: dict[str, str]
    """The path of each file in the folder by its name in messages."""

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Its mistakes and warnings, in the order of their places."""
        return tuple(self.analysis.report)

    def source(self, path: str) -> Source | None:
        """The text of a file that was read, by its path in the folder."""
        return self.analysis.folder.sources.get(path)

    def path_of(self, source: Source) -> str | None:
        """The path in the folder of a source."""
        return self.paths.get(source.name)


@dataclass
class Workspace:
    """A ruleset while it is edited. `fetch` reads its files, `texts` are the unsaved ones by path.

    A text that has not changed keeps its source, and with it what was parsed from it.
    """

    name: str
    fetch: Callable[[str], bytes]
    texts: dict[str, str] = field(default_factory=dict)
    _sources: dict[str, Source] = field(default_factory=dict)

    def edit(self, path: str, text: str | None) -> None:
        """Replace the text of a file; none: it is as it was saved."""
        if text is None:
            self.texts.pop(path, None)
        else:
            self.texts[path] = text

    def snapshot(self) -> Snapshot:
        """The ruleset as it is now, read and typed. Mistakes in it are its findings."""
        folder = Folder(self.name, self._bytes, sources=dict(self._sources))
        analysis = analyse(folder)
        self._sources.update(folder.sources)
        return Snapshot(analysis, {f"{self.name}/{path}": path for path in folder.sources})

    def _bytes(self, path: str) -> bytes:
        text = self.texts.get(path)
        return self.fetch(path) if text is None else text.encode()
