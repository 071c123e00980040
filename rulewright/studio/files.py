"""The files of a ruleset on the disk: listed, watched, and saved without losing what others wrote."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from dsl.folder import LARGEST_FILE, MOST_FILES
from dsl.sheets.delimited import WORKBOOKS, is_table
from dsl.sheets.encodings import encoded_as, text_of
from rulewright.files import durable
from rulewright.files.reading import files_below, inner_file, why_not
from rulewright.studio.rpc import refused

SUFFIXES = frozenset({".yaml", ".rules", ".csv", ".tsv", ".md"})
"""What is edited."""
WATCHED = SUFFIXES | set(WORKBOOKS)
"""What is looked at; workbooks are edited elsewhere, and played with when they are saved."""
Stamp = tuple[int, int]


@dataclass(frozen=True)
class DiskText:
    """The text of a file as it lies on the disk, and the seal that says which content it was."""

    text: str
    seal: str


@dataclass
class RulesetFiles:
    """The files of one folder. `seen` has the time and size of each as they were when looked at last."""

    root: Path
    seen: dict[str, Stamp] = field(default_factory=dict)

    def look(self) -> dict[str, Stamp]:
        """The files that are watched, by path, each with its time and size; links are left out."""
        found: dict[str, Stamp] = {}
        for path in files_below(self.root, MOST_FILES):
            inner = path.relative_to(self.root)
            if path.suffix in WATCHED and not any(part.startswith(".") for part in inner.parts):
                try:
                    about = os.stat(path)
                except OSError:
                    continue
                found[inner.as_posix()] = about.st_mtime_ns, about.st_size
        return dict(sorted(found.items(), key=lambda item: _order(item[0])))

    def changes(self) -> list[str]:
        """The paths of what has come, gone or changed since they were looked at last."""
        try:
            now = self.look()
        except OSError:
            return []
        before, self.seen = self.seen, now
        return sorted(path for path in now.keys() | before.keys() if now.get(path) != before.get(path))

    def begin(self) -> list[str]:
        """The paths of all files, from which on changes are told. Raises `RpcError` if there is no folder."""
        try:
            self.seen = self.look()
        except OSError as error:
            raise refused("gone", f"the folder `{self.root}` cannot be read: {why_not(error)}") from None
        return list(self.seen)

    def read(self, path: str) -> DiskText | None:
        """The text of a file; none if there is no such file, or it is no text that is edited."""
        if PurePosixPath(path).suffix in WORKBOOKS:
            return None
        try:
            data = inner_file(self.root, self.checked(path), LARGEST_FILE + 1)
            if len(data) > LARGEST_FILE:
                return None
            text = text_of(data) if is_table(path) else data.decode()
            return DiskText(text.replace("\r\n", "\n"), seal_of(data))
        except (OSError, ValueError):
            return None

    def save(self, path: str, text: str, seal: str | None) -> str:
        """Write a file, and return its seal. `seal` is that of the content it replaces; none: a new file.

        Raises `RpcError`: with the code `conflict` and the text on the disk if somebody else has written it
        meanwhile, with `not-saved` if it cannot be written, or if what lies there is no text.
        """
        path = self.checked(path)
        there = self.read(path)
        if there is not None and there.seal != seal:
            raise refused("conflict", f"`{path}` was changed on the disk", text=there.text, seal=there.seal)
        target = self.root / path
        try:
            data = self._encoded(path, text)
            if len(data) > LARGEST_FILE:
                raise refused("not-saved", f"`{path}` has more than {LARGEST_FILE:,} bytes")
            if target.is_symlink() or not target.parent.resolve().is_relative_to(self.root.resolve()):
                raise refused("not-saved", f"`{path}` leads out of the ruleset")
            if not self.root.is_dir():
                raise refused("not-saved", f"`{path}` cannot be written: its folder `{self.root}` is gone")
            if target.is_file() and not os.access(target, os.W_OK):
                raise refused("not-saved", f"`{path}` cannot be written: it is read-only")
            if there is None and target.is_file():
                raise refused("not-saved", f"`{path}` on the disk is no text: move it away first")
            if target.parent != self.root:
                target.parent.mkdir(exist_ok=True)
            durable.write(target, data)
            about = os.stat(target)
        except UnicodeEncodeError:
            raise refused("not-saved", f"`{path}` has half of a character, which no file can have") from None
        except (OSError, ValueError) as error:
            raise refused("not-saved", f"`{path}` cannot be written: {why_not(error)}") from None
        self.seen[path] = about.st_mtime_ns, about.st_size
        return seal_of(data)

    def _encoded(self, path: str, text: str) -> bytes:
        """A text in the encoding of the table that it replaces; every other file is UTF-8."""
        try:
            before = inner_file(self.root, path, LARGEST_FILE) if is_table(path) else b""
        except (OSError, ValueError):
            before = b""
        return encoded_as(before, text)

    def checked(self, path: str) -> str:
        """A path within the folder, at most two folders deep. Raises `RpcError`."""
        inner = PurePosixPath(path)
        parts = inner.parts
        wrong = not parts or len(parts) > 3 or inner.is_absolute() or "\\" in path or "\0" in path
        if wrong or any(part.startswith(".") for part in parts) or inner.suffix not in SUFFIXES:
            raise refused("bad-path", f"`{path}` is no file of a ruleset: {', '.join(sorted(SUFFIXES))}")
        return inner.as_posix()


def seal_of(data: bytes) -> str:
    """What tells one content of a file from another."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def _order(path: str) -> tuple[int, str]:
    """`game.yaml` first, then rules, then the rest; scenarios last."""
    kinds = (path == "game.yaml", path.endswith(".rules"), "/" not in path, True)
    return kinds.index(True), path
