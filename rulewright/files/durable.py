"""Durable writes: the only module that writes files, atomically and synchronised to disk.

A file is written under a temporary name in the same folder, synchronised and renamed; or it grows by
appends, each synchronised. If writing fails, the previous content is still there. A test of the architecture
checks that no other module writes files.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # not on every system; without it files are not locked
    fcntl = None

UNSYNCED = (errno.EINVAL, errno.ENOTSUP, errno.EROFS)
"""Errors of what cannot be synchronised: devices, pipes, folders of some file systems."""
NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)


class Busy(OSError):
    """Another process writes the file."""


class Changed(OSError):
    """Somebody else has moved, replaced or changed the file."""


# ---- complete files


def write(path: Path, data: bytes) -> None:
    """Writes a file atomically. Raises `OSError` or `ValueError`, and leaves the old content then.

    A symbolic link is followed. An existing file keeps its permissions. A terminal, device or pipe is written
    to directly.
    """
    target = _target(path)
    about = _stat_of(target)
    if about is None or stat.S_ISREG(about.st_mode):
        with _named(path):
            os.close(_put(target, data, about))
        return
    handle = _open_special(target)
    try:
        _write_all(handle, data)
        _sync(handle)
    finally:
        os.close(handle)


def check(path: Path) -> None:
    """Raises `OSError` or `ValueError` if `write` could not begin; the file is not touched.

    For what is written only after hours of work.
    """
    target = _target(path)
    about = _stat_of(target)
    if about is None or stat.S_ISREG(about.st_mode):
        handle, name = _temporary(os.path.dirname(target), b"", 0o600)
        os.close(handle)
        os.unlink(name)
    elif stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


def put(path: Path, data: bytes, mode: int) -> None:
    """Replaces a file, or a link of that name, by a new file with these permissions. Raises `OSError`."""
    os.close(_put(os.fspath(path), data, None, mode))


def create(path: Path, data: bytes, mode: int) -> bool:
    """Creates a file atomically. Returns False if it already exists. Raises `OSError`."""
    handle, name = _temporary(os.path.dirname(path), data, mode)
    os.close(handle)
    with _removed(name):
        return _linked(name, os.fspath(path))


def make_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Creates a folder with files atomically. Raises `OSError`; `FileExistsError` if it already exists."""
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    building = target.parent / _temporary_name()
    os.mkdir(building)
    try:
        for inner, data in files.items():
            _write_new(building / inner, data)
        for folder, _, _ in os.walk(building):
            _sync_folder(folder)
        os.rename(building, target)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    _sync_folder(os.fspath(target.parent))


def remove_folder(target: Path) -> None:
    """Removes a folder: it is gone as a whole, and then what was in it. Raises `OSError`."""
    going = target.parent / _temporary_name()
    os.rename(target, going)
    _sync_folder(os.fspath(target.parent))
    shutil.rmtree(going, ignore_errors=True)


def remove(target: Path) -> None:
    """Removes a file, if it is there. Raises `OSError`."""
    target.unlink(missing_ok=True)
    _sync_folder(os.fspath(target.parent))


def note_use(target: Path) -> None:
    """Notes that something is in use, by the time of its last change. Raises `OSError`."""
    os.utime(target)


def _write_new(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS, 0o666)
    try:
        _write_all(handle, data)
        _sync(handle)
    finally:
        os.close(handle)


def _put(target: str, data: bytes, about: os.stat_result | None, mode: int = 0o666, new: bool = False) -> int:
    """Writes and renames a file; returns its open handle. A `new` file replaces no existing one."""
    handle, name = _temporary(os.path.dirname(target), data, mode)
    try:
        with _removed(name):
            if about is not None:
                _copy_owner_and_mode(handle, about)
            lock(handle)
            if not new:
                os.replace(name, target)
            elif not _linked(name, target):
                raise Changed(errno.EEXIST, "another file has been created there", target)
        _sync_folder(os.path.dirname(target))
    except BaseException:
        os.close(handle)
        raise
    return handle


def _copy_owner_and_mode(handle: int, about: os.stat_result) -> None:
    """Copies permissions, and the owner if the system allows it."""
    if hasattr(os, "fchown"):
        own = os.fstat(handle)
        if (own.st_uid, own.st_gid) != (about.st_uid, about.st_gid):
            with contextlib.suppress(OSError):
                os.fchown(handle, about.st_uid, about.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(about.st_mode))


def _temporary(folder: str, data: bytes, mode: int) -> tuple[int, str]:
    """Writes a synchronised temporary file; returns its open handle and its name."""
    name = os.path.join(folder, _temporary_name())
    handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | FLAGS, mode)
    try:
        _write_all(handle, data)
        _sync(handle)
    except BaseException:
        os.close(handle)
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    return handle, name


