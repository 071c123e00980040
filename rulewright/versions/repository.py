"""Reads files from an untrusted git repository.

The configuration of a repository names programs for git to run, and its links name places to read from. So
git runs with a fixed environment, without any transport, and only on a repository whose links do not lead
elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from dsl.diagnostics import DiagnosticError
from dsl.folder import LARGEST_FILE, NotRegular, Outside
from dsl.source import NOWHERE
from rulewright.files.reading import plain_file, why_not
from validators.diff.messages import NoGit, UnsafeRepository

TIMEOUT = 30.0
"""The time limit of a git command, in seconds."""
MOST_SAID = 64_000
"""The largest output of git, other than of a file, and of its errors, in bytes."""
MOST_ENTRIES = 200_000
"""The largest number of files of a repository that are checked."""
LONGEST_LINK = 4096
"""The largest file that links to a repository, in bytes."""
SETTINGS = (
    "protocol.allow=never",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    "core.askPass=",
    "credential.helper=",
    "safe.bareRepository=explicit",
)
"""Settings that override the configuration of the repository."""
ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_ALLOC_LIMIT": "256m",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
    "LANGUAGE": "",
}
"""The environment of git: nothing is fetched, asked, written or replaced; memory is limited."""
FILE_MODES = (b"100644", b"100755", b"100664")
OTHER_MODES = {b"120000": "a symbolic link", b"160000": "a submodule", b"040000": "a folder"}
OBJECT = re.compile(rb"[0-9a-f]{40,64}")
PARTS = (
    *("HEAD", "ORIG_HEAD", "FETCH_HEAD", "config", "config.worktree", "packed-refs", "shallow"),
    *("commondir", "gitdir", "info", "logs", "objects", "refs", "reftable"),
)
"""The files and folders that git reads to find an object."""
INCLUDE = re.compile(rb"\[\s*include", re.IGNORECASE)
LARGEST_PART = 50_000_000
"""The largest list of references or configuration, in bytes."""


@dataclass(frozen=True)
class Repository:
    """A git repository by its top folder. `version` is the argument of the command, for messages."""

    version: str
    top: Path

    def commit(self, revision: str) -> bytes | None:
        """The commit of a revision, None if there is none."""
        return self._object("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")

    def holds(self, commit: bytes, path: str) -> bool:
        """Whether a path is a file in a commit."""
        try:
            return bool(self._blob_name(commit, path))
        except OSError:
            return False

    def file(self, commit: bytes, path: str) -> bytes:
        """The content of a file in a commit; of a file that is too large, only zeros. Raises `OSError`."""
        name = self._blob_name(commit, path).decode()
        size = self.ask("cat-file", "-s", name)
        if size is None or not size.strip().isdigit():
            raise FileNotFoundError(2, "no such file in this revision")
        if len(size) > len(str(LARGEST_FILE)) + 1 or int(size) > LARGEST_FILE:
            return bytes(LARGEST_FILE + 1)
        found = self.ask("cat-file", "blob", name, most=LARGEST_FILE)
        if found is None:
            raise FileNotFoundError(2, "it cannot be read in this revision")
        return found

    def _blob_name(self, commit: bytes, path: str) -> bytes:
        """The name of a file's object; links and submodules are not followed. Raises `OSError`."""
        found = self.ask("ls-tree", "-z", "--full-tree", commit.decode(), "--", path) or b""
        entries = [entry.partition(b"\t") for entry in found.split(b"\0") if entry]
        parts = next((about.split() for about, _, name in entries if name == os.fsencode(path)), [])
        if len(parts) != len(("mode", "type", "name")) or not OBJECT.fullmatch(parts[2]):
            raise FileNotFoundError(2, "no such file in this revision")
        if parts[0] not in FILE_MODES:
            raise NotRegular(1, OTHER_MODES.get(parts[0], "something else"))
        return parts[2]

    def _object(self, *words: str) -> bytes | None:
        found = (self.ask(*words) or b"").strip()
        return found if OBJECT.fullmatch(found) else None

    def ask(self, *words: str, most: int = MOST_SAID) -> bytes | None:
        """The output of a git command; None if it fails or is too long.

        Raises `DiagnosticError` if git cannot be run.
        """
        settings = [part for setting in SETTINGS for part in ("-c", setting)]
        try:
            command = [_program(), "--no-pager", "--no-replace-objects", *settings, *words]
            code, output, errors = run(command, self.top, most)
        except (OSError, ValueError) as error:
            raise DiagnosticError(NoGit(NOWHERE, self.version, why_not(error))) from None
        if b"dubious ownership" in errors:
            raise DiagnosticError(NoGit(NOWHERE, self.version, "the repository belongs to somebody else"))
        return output if code == 0 and len(output) <= most else None


# ---- finding and checking a repository


