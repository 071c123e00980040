"""Reading files that nobody vouches for: regular ones only, never more than was asked for, never waiting.

What a folder from somebody else holds may be a link to a file of the reader's, a named pipe that nobody
writes to, a device without an end, or a hundred thousand files. Everything that is read from disk is read
through here.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from dsl.diagnostics import DiagnosticError
from dsl.folder import NotRegular, Outside, decoded
from dsl.messages.files import CannotRead, NotAFile, TooLarge
from dsl.source import NOWHERE, Source

NEVER_WAIT = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
CHUNK = 1 << 20
DEEPEST = 40
"""Folders within folders that are searched."""


# ---- files that a person has named


def read_bytes(path: str, most: int) -> bytes:
    """A file that was named on the command line, or with `-` standard input; links and pipes are followed.

    Raises `DiagnosticError` if it cannot be read or has more than `most` bytes.
    """
    return _whole(path, most, _standard_input if path == "-" else partial(named_file, path, pipes=True))


def read_text(path: str, most: int) -> Source:
    """A text file that was named on the command line, or with `-` standard input.

    Raises `DiagnosticError` if it cannot be read, has more than `most` bytes or is not UTF-8.
    """
    return decoded("standard input" if path == "-" else path, read_bytes(path, most))


def read_found(path: Path, most: int) -> bytes:
    """A file that was found in a folder; no link is followed.

    Raises `DiagnosticError` as `read_bytes` does.
    """
    return _whole(str(path), most, partial(plain_file, path))


def _whole(path: str, most: int, read: Callable[[int], bytes]) -> bytes:
    try:
        data = read(most + 1)
    except NotRegular as error:
        raise DiagnosticError(NotAFile(NOWHERE, path, error.strerror or "something else")) from None
    except (OSError, ValueError) as error:
        raise DiagnosticError(CannotRead(NOWHERE, path, why_not(error), "check its name")) from None
    if len(data) > most:
        raise DiagnosticError(TooLarge(NOWHERE, path, len(data), most))
    return data


def why_not(error: OSError | ValueError) -> str:
    """The system's reason, as the end of a sentence."""
    reason = (error.strerror if isinstance(error, OSError) else str(error)) or "it does not exist"
    return reason[0].lower() + reason[1:]


def named_file(path: str | Path, most: int, pipes: bool = False) -> bytes:
    """At most `most` bytes of a file that was named on the command line. Links are followed.

    `pipes`: a pipe is read as well, as a shell makes one for `<(command)`. Raises `OSError`.
    """
    _check_kind(os.stat(path).st_mode, pipes)
    handle = _checked(os.open(path, NEVER_WAIT), pipes)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.set_blocking(handle, True)
    return _drained(handle, most)


def _standard_input(most: int) -> bytes:
    """At most `most` bytes of standard input."""
    return sys.stdin.buffer.read(most)


# ---- files of a folder


def inner_file(folder: Path, inner: str, most: int) -> bytes:
    """At most `most` bytes of a file within a folder.

    Links are followed as long as they stay in the folder. Raises `Outside`, `Special`, or another `OSError`.
    """
    root = os.path.realpath(folder)
    real = os.path.realpath(os.path.join(root, inner))
    if not _within(root, real):
        raise Outside(1, "it is outside the folder")
    handle = _open_plainly(real)
    if os.path.realpath(real) != real or not os.path.samestat(os.fstat(handle), os.lstat(real)):
        os.close(handle)
        raise Outside(1, "it was replaced while it was opened")
    return _drained(handle, most)


def plain_file(path: str | Path, most: int) -> bytes:
    """At most `most` bytes of a file that is no link. Raises `OSError`."""
    return _drained(_open_plainly(path), most)


def _open_plainly(path: str | Path) -> int:
    """A regular file that is no link, opened. Raises `OSError`."""
    _check_kind(os.lstat(path).st_mode)
    return _checked(os.open(path, NEVER_WAIT | NO_LINK))


def _checked(handle: int, pipes: bool = False) -> int:
    """What was opened, if it may be read; else it is closed again. Raises `OSError`."""
    try:
        _check_kind(os.fstat(handle).st_mode, pipes)
    except OSError:
        os.close(handle)
        raise
    return handle


def inner_names(folder: Path, inner: str, ending: str, most: int) -> list[str]:
    """The names in a folder within a folder that end so, sorted; none if it is not there.

    Raises `Outside` if it lies elsewhere, `TooMany` if it has more than `most` entries.
    """
    root = os.path.realpath(folder)
    real = os.path.realpath(os.path.join(root, inner))
    if not _within(root, real):
        raise Outside(1, "it is outside the folder")
    if not os.path.isdir(real):
        return []
    return sorted(entry.name for entry in _entries(real, most) if entry.name.endswith(ending))


def files_below(folder: Path, most: int) -> Iterator[Path]:
    """Every regular file in a folder and below it; no link is followed. Raises `OSError`, `TooMany`."""
    left, seen = [(str(folder), 0)], 0
    while left:
        place, depth = left.pop()
        for entry in _entries(place, most - seen):
            seen += 1
            if entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
            elif entry.is_dir(follow_symlinks=False) and depth < DEEPEST:
                left.append((entry.path, depth + 1))


class TooMany(OSError):
    """A folder has more entries than are looked at."""


def _entries(folder: str, most: int) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        for number, entry in enumerate(found):
            if number >= most:
                raise TooMany(27, "it has too many entries", folder)
            yield entry


# ---- kinds

KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a symbolic link"),
)


def _check_kind(mode: int, pipes: bool = False) -> None:
    """Raises `OSError` for what is no regular file."""
    if stat.S_ISREG(mode) or (pipes and stat.S_ISFIFO(mode)):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "Is a directory")
    raise NotRegular(1, next((name for test, name in KINDS if test(mode)), "something else"))


def _within(root: str, real: str) -> bool:
    return Path(real).is_relative_to(root)


def _drained(handle: int, most: int) -> bytes:
    """At most `most` bytes; what is opened is closed. No more memory is taken than there is to read."""
    parts, left = [], most
    with os.fdopen(handle, "rb", 0) as file:
        while left > 0 and (part := file.read(min(left, CHUNK))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)