def _temporary_name() -> str:
    return f".rulewright-{secrets.token_hex(8)}.new"


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """An `OSError` in its body names the file that was to be written, not a temporary one beside it."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def _removed(name: str) -> Iterator[None]:
    """Removes a temporary name afterwards."""
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)


def _linked(name: str, target: str) -> bool:
    """Gives a file a second name. Returns False if that name is taken."""
    try:
        os.link(name, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS or os.path.lexists(target):
            raise
        os.rename(name, target)
    return True


# ---- growing files


class GrowingFile:
    """A file that grows by appends, open and locked against other processes of this program.

    Every change is on disk when its method returns. If a method raises `OSError`, the file is unchanged, or,
    if undoing fails as well, it ends in a part of the appended data.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file if it exists. Raises `OSError`; `Busy` if another process writes it."""
        self.path = path
        self.target = _target(path)
        self.handle: int | None = None
        self.regular = True
        self.length = 0
        self.torn = False
        self._open()

    def _open(self) -> None:
        about = _stat_of(self.target)
        if about is None:
            return
        self.regular = stat.S_ISREG(about.st_mode)
        if not self.regular:
            self.handle = _open_special(self.target)
            return
        while self.handle is None:
            self.handle = self._opened()

    def _opened(self) -> int | None:
        """Opens and locks the file. Returns None if it was replaced in between."""
        handle = os.open(self.target, os.O_RDWR | FLAGS)
        try:
            lock(handle)
            if _is_at(handle, self.target):
                self.length = os.fstat(handle).st_size
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        return None

    def read(self, most: int) -> bytes:
        """The content, at most `most` bytes. Raises `OSError`."""
        if self.handle is None or not self.regular:
            return b""
        os.lseek(self.handle, 0, os.SEEK_SET)
        with open(self.handle, "rb", closefd=False) as file:
            return file.read(most)

    def replace(self, data: bytes) -> None:
        """Replaces the content atomically. Raises `OSError`."""
        if not self.regular:
            self.append(data)
            return
        self._check()
        about = os.fstat(self.handle) if self.handle is not None else None
        handle = _put(self.target, data, about, new=about is None)
        self.close()
        self.handle, self.length, self.torn = handle, len(data), False

    def append(self, data: bytes) -> None:
        """Appends data. Raises `OSError`, and appends nothing then."""
        if self.handle is None:
            self.replace(data)
            return
        self._check()
        self._cut(self.length, only=self.torn)
        if self.regular:
            os.lseek(self.handle, self.length, os.SEEK_SET)
        self.torn = True
        try:
            _write_all(self.handle, data)
            _sync(self.handle)
        except BaseException:
            with contextlib.suppress(OSError):
                self._cut(self.length)
            raise
        self.length, self.torn = self.length + len(data), False

    def truncate(self, length: int) -> None:
        """Truncates the file. Raises `OSError`."""
        self._check()
        self._cut(length)
        self.length = length

    def _cut(self, length: int, only: bool = True) -> None:
        if only and self.handle is not None and self.regular:
            os.ftruncate(self.handle, length)
            _sync(self.handle)
            self.torn = False

    def _check(self) -> None:
        """Raises `Changed` if the file has been replaced, or has another length."""
        if self.handle is None or not self.regular:
            return
        if not _is_at(self.handle, self.target):
            raise Changed(errno.ESTALE, "it has been moved, deleted or replaced", str(self.path))
        size = os.fstat(self.handle).st_size
        if size < self.length or (size > self.length and not self.torn):
            raise Changed(errno.ESTALE, "somebody else has changed it", str(self.path))

    def remove(self) -> None:
        """Removes the file, which stays locked until it is closed. What cannot be removed stays."""
        with contextlib.suppress(OSError):
            if self.handle is not None and self.regular and _is_at(self.handle, self.target):
                os.unlink(self.target)

    def close(self) -> None:
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


def lock(handle: int) -> None:
    """Locks a file until its handle is closed. Raises `Busy` if another process has locked it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Busy(errno.EBUSY, "another process is writing it") from None
    except OSError:  # a file system without locks
        return


def _is_at(handle: int, target: str) -> bool:
    """Whether an open file is still the one of that name."""
    about, own = _stat_of(target), os.fstat(handle)
    return about is not None and os.path.samestat(about, own)


# ---- the system


def _target(path: Path) -> str:
    """The real path. Raises `OSError` for a cycle of links."""
    target = os.path.realpath(path)
    if os.path.islink(target):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def _stat_of(target: str) -> os.stat_result | None:
    try:
        return os.stat(target)
    except FileNotFoundError:
        return None


def _open_special(target: str) -> int:
    """Opens a terminal, device or pipe for writing. Raises `OSError` for a pipe without a reader."""
    handle = os.open(target, os.O_WRONLY | NONBLOCK | FLAGS)
    if hasattr(os, "set_blocking"):
        os.set_blocking(handle, True)
    return handle


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _sync(handle: int) -> None:
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in UNSYNCED:
            raise


def _sync_folder(folder: str) -> None:
    """Synchronises a folder, so that the names of new files are on disk too."""
    if os.name != "posix":
        return
    handle = os.open(folder or ".", os.O_RDONLY | FLAGS)
    try:
        _sync(handle)
    finally:
        os.close(handle)
