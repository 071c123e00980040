"""The one folder in which an assistant reads and writes: small text files, by paths that stay within it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics import DiagnosticError
from dsl.messages import CannotRead
from dsl.source import NOWHERE
from rulewright.assistants.messages import FileTooLarge, NoSuchRuleset, OutsideFolder
from rulewright.files import durable
from rulewright.files.reading import inner_file, why_not
from rulewright.files.rescue import writing
from rulewright.library import bundled
from rulewright.messages import CannotWrite

LARGEST, MOST_FILES, DEEPEST = 256_000, 1000, 5
"""The bytes of a file, the files that are listed, and the names of a path."""
SUFFIXES = (".yaml", ".rules", ".csv", ".md", ".txt", ".svg")
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")


@dataclass(frozen=True, slots=True)
class AssistantFolder:
    """A folder whose files are read, and written unless `read_only`."""

    root: Path
    read_only: bool = False

    def files(self, inner: str = "") -> list[dict[str, object]]:
        """The files of a folder in it with their sizes, sorted. Raises `DiagnosticError`."""
        start = self._within(inner) if inner not in ("", ".") else self.root
        found = []
        for path in sorted(_walk(start, 0)):
            found.append({"path": path.relative_to(self.root).as_posix(), "bytes": path.stat().st_size})
            if len(found) == MOST_FILES:
                break
        return found

    def read(self, inner: str) -> str:
        """The text of a file. Raises `DiagnosticError`."""
        self._within(inner)
        try:
            data = inner_file(self.root, inner, LARGEST + 1)
        except (OSError, ValueError) as error:
            raise DiagnosticError(
                CannotRead(NOWHERE, inner, why_not(error), "`list_files` names the files")
            ) from None
        if len(data) > LARGEST:
            raise DiagnosticError(FileTooLarge(NOWHERE, inner, LARGEST))
        return data.decode("utf-8", "replace")

    def write(self, inner: str, text: str) -> int:
        """Writes a text file, with the folders above it; returns its bytes. Raises `DiagnosticError`."""
        if self.read_only:
            raise DiagnosticError(CannotWrite(NOWHERE, inner, "this server only reads"))
        path, data = self._within(inner), text.encode()
        if path.suffix not in SUFFIXES:
            raise DiagnosticError(
                CannotWrite(NOWHERE, inner, f"its name ends in none of {', '.join(SUFFIXES)}")
            )
        if len(data) > LARGEST:
            raise DiagnosticError(FileTooLarge(NOWHERE, inner, LARGEST))
        with writing(inner):
            path.parent.mkdir(parents=True, exist_ok=True)
            durable.write(path, data)
        return len(data)

    def game(self, name: str) -> str:
        """A ruleset as commands in this folder call it: its path in it, or the name of a bundled game.

        Raises `DiagnosticError`.
        """
        if name in bundled() and not (self.root / name / "game.yaml").is_file():
            return name
        path = self._within(name) if name not in ("", ".") else self.root
        if not (path / "game.yaml").is_file():
            raise DiagnosticError(NoSuchRuleset(NOWHERE, name))
        return path.relative_to(os.path.realpath(self.root)).as_posix()

    def _within(self, inner: str) -> Path:
        """The real path of something in the folder. Raises `DiagnosticError` if it lies outside."""
        names = inner.split("/")
        if len(names) > DEEPEST or not all(NAME.fullmatch(name) for name in names):
            raise DiagnosticError(OutsideFolder(NOWHERE, inner))
        real = Path(os.path.realpath(self.root / inner))
        if not real.is_relative_to(os.path.realpath(self.root)):
            raise DiagnosticError(OutsideFolder(NOWHERE, inner))
        return real


def _walk(folder: Path, depth: int) -> list[Path]:
    """The files in a folder and its folders, without links and hidden ones."""
    found: list[Path] = []
    if depth >= DEEPEST or not folder.is_dir():
        return found
    for path in sorted(folder.iterdir())[:MOST_FILES]:
        if path.is_symlink() or path.name.startswith("."):
            continue
        found += _walk(path, depth + 1) if path.is_dir() else [path] if path.is_file() else []
    return found[:MOST_FILES]
