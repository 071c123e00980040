"""The files of one ruleset, read by a function that the caller provides."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dsl.characters import forbidden, named
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.messages.files import (
    CannotRead,
    ForbiddenCharacter,
    LeadsOutside,
    NotAFile,
    NotText,
    TooLarge,
    TooMuch,
)
from dsl.sheets.delimited import is_table, table_path
from dsl.sheets.encodings import text_of
from dsl.sheets.workbooks import is_archive, sheet_text
from dsl.source import Source, Span

LARGEST_FILE = 500_000
BASE = "base/"
"""Below this lie the files of the game that an overlay changes."""
OVERLAY = re.compile(rb"^overlay:[ ]+([A-Za-z_]\w*)[ ]*(#.*)?\r?$", re.MULTILINE)
LOOK = re.compile(rb"^(?:look|about): [\w./-]+\n", re.MULTILINE)
"""A line that names the look or what the game is about, and nothing else."""
MOST_FILES, MOST_BYTES = 1_000, 1_500_000
"""The limits of a whole ruleset."""


class Outside(OSError):
    """The real path of a file lies outside the folder."""


class NotRegular(OSError):
    """A path is not a regular file; `strerror` says what it is."""


@dataclass
class Folder:
    """A ruleset's files by their path within its folder.

    `fetch` returns the bytes of a path, at most `LARGEST_FILE` + 1 of them, or raises `OSError`. `name` is
    the folder in messages. `with_look`: whether its look is read. What only says how a game looks, or
    what it is about, is not among the `files` whose hash is the digest of the rules, but among the `looks`.
    """

    name: str
    fetch: Callable[[str], bytes]
    files: dict[str, bytes] = field(default_factory=dict)
    looks: dict[str, bytes] = field(default_factory=dict)
    with_look: bool = True
    translations: set[str] = field(default_factory=set)
    """The paths of files that are only read for another language; the digest leaves them out."""
    sources: dict[str, Source] = field(default_factory=dict, init=False, repr=False)
    """The texts that were read, by path."""
    sheets: dict[str, bytes] = field(default_factory=dict, init=False, repr=False)
    """The texts of the sheets that were read of workbooks, by path: what the digest covers of these files."""
    known: dict[str, Source] = field(default_factory=dict, repr=False)
    """Texts of earlier readings by path: one that is read again is the same, and so are the places in it."""
    size: int = field(default=0, init=False)
    _layers: dict[str, str] = field(default_factory=dict, init=False)
    """For each file that was read, by its name in messages: `base/` as often as its layer is deep."""

    def holds(self, path: str) -> bool:
        """Whether there is a file that can be read."""
        try:
            self.fetch(path)
        except (OSError, ValueError):
            return False
        return True

    def named_in(self, source: Source, path: str) -> str:
        """The path of a file that a text of this folder names: a file of the same layer."""
        return self._layers.get(source.name, "") + path

    def source(self, path: str) -> Source:
        """A file as text. Raises `DiagnosticError` if it is missing, too large or no text."""
        file, sheet = table_path(path)
        data, shown, at = self._read(file)
        self._keep(file, data, at)
        if not is_table(file):
            return self._same(path, shown, _decoded(data, shown, at))
        text = _table(data, sheet, shown, at)
        if is_archive(data):
            self.sheets[path] = text.encode()
            shown = f"{shown}#{sheet}" if sheet else shown
            self.place(shown, path)
        return self._same(path, shown, text)

    def _same(self, path: str, shown: str, text: str) -> Source:
        """The source of a text, the same as before if the text is. Raises `DiagnosticError` if it is none."""
        found = self.sources.get(path) or self.known.get(path)
        if found is None or found.text != text:
            found = Source(shown, _checked(text, shown))
        self.sources[path] = found
        return found

    def look(self, path: str) -> Source:
        """A text that only says how the game looks, or what it is about. Raises as `source` does."""
        data, shown, at = self._read(path)
        self.looks[path] = data
        return self._same(path, shown, _decoded(data, shown, at))

    def picture(self, path: str) -> bytes:
        """A picture. Raises `DiagnosticError` if it is missing or too large."""
        self.looks[path] = self._read(path)[0]
        return self.looks[path]

    def _read(self, path: str) -> tuple[bytes, str, Span]:
        """The bytes of a file, its name in messages, and its place. Raises `DiagnosticError`."""
        shown = f"{self.name}/{path}"
        at = Span(Source(shown, ""), 0, 0)
        if not _inside(path):
            raise DiagnosticError(
                CannotRead(at, path, "it lies outside the ruleset's folder", "move the file into it")
            )
        data = self._bytes(path, shown, at)
        if len(data) > LARGEST_FILE:
            raise DiagnosticError(TooLarge(at, shown, len(data), LARGEST_FILE))
        self.place(shown, path)
        return data, shown, at

    def place(self, shown: str, path: str) -> None:
        """Notes the layer of a file by its name in messages: what it names lies in the same layer."""
        self._layers[shown] = BASE * _depth(path)

    def _bytes(self, path: str, shown: str, at: Span) -> bytes:
        try:
            return self.fetch(path)
        except (OSError, ValueError) as error:
            raise DiagnosticError(_refusal(error, path, shown, at)) from None

    def _keep(self, path: str, data: bytes, at: Span) -> None:
        """Keep the bytes of a file. Raises `DiagnosticError` if the ruleset is too large in total."""
        self.size += len(data) - len(self.files.get(path, b""))
        self.files[path] = data
        if len(self.files) > MOST_FILES:
            raise DiagnosticError(TooMuch(at, self.name, MOST_FILES, "files"))
        if self.size > MOST_BYTES:
            raise DiagnosticError(TooMuch(at, self.name, MOST_BYTES, "bytes"))

    def digest(self) -> str:
        """The content hash of all files that were read, independent of the path of the folder.

        The lines of `game.yaml` that name the look and what the game is about do not count, so a game can be
        given them at any time. Of a workbook the sheets count that are read, and not what else was saved with
        them.
        """
        total = hashlib.sha256()
        books = {table_path(path)[0] for path in self.sheets}
        texts = {path: data for path, data in self.files.items() if path not in books} | self.sheets
        for path in sorted(texts.keys() - self.translations):
            data = texts[path].replace(b"\r\n", b"\n")
            part = hashlib.sha256(
                LOOK.sub(b"", data) if path.rpartition("/")[2] == "game.yaml" else data
            ).hexdigest()
            total.update(f"{path}\0{part}\n".encode())
        return total.hexdigest()


def overlaid(game: bytes) -> str | None:
    """The game that an overlay changes, from the bytes of its `game.yaml`; none if it is not an overlay."""
    found = OVERLAY.search(game)
    return found[1].decode() if found else None


def _refusal(error: OSError | ValueError, path: str, shown: str, at: Span) -> Diagnostic:
    """Why a file could not be fetched."""
    match error:
        case Outside():
            return LeadsOutside(at, shown)
        case NotRegular():
            return NotAFile(at, shown, error.strerror or "something else")
    hint = "name a folder with a `game.yaml`" if path == "game.yaml" else "check its name"
    why = (getattr(error, "strerror", None) or "it does not exist").lower()
    return CannotRead(at, shown, why, hint)


def fetch_of(files: Mapping[str, bytes]) -> Callable[[str], bytes]:
    """A `fetch` of files by their paths."""

    def fetch(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(2, "No such file or directory")
        return files[path]

    return fetch


NO_FILES = Folder("", fetch_of({}))
"""For texts that name no files."""


def _depth(path: str) -> int:
    """How many layers below the top a file lies."""
    return next(n for n, part in enumerate(path.split("/")) if f"{part}/" != BASE)


def _inside(path: str) -> bool:
    """Whether a path consists of plain names, so that it cannot lead out of the folder."""
    parts = path.split("/")
    plain = path.isprintable() and not set(path) & set('\\:*?"<>|')
    return plain and all(part.strip() not in ("", ".", "..") for part in parts)


def decoded(shown: str, data: bytes) -> Source:
    """Bytes as a source. Raises `DiagnosticError` if they are not text.

    A form feed, which PDF converters put before each page, counts as a blank.
    """
    text = _decoded(data.replace(b"\f", b" "), shown, Span(Source(shown, ""), 0, 0))
    return Source(shown, _checked(text, shown))


def _decoded(data: bytes, shown: str, at: Span) -> str:
    """Bytes as text with its line ends. Raises `DiagnosticError` if they are not text."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DiagnosticError(NotText(at, shown, error.start)) from None
    if "\0" in text:
        raise DiagnosticError(NotText(at, shown, data.index(0), "has a zero byte, which text has not"))
    return text.replace("\r\n", "\n")


def _table(data: bytes, sheet: str, shown: str, at: Span) -> str:
    """A table, in any usual encoding or in a workbook, as text. Raises `DiagnosticError`."""
    if is_archive(data):
        return sheet_text(data, sheet, shown)
    try:
        text = text_of(data)
    except UnicodeDecodeError as error:
        raise DiagnosticError(NotText(at, shown, error.start)) from None
    if "\0" in text:
        raise DiagnosticError(NotText(at, shown, data.index(0), "has a zero byte, which text has not"))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _checked(text: str, shown: str) -> str:
    """A text. Raises `DiagnosticError` if it has a character that texts may not have."""
    offset = forbidden(text)
    if offset is not None:
        place = Span(Source(shown, text), offset, offset + 1)
        raise DiagnosticError(ForbiddenCharacter(place, named(text[offset])))
    return text
