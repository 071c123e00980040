"""Where a version is: a game by name, a folder, or a folder as it was at a revision of its repository."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics import Failed
from dsl.folder import LARGEST_FILE, Folder
from dsl.source import NOWHERE
from rulewright.library import bundled, bundled_folder, find, folder
from rulewright.parameters import why_not
from validators.diff.messages import NoGit, NoRepository, NoRevision, NotInRevision


def open_version(name: str) -> Folder:
    """The files of a version: a game by name, a folder, or `FOLDER@HEAD~2`. Raises `Failed`."""
    path, at, revision = name.rpartition("@")
    if not at or not path or Path(name).exists():
        return folder(find(name))
    return at_revision(name, path, revision)


def at_revision(name: str, path: str, revision: str) -> Folder:
    """A folder as a revision of its repository has it. Raises `Failed`."""
    place = _folder(path)
    top = _top(name, path, place)
    repository = Repository(name, top)
    if not revision or revision.startswith("-"):
        raise Failed(NoRevision(NOWHERE, name, revision, path))
    commit = repository.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if commit is None:
        raise Failed(NoRevision(NOWHERE, name, revision, path))
    inner = place.relative_to(top).as_posix()
    before = f"{commit.decode().strip()}:" + ("" if inner == "." else f"{inner}/")
    if repository.ask("cat-file", "-e", f"{before}game.yaml") is None:
        raise Failed(NotInRevision(NOWHERE, name, revision, path))
    return Folder(name, lambda file: repository.blob(before + file))


def _folder(path: str) -> Path:
    """The folder that a path means, which need not be there any more."""
    if path in bundled() and not (Path(path) / "game.yaml").is_file():
        return (bundled_folder() / path).resolve()
    found = Path(path).resolve()
    return found.parent if found.name == "game.yaml" else found


def _top(name: str, path: str, place: Path) -> Path:
    """The top folder of the repository that a folder lies in, or has lain in. Raises `Failed`."""
    there = next(p for p in (place, *place.parents) if p.is_dir())
    top = Repository(name, there).ask("rev-parse", "--show-toplevel")
    if top is None:
        raise Failed(NoRepository(NOWHERE, name, path))
    found = Path(top.decode().rstrip("\n")).resolve()
    if not place.is_relative_to(found):
        raise Failed(NoRepository(NOWHERE, name, path))
    return found


@dataclass(frozen=True)
class Repository:
    """A git repository that is only read. `version` is what was asked for, as people wrote it."""

    version: str
    place: Path

    def ask(self, *words: str) -> bytes | None:
        """What git says, or nothing if it says no. Raises `Failed` if git cannot be asked."""
        command = ("git", "-C", str(self.place), *words)
        try:
            found = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
        except (OSError, ValueError) as error:
            raise Failed(NoGit(NOWHERE, self.version, why_not(error))) from None
        if b"dubious ownership" in found.stderr:
            raise Failed(NoGit(NOWHERE, self.version, "the repository belongs to somebody else"))
        return found.stdout if found.returncode == 0 else None

    def blob(self, name: str) -> bytes:
        """A file of a revision, as far as anybody reads it. Raises `FileNotFoundError`."""
        size = self.ask("cat-file", "-s", name)
        if size is None:
            raise FileNotFoundError(2, "no such file in this revision")
        if int(size) > LARGEST_FILE:
            return bytes(LARGEST_FILE + 1)
        found = self.ask("cat-file", "blob", name)
        if found is None:
            raise FileNotFoundError(2, "it is no file in this revision")
        return found