def repository(version: str, place: Path) -> Repository | None:
    """The repository that contains a folder, None if there is none.

    Raises `DiagnosticError` if parts of it are elsewhere.
    """
    try:
        _program()
    except OSError as error:
        raise DiagnosticError(NoGit(NOWHERE, version, why_not(error))) from None
    top = next((p for p in (place, *place.parents) if os.path.lexists(p / ".git")), None)
    if top is None:
        return None
    found = Repository(version, top)
    try:
        _check(found)
    except OSError as error:
        raise DiagnosticError(UnsafeRepository(NOWHERE, version, why_not(error))) from None
    return found


def _check(found: Repository) -> None:
    """Raises `OSError` if a part of a repository is elsewhere, or cannot be read."""
    home = _linked_folder(found.top / ".git")
    common = _linked_folder(home / "commondir") if os.path.lexists(home / "commondir") else home
    own = home == common and home.is_relative_to(found.top)
    if not (own or _is_worktree(found.top, home, common) or _is_submodule(found.top, home, common)):
        raise Outside(1, f"its `.git` leads to `{common}`, which does not lead back to it")
    for folder in {home, common}:
        _check_parts(folder)
        _check_includes(folder)
    if os.path.lexists(common / "objects/info/alternates"):
        raise Outside(1, "it borrows objects from elsewhere")
    output = (found.ask("rev-parse", "--git-dir", "--git-common-dir") or b"").splitlines()
    if [Path(found.top, os.fsdecode(line)).resolve() for line in output] != [home, common]:
        raise Outside(1, "its `.git` is not a repository")


def _check_includes(home: Path) -> None:
    """Raises `OSError` if a configuration includes another file."""
    for name in ("config", "config.worktree"):
        if (home / name).is_file() and INCLUDE.search(plain_file(home / name, LARGEST_PART)):
            raise Outside(1, f"its `{name}` includes another file")


def _linked_folder(path: Path) -> Path:
    """The folder at a path, or that a link file at the path names. Raises `OSError`."""
    if path.is_dir():
        return path.resolve()
    line = os.fsdecode(plain_file(path, LONGEST_LINK).rstrip(b"\r\n"))
    return (path.parent / line.removeprefix("gitdir: ")).resolve()


def _is_worktree(top: Path, home: Path, common: Path) -> bool:
    """Whether this is a registered working tree of a repository elsewhere."""
    back = home / "gitdir"
    return home.parent == common / "worktrees" and back.is_file() and _linked_folder(back) == top / ".git"


def _is_submodule(top: Path, home: Path, common: Path) -> bool:
    """Whether this is the working tree in the configuration of a repository elsewhere."""
    if home != common or not (home / "config").is_file():
        return False
    words = ("config", "--file", str(home / "config"), "--no-includes", "--get", "core.worktree")
    _, output, _ = run([_program(), *words], Path(home.anchor), LONGEST_LINK)
    tree = os.fsdecode(output.rstrip(b"\r\n"))
    return bool(tree) and (home / tree).resolve() == top


def _check_parts(home: Path) -> None:
    """Raises `OSError` if git would read a link out of the repository, or anything but a regular file."""
    left, seen = [home / name for name in PARTS if os.path.lexists(home / name)], 0
    while left:
        part = left.pop()
        seen += 1
        if seen > MOST_ENTRIES:
            raise NotRegular(1, f"it has more than {MOST_ENTRIES} objects and references")
        if part.is_dir() and not part.is_symlink():
            left += islice(part.iterdir(), MOST_ENTRIES)
        elif not part.is_file() or (part.is_symlink() and not part.resolve().is_relative_to(home)):
            raise Outside(1, f"its `{part.relative_to(home)}` is not a regular file")
        elif part.parent == home and part.stat().st_size > LARGEST_PART:
            raise NotRegular(1, f"its `{part.relative_to(home)}` is too large")


# ---- running git


def _program() -> str:
    """The path of git, found in absolute folders of the search path only. Raises `FileNotFoundError`."""
    places = [place for place in os.get_exec_path() if os.path.isabs(place)]
    found = shutil.which("git", path=os.pathsep.join(places))
    if found is None or not os.path.isabs(found):
        raise FileNotFoundError(2, "No such file or directory")
    return found


def _environment(top: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return {**kept, **ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(top.parent), "GIT_WORK_TREE": str(top)}


def run(command: Sequence[str], place: Path, most: int) -> tuple[int, bytes, bytes]:
    """Runs a command: its exit status, its output up to a byte more than `most`, and its errors.

    Raises `OSError`, also at the time limit, after killing the command and its children.
    """
    with subprocess.Popen(
        command,
        cwd=place,
        env=_environment(place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        output, errors = BoundedReader(process.stdout, most), BoundedReader(process.stderr, MOST_SAID)
        try:
            code = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            _end(process)
            raise TimeoutError(110, f"it did not answer within {TIMEOUT:.0f} seconds") from None
        except BaseException:
            _end(process)
            raise
        return code, output.data(), errors.data()


class BoundedReader:
    """Reads the output of a process up to a limit, then closes the pipe, which ends the process."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._most, self._data = stream, most, b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._stream:
            self._data = self._stream.read(self._most + 1)

    def data(self) -> bytes:
        self._thread.join(TIMEOUT)
        return self._data


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills a process and its children."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
