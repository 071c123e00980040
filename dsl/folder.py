"""The files of one ruleset, read through a function that the caller brings."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from dsl.diagnostics import Failed
from dsl.messages.files import CannotRead, NotText, TooLarge
from dsl.messages.sizes import TooMuchText
from dsl.source import Source, Span

LARGEST_FILE = 500_000
MOST_BYTES = 1_500_000
"""Of all files of a ruleset that are read."""


@dataclass
class Folder:
    """A ruleset's files by their path within its folder.

    `fetch` gives the bytes of a path, or raises `OSError`; it need not give more than `LARGEST_FILE` + 1
    bytes. `name` is the folder as people know it.
    """

    name: str
    fetch: Callable[[str], bytes]
    files: dict[str, bytes] = field(default_factory=dict)

    def source(self, path: str) -> Source:
        """A file as text. Raises `Failed` if it is missing, too large or no text."""
        shown = f"{self.name}/{path}"
        at = Span(Source(shown, ""), 0, 0)
        if not _inside(path):
            raise Failed(
                CannotRead(at, path, "it lies outside the ruleset's folder", "move the file into it")
            )
        data = self._bytes(path, shown, at)
        if len(data) > LARGEST_FILE:
            raise Failed(TooLarge(at, shown, len(data), LARGEST_FILE))
        self.files[path] = data
        together = sum(map(len, self.files.values()))
        if together > MOST_BYTES:
            raise Failed(TooMuchText(at, f"the files of {self.name}", together, MOST_BYTES))
        return Source(shown, _text(data, shown, at))

    def _bytes(self, path: str, shown: str, at: Span) -> bytes:
        try:
            return self.fetch(path)
        except (OSError, ValueError) as error:
            hint = "a ruleset is a folder with a `game.yaml`" if path == "game.yaml" else "check its name"
            why = (getattr(error, "strerror", None) or "it is not there").lower()
            raise Failed(CannotRead(at, shown, why, hint)) from None

    def digest(self) -> str:
        """The content hash of everything that was read, independent of the folder's place."""
        whole = hashlib.sha256()
        for path in sorted(self.files):
            part = hashlib.sha256(self.files[path].replace(b"\r\n", b"\n")).hexdigest()
            whole.update(f"{path}\0{part}\n".encode())
        return whole.hexdigest()


def _inside(path: str) -> bool:
    """Whether a path is one of plain names, none of which leads out of the folder."""
    parts = path.split("/")
    plain = path.isprintable() and not set(path) & set('\\:*?"<>|')
    return plain and all(part.strip() not in ("", ".", "..") for part in parts)


def decoded(shown: str, data: bytes) -> Source:
    """Bytes as a text with a name. Raises `Failed` if they are none."""
    return Source(shown, _text(data, shown, Span(Source(shown, ""), 0, 0)))


def _text(data: bytes, shown: str, at: Span) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failed(NotText(at, shown, error.start)) from None
    if "\0" in text:
        raise Failed(NotText(at, shown, data.index(0)))
    return text.replace("\r\n", "\n")
