"""Rulesets that are open in an editor: which ruleset a file belongs to, and its latest snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from dsl.diagnostics import Diagnostic
from dsl.folder import LARGEST_FILE, MOST_FILES
from dsl.load import GAME
from dsl.source import Span
from dsl.workspace.snapshot import Snapshot, Workspace
from rulewright.library import layer
from rulewright.reading import inner_file, inner_names
from validators.scenarios.reading import read_file

MUTANTS = "mutants.yaml"
SCENARIOS = "scenarios/"
DEEPEST = 5
"""How far above a file its `game.yaml` may lie."""


def path_of(uri: str) -> Path | None:
    """The path of a file's address, or none if it is no file."""
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def uri_of(path: Path) -> str:
    return f"file://{quote(str(path))}"


def root_of(path: Path) -> Path | None:
    """The folder of the ruleset that a file belongs to."""
    above = (path, *path.parents)[: DEEPEST + 1]
    return next((folder for folder in above if (folder / GAME).is_file()), None)


@dataclass(eq=False)
class OpenRuleset:
    """A ruleset with its unsaved texts, and what was found in it last.

    `version` counts the edits; the snapshot is that of the version `known`.
    """

    root: Path
    workspace: Workspace
    version: int = 0
    known: int = -1
    reported: set[str] = field(default_factory=set)
    """The paths for which findings were published."""
    _snapshot: Snapshot | None = None

    def edit(self, path: str, text: str | None) -> None:
        self.workspace.edit(path, text)
        self.version += 1

    @property
    def snapshot(self) -> Snapshot:
        """The ruleset as it is now; read anew if it has changed."""
        if self._snapshot is None or self.known != self.version:
            self._snapshot, self.known = self.workspace.snapshot(), self.version
        return self._snapshot

    def inner(self, path: Path) -> str:
        """The path of a file in the folder."""
        return path.relative_to(self.root).as_posix()

    def outer(self, inner: str) -> Path:
        """The path of a file on the disk, also of one below an overlay."""
        try:
            folder, name = layer(self.root, inner)
        except OSError:
            folder, name = self.root, inner
        return folder / name


def open_ruleset(root: Path) -> OpenRuleset:
    """The ruleset of a folder."""

    def fetch(inner: str) -> bytes:
        return inner_file(*layer(root, inner), LARGEST_FILE + 1)

    def tests() -> list[str]:
        found = [MUTANTS] if (root / MUTANTS).is_file() else []
        with suppress(OSError):
            names = inner_names(root, "scenarios", ".yaml", MOST_FILES)
            found += [f"scenarios/{name}" for name in names]
        return found

    return OpenRuleset(root, Workspace(root.name, fetch, tests))


@dataclass(eq=False)
class OpenRulesets:
    """All rulesets with open files, by folder."""

    rulesets: dict[Path, OpenRuleset] = field(default_factory=dict)

    def of(self, uri: str) -> OpenRuleset | None:
        """The ruleset of a file's address; none if there is no `game.yaml` above it."""
        path = path_of(uri)
        root = root_of(path) if path is not None else None
        if root is None:
            return None
        if root not in self.rulesets:
            self.rulesets[root] = open_ruleset(root)
        return self.rulesets[root]


def findings(ruleset: OpenRuleset) -> Iterator[Diagnostic]:
    """What is wrong with a ruleset, and with the form of its scenarios if its rules are known."""
    snapshot = ruleset.snapshot
    yield from snapshot.findings
    if snapshot.analysis.rules is None:
        return
    for source in snapshot.tests:
        if (snapshot.path_of(source) or "").startswith(SCENARIOS):
            for faulty in read_file(source, snapshot.analysis.rules).faulty:
                yield from faulty.diagnostics


def inner_path(ruleset: OpenRuleset, span: Span) -> str:
    """The path in the folder of the file of a place."""
    prefix = f"{ruleset.workspace.name}/"
    known = ruleset.snapshot.path_of(span.source)
    return known if known is not None and span.source.name.startswith(prefix) else GAME
