"""Where a version is: a game by name, a folder, or a folder as it was at a revision of its repository."""

from __future__ import annotations

from pathlib import Path

from dsl.diagnostics import DiagnosticError
from dsl.folder import BASE, Folder, overlaid
from dsl.source import NOWHERE
from rulewright.library import bundled, bundled_folder, find, folder
from rulewright.versions.repository import repository
from validators.diff.messages import NoRepository, NoRevision, NotInRevision


def open_version(name: str) -> Folder:
    """The files of a version: a game by name, a folder, or `FOLDER@HEAD~2`. Raises `DiagnosticError`."""
    path, at, revision = name.rpartition("@")
    if not at or not path or Path(name).exists():
        return folder(find(name))
    return at_revision(name, path, revision)


def at_revision(name: str, path: str, revision: str) -> Folder:
    """A folder as a revision of its repository has it. Raises `DiagnosticError`."""
    place = _folder(path)
    found = repository(name, place)
    if found is None:
        raise DiagnosticError(NoRepository(NOWHERE, name, path))
    commit = found.commit(revision) if revision and not revision.startswith("-") else None
    if commit is None:
        raise DiagnosticError(NoRevision(NOWHERE, name, revision, path))
    inner = place.relative_to(found.top)
    if not found.holds(commit, (inner / "game.yaml").as_posix()):
        raise DiagnosticError(NotInRevision(NOWHERE, name, revision, path))

    def fetch(file: str) -> bytes:
        place = inner
        while file.startswith(BASE):
            base = overlaid(found.file(commit, (place / "game.yaml").as_posix()))
            if base is None or not found.holds(commit, (place.parent / base / "game.yaml").as_posix()):
                return folder(find(base or "")).fetch(file.removeprefix(BASE))
            place, file = place.parent / base, file.removeprefix(BASE)
        return found.file(commit, (place / file).as_posix())

    return Folder(name, fetch)


def _folder(path: str) -> Path:
    """The folder that a path means, which need not be there any more."""
    if path in bundled() and not (Path(path) / "game.yaml").is_file():
        return (bundled_folder() / path).resolve()
    found = Path(path).resolve()
    return found.parent if found.name == "game.yaml" else found
