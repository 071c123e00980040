"""The one place that writes files: whole or not at all, and on the disk before a call returns.

A file is written beside the one that it replaces, synchronised, and put in its place by one rename; or
it grows by appends, each synchronised. If writing fails, what was there before is still there. Other
modules of the packages write no files; a test of the architecture sees to it.
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
except ImportError:  # not on every system: there, nobody is kept out
    fcntl = None

UNSYNCED = (errno.EINVAL, errno.ENOTSUP, errno.EROFS)
"""What the system says of what cannot be synchronised: devices, pipes, folders of some file systems."""
NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)


class Busy(OSError):
    """Another process writes the file."""


class Changed(OSError):
    """The file is not as it was left: somebody else has moved, replaced or changed it."""


# ---- whole files


def write(path: Path, data: bytes) -> None:
    """All of a file or nothing. Raises `OSError` or `ValueError`; what was there is still there then.

    A symbolic link stays, and what it names is written. A file that is there keeps its permissions. What
    is no regular file, as a terminal or a pipe, is written to directly.
    """
    target = _target(path)
    about = _about(target)
    if about is None or stat.S_ISREG(about.st_mode):
        os.close(_put(target, data, about))
        return
    handle = _open_special(target)
    try:
        _write_all(handle, data)
        _sync(handle)
    finally:
        os.close(handle)


def put(path: Path, data: bytes, mode: int) -> None:
    """A file of our own in the place of whatever has its name, be it a link or of other permissions.

    Raises `OSError`.
    """
    os.close(_put(os.fspath(path), data, None, mode))


def create(path: Path, data: bytes, mode: int) -> bool:
    """A new file, whole. False, and nothing is done, if there is one already. Raises `OSError`."""
    handle, name = _temporary(os.path.dirname(path), data, mode)
    os.close(handle)
    with _removed(name):
        return _linked(name, os.fspath(path))


def make_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """A new folder with all its files, or nothing. Raises `OSError`; `FileExistsError` if one is there."""
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    building = target.parent / _fresh_name()
    os.mkdir(building)
    try:
        for inner, data in files.items():
            _fill(building / inner, data)
        for folder, _, _ in os.walk(building):
            _sync_folder(folder)
        os.rename(building, target)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    _sync_folder(os.fspath(target.parent))


def _fill(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FLAGS, 0o666)
    try:
        _write_all(handle, data)
        _sync(handle)
    finally:
        os.close(handle)


def _put(target: str, data: bytes, about: os.stat_result | None, mode: int = 0o666, new: bool = False) -> int:
    """A file under its name, an open handle of it. If it is to be `new`, nobody else's is replaced."""
    handle, name = _temporary(os.path.dirname(target), data, mode)
    try:
        with _removed(name):
            if about is not None:
                _make_alike(handle, about)
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


def _make_alike(handle: int, about: os.stat_result) -> None:
    """Owner and permissions of the file that is replaced; of the owner what the system allows."""
    if hasattr(os, "fchown"):
        own = os.fstat(handle)
        if (own.st_uid, own.st_gid) != (about.st_uid, about.st_gid):
            with contextlib.suppress(OSError):
                os.fchown(handle, about.st_uid, about.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(about.st_mode))


def _temporary(folder: str, data: bytes, mode: int) -> tuple[int, str]:
    """A file with this content and a name of its own, synchronised and open."""
    name = os.path.join(folder, _fresh_name())
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


def _fresh_name() -> str:
    return f".rulewright-{secrets.token_hex(8)}.new"


@contextlib.contextmanager
def _removed(name: str) -> Iterator[None]:
    """Afterwards there is nothing under a temporary name."""
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)


def _linked(name: str, target: str) -> bool:
    """Gives a file a second name. False if that name is taken."""
    try:
        os.link(name, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS or os.path.lexists(target):
            raise
        os.rename(name, target)
    return True


# ---- files that grow


class Growing:
    """A file that grows by appends, open and locked: no other process of ours writes it meanwhile.

    Every change is on the disk when its method returns. If a method raises `OSError`, the file is as it
    was before, or, where the system fails in the middle of that as well, it ends in a part of what was
    to be appended.
    """

    def __init__(self, path: Path) -> None:
        """Opens what is there, if something is. Raises `OSError`, `Busy` if another process writes it."""
        self.path = path
        self.target = _target(path)
        self.handle: int | None = None
        self.regular = True
        self.length = 0
        self.torn = False
        self._open()

    def _open(self) -> None:
        about = _about(self.target)
        if about is None:
            return
        self.regular = stat.S_ISREG(about.st_mode)
        if not self.regular:
            self.handle = _open_special(self.target)
            return
        while self.handle is None:
            self.handle = self._opened()

    def _opened(self) -> int | None:
        """The file that has the name when it is locked; nothing if it was replaced before that."""
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

    @property
    def there(self) -> bool:
        return self.handle is not None

    def read(self, most: int) -> bytes:
        """What is in it, at most so many bytes. Raises `OSError`."""
        if self.handle is None or not self.regular:
            return b""
        os.lseek(self.handle, 0, os.SEEK_SET)
        with open(self.handle, "rb", closefd=False) as file:
            return file.read(most)

    def replace(self, data: bytes) -> None:
        """New content, all of it or nothing. Raises `OSError`."""
        if not self.regular:
            self.append(data)
            return
        self._check()
        about = os.fstat(self.handle) if self.handle is not None else None
        handle = _put(self.target, data, about, new=about is None)
        self.close()
        self.handle, self.length, self.torn = handle, len(data), False

    def append(self, data: bytes) -> None:
        """Raises `OSError`; nothing is appended then."""
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
        """Raises `OSError`."""
        self._check()
        self._cut(length)
        self.length = length

    def _cut(self, length: int, only: bool = True) -> None:
        if only and self.handle is not None and self.regular:
            os.ftruncate(self.handle, length)
            _sync(self.handle)
            self.torn = False

    def _check(self) -> None:
        """Raises `Changed` if the file is not the one that was left, or not as long."""
        if self.handle is None or not self.regular:
            return
        if not _is_at(self.handle, self.target):
            raise Changed(errno.ESTALE, "it has been moved, deleted or replaced", str(self.path))
        size = os.fstat(self.handle).st_size
        if size < self.length or (size > self.length and not self.torn):
            raise Changed(errno.ESTALE, "somebody else has changed it", str(self.path))

    def close(self) -> None:
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


def lock(handle: int) -> None:
    """Keeps other processes out as long as the handle is open. Raises `Busy` if one is in already."""
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
    about, own = _about(target), os.fstat(handle)
    return about is not None and os.path.samestat(about, own)


# ---- the system


def _target(path: Path) -> str:
    """Where a path leads in the end. Raises `OSError` for links that go round."""
    target = os.path.realpath(path)
    if os.path.islink(target):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def _about(target: str) -> os.stat_result | None:
    try:
        return os.stat(target)
    except FileNotFoundError:
        return None


def _open_special(target: str) -> int:
    """A terminal, device or pipe, opened to be written. A pipe that nobody reads is refused."""
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
    """So that the name of a new file is on the disk too."""
    if os.name != "posix":
        return
    handle = os.open(folder or ".", os.O_RDONLY | FLAGS)
    try:
        _sync(handle)
    finally:
        os.close(handle)
