"""Reading untrusted files: regular files only, with a size limit, without blocking.

A folder from somebody else may contain a link to a private file, a named pipe without a writer, an endless
device, or a hundred thousand files. All files are read through this module.
"""

from __future__ import annotations

import errno
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
"""The depth to which folders are searched."""


# ---- files named by the user


def read_bytes(path: str, most: int) -> bytes:
    """A file named on the command line, or standard input for `-`; links and pipes are followed.

    Raises `DiagnosticError` if it cannot be read or has more than `most` bytes.
    """
    return _read_all(path, most, _standard_input if path == "-" else partial(named_file, path, pipes=True))


def read_source(path: str, most: int) -> Source:
    """A text file named on the command line, or standard input for `-`.

    Raises `DiagnosticError` if it cannot be read, has more than `most` bytes or is not UTF-8.
    """
    return decoded("standard input" if path == "-" else path, read_bytes(path, most))


def read_found(path: Path, most: int) -> bytes:
    """A file found in a folder; links are not followed. Raises `DiagnosticError` as `read_bytes` does."""
    return _read_all(str(path), most, partial(plain_file, path))


def _read_all(path: str, most: int, read: Callable[[int], bytes]) -> bytes:
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
    """The reason of an error, as the end of a sentence."""
    reason = (error.strerror if isinstance(error, OSError) else str(error)) or "it does not exist"
    return reason[0].lower() + reason[1:]


def named_file(path: str | Path, most: int, pipes: bool = False) -> bytes:
    """At most `most` bytes of a file named on the command line. Links are followed.

    With `pipes`, a pipe is read as well, such as the shell's `<(command)`. Raises `OSError`.
    """
    _check_kind(os.stat(path).st_mode, pipes)
    handle = _checked(os.open(path, NEVER_WAIT), pipes)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.set_blocking(handle, True)
    return _read_and_close(handle, most)


def _standard_input(most: int) -> bytes:
    """At most `most` bytes of standard input. Raises `OSError` if it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer.read(most)


# ---- files of a folder


def inner_file(folder: Path, inner: str, most: int) -> bytes:
    """At most `most` bytes of a file within a folder.

    Links are followed within the folder. Raises `Outside`, `NotRegular`, or another `OSError`.
    """
    root = os.path.realpath(folder)
    real = os.path.realpath(os.path.join(root, inner))
    if not _within(root, real):
        raise Outside(1, "it is outside the folder")
    handle = _open_plainly(real)
    if os.path.realpath(real) != real or not os.path.samestat(os.fstat(handle), os.lstat(real)):
        os.close(handle)
        raise Outside(1, "it was replaced while it was opened")
    return _read_and_close(handle, most)


def plain_file(path: str | Path, most: int) -> bytes:
    """At most `most` bytes of a regular file; links are not followed. Raises `OSError`."""
    return _read_and_close(_open_plainly(path), most)


def _open_plainly(path: str | Path) -> int:
    """Opens a regular file that is not a link. Raises `OSError`."""
    _check_kind(os.lstat(path).st_mode)
    return _checked(os.open(path, NEVER_WAIT | NO_LINK))


def _checked(handle: int, pipes: bool = False) -> int:
    """Checks the kind of an open file, and closes it if it must not be read. Raises `OSError`."""
    try:
        _check_kind(os.fstat(handle).st_mode, pipes)
    except OSError:
        os.close(handle)
        raise
    return handle


def inner_names(folder: Path, inner: str, ending: str, most: int) -> list[str]:
    """The sorted names with an ending in an inner folder; empty if it does not exist.

    Raises `Outside` if it leads out of the folder, `TooMany` if it has more than `most` entries.
    """
    root = os.path.realpath(folder)
    real = os.path.realpath(os.path.join(root, inner))
    if not _within(root, real):
        raise Outside(1, "it is outside the folder")
    if not os.path.isdir(real):
        return []
    return sorted(entry.name for entry in _entries(real, most) if entry.name.endswith(ending))


def files_below(folder: Path, most: int) -> Iterator[Path]:
    """All regular files below a folder; links are not followed. Raises `OSError`, `TooMany`."""
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
    """A folder has too many entries."""


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
    """Raises `OSError` for anything but a regular file (or with `pipes`, a pipe)."""
    if stat.S_ISREG(mode) or (pipes and stat.S_ISFIFO(mode)):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "Is a directory")
    raise NotRegular(1, next((name for test, name in KINDS if test(mode)), "something else"))


def _within(root: str, real: str) -> bool:
    return Path(real).is_relative_to(root)


def _read_and_close(handle: int, most: int) -> bytes:
    """Reads at most `most` bytes, in chunks so as not to allocate more than there is, and closes the file."""
    parts, left = [], most
    with os.fdopen(handle, "rb", 0) as file:
        while left > 0 and (part := file.read(min(left, CHUNK))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)
