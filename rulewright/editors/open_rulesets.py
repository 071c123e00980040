"""Rulesets that are open in an editor: which ruleset a file belongs to, and its latest snapshot."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.folder import LARGEST_FILE, MOST_FILES, decoded
from dsl.load import GAME
from dsl.source import Source, Span
from dsl.workspace.drift import Drift
from dsl.workspace.snapshot import Snapshot, Workspace, encoded
from rulewright.files.reading import inner_file, inner_names
from rulewright.library import layer
from validators.scenarios.reading import read_file

if TYPE_CHECKING:
    from lsprotocol import types as lsp

MUTANTS = "mutants.yaml"
SCENARIOS = "scenarios/"
MOST_PLAYED = 20
"""For how many versions of a ruleset it is kept what playing them showed."""
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
    try:
        return next((folder for folder in above if (folder / GAME).is_file()), None)
    except OSError:  # a name that is too long for any file
        return None


@dataclass
class Played:
    """What playing the present version showed: which scenarios hold, why others fail, what they execute."""

    holds: dict[tuple[str, str], bool] = field(default_factory=dict)
    """By file and name of the scenario."""
    failures: dict[tuple[str, str], list[lsp.Diagnostic]] = field(default_factory=dict)
    """By file and name of the scenario that does not hold."""
    coverage: list[Coverage] = field(default_factory=list)
    mutants: list[MutantShown] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.holds or self.coverage or self.mutants)


@dataclass(frozen=True)
class MutantShown:
    """A small mistake that was put into a file of rules, and whether the scenarios notice it.

    `start` and `end` are offsets of the file; `says` is the mistake in words, `help` what would notice it.
    """

    file: str
    start: int
    end: int
    clauses: list[str]
    noticed: bool
    says: str
    help: str


@dataclass(frozen=True)
class NamedScenario:
    """A scenario by the place of its name, as offsets of its file."""

    file: str
    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Coverage:
    """By how many scenarios a definition or clause is executed, by which it is asserted, in how many of the
    random matches it is played.

    `start` is the offset of a definition in its file, `lines` the number of places that render a clause.
    `played` is none for what nothing executes, such as a declaration.
    """

    file: str
    start: int
    clause: str
    lines: int
    executed: int
    asserted: list[NamedScenario]
    played: int | None
    matches: int


@dataclass(eq=False)
class OpenRuleset:
    """A ruleset with its unsaved texts, and what is known of it.

    `version` counts the edits. Reading and indexing takes longer than an answer should, and goes on beside
    the answers: `findings` are those of the version `found`, and `snapshot`, with its index, that of the
    version `known`.
    """

    root: Path
    workspace: Workspace
    version: int = 0
    found: int = -1
    findings: tuple[Diagnostic, ...] = ()
    known: int = -1
    reported: set[str] = field(default_factory=set)
    """The paths for which findings were published."""
    is_published: bool = False
    """Whether the findings of this version, with all documents that are open, were published."""
    first_of_burst: int = -1
    """The version that the latest edit after a rest made."""
    reading: asyncio.Task[None] | None = None
    """The work on a version, as long as it goes on."""
    playing: Process | None = None
    """The process that plays for this ruleset, or did so last."""
    played: Played = field(default_factory=Played)
    counted: bool = False
    """Whether somebody has asked for counts, which are then kept up to date."""
    _snapshot: Snapshot | None = None
    _plays: OrderedDict[bytes, Played] = field(default_factory=OrderedDict)
    """What playing showed of these and of earlier texts, by digest; the latest is the last."""

    def edit(self, path: str, text: str | None) -> None:
        """Take another text of a file, or that of the disk. One that is opened or closed as it is known is
        no edit: what goes on for these texts goes on."""
        self.workspace.edit(path, text)
        known = self.snapshot.source(path) if self.known == self.version else None
        now = self.text(path) if known is not None else None
        if known is None or now is None or known.text != now.text:
            self.version += 1
            self.played = Played()

    @property
    def has_snapshot(self) -> bool:
        return self._snapshot is not None

    @property
    def snapshot(self) -> Snapshot:
        """The ruleset as it was when it was read and indexed last."""
        assert self._snapshot is not None
        return self._snapshot

    def read(self) -> Snapshot:
        """The ruleset as it is now; read at once if it has changed."""
        if self.known != self.version:
            self.know(self.workspace.snapshot(), self.version)
        return self.snapshot

    def know(self, snapshot: Snapshot, version: int) -> None:
        """Keep what was read. If these texts have been played before, what that showed holds again."""
        self._snapshot, self.known = snapshot, version
        if version == self.version:
            self.played = self._plays.setdefault(snapshot.digest, self.played)
            self._plays.move_to_end(snapshot.digest)
            while len(self._plays) > MOST_PLAYED:
                self._plays.popitem(last=False)

    def changed_outside(self) -> None:
        """A file was changed by something else than the editor."""
        self.version += 1
        self.played = Played()

    def text(self, path: str) -> Source | None:
        """A file as it is now; none if it cannot be read."""
        shown, unsaved = f"{self.workspace.name}/{path}", self.workspace.texts.get(path)
        try:
            return decoded(shown, encoded(unsaved) if unsaved is not None else self.workspace.fetch(path))
        except (DiagnosticError, OSError, ValueError):
            return None

    def drift(self, path: str) -> Drift | None:
        """From what is known of a file to what it is now; none if one of them cannot be read."""
        known = self.snapshot.source(path) if self.has_snapshot else None
        later = known if self.known == self.version else self.text(path)
        return Drift(known, later) if known is not None and later is not None else None

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


def findings(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """What is wrong with a ruleset, and with the form of its scenarios if its rules are known."""
    yield from snapshot.findings
    if snapshot.analysis.rules is None:
        return
    for source in snapshot.tests:
        if (snapshot.path_of(source) or "").startswith(SCENARIOS):
            for faulty in read_file(source, snapshot.analysis.rules).faulty:
                yield from faulty.diagnostics


def inner_path(ruleset: OpenRuleset, span: Span) -> str:
    """The path in the folder of the file of a place; `game.yaml` for a place in none of its files."""
    name, prefix = span.source.name, f"{ruleset.workspace.name}/"
    path = name.removeprefix(prefix)
    if path == name:
        return GAME
    return path if path in ruleset.workspace.texts or ruleset.outer(path).is_file() else GAME
