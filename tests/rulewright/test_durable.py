"""Files are written whole or not at all; what was there before stays if that fails."""

from __future__ import annotations

import errno
import os
import resource
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulewright.files import durable
from rulewright.files.durable import Busy, Changed, GrowingFile

CALLS = ("open", "write", "fsync", "replace", "fchmod")


class Failing:
    """The module `os`, in which one call fails; a write has written half by then."""

    def __init__(self, name: str, error: int = errno.EIO) -> None:
        self.name, self.error = name, error

    def __getattr__(self, name: str) -> Any:
        return self._fail if name == self.name else getattr(os, name)

    def _fail(self, *words: Any) -> None:
        if self.name == "write":
            os.write(words[0], bytes(words[1])[: len(words[1]) // 2])
        raise OSError(self.error, os.strerror(self.error))


@contextmanager
def limit(size: int) -> Iterator[None]:
    """No file of this process grows beyond a size; no half a module is kept of those imported meanwhile."""
    before, kept = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = kept


# ---- whole files


@pytest.mark.parametrize("call", CALLS)
def test_what_was_there_stays_if_writing_fails(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"precious")
    monkeypatch.setattr(durable, "os", Failing(call))
    with pytest.raises(OSError, match="rror"):
        durable.write(file, b"new" * 100)
    assert file.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [file]


def test_what_was_there_stays_at_a_size_limit(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"precious")
    with limit(1000), pytest.raises(OSError, match="large"):
        durable.write(file, b"new" * 1000)
    assert file.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [file]


def test_permissions_stay_and_new_files_have_the_usual_ones(tmp_path: Path) -> None:
    file, new, usual = tmp_path / "x", tmp_path / "new", tmp_path / "usual"
    file.write_bytes(b"old")
    file.chmod(0o640)
    durable.write(file, b"new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    durable.write(new, b"")
    usual.write_bytes(b"")
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link, target = tmp_path / "link", tmp_path / "folder" / "x"
    link.symlink_to(target)
    for text in (b"first", b"second"):  # it leads nowhere before the first
        durable.write(link, text)
        assert link.is_symlink()
        assert target.read_bytes() == text


def test_links_that_go_round_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="links"):
        durable.write(tmp_path / "a", b"x")
    assert (tmp_path / "a").is_symlink()


def test_our_own_files_replace_links(tmp_path: Path) -> None:
    """Where names may have been planted, as among compiled modules."""
    target = tmp_path / "target"
    target.write_bytes(b"precious")
    (tmp_path / "link").symlink_to(target)
    durable.put(tmp_path / "link", b"own", 0o600)
    assert target.read_bytes() == b"precious"
    assert stat.S_IMODE((tmp_path / "link").lstat().st_mode) == 0o600


def test_devices_and_pipes_are_written_to_and_stay(tmp_path: Path) -> None:
    durable.write(Path(os.devnull), b"x")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    with pytest.raises(OSError, match="space"):
        durable.write(Path("/dev/full"), b"x")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="device"):  # nobody reads: it does not hang
        durable.write(tmp_path / "pipe", b"x")


def test_the_first_one_who_creates_a_file_counts(tmp_path: Path) -> None:
    assert durable.create(tmp_path / "x", b"first", 0o600)
    assert not durable.create(tmp_path / "x", b"second", 0o600)
    assert (tmp_path / "x").read_bytes() == b"first"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a": b"1", "b/c": b"2"}
    monkeypatch.setattr(durable, "os", Failing("fsync"))
    with pytest.raises(OSError, match="rror"):
        durable.make_folder(tmp_path / "new", files)
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    durable.make_folder(tmp_path / "new", files)
    assert (tmp_path / "new" / "b" / "c").read_bytes() == b"2"
    with pytest.raises(FileExistsError):
        durable.make_folder(tmp_path / "new", files)


# ---- files that grow


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_failed_append_leaves_what_was_there(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = GrowingFile(tmp_path / "x")
    file.append(b"first\n")
    monkeypatch.setattr(durable, "os", Failing(call))
    with pytest.raises(OSError, match="rror"):
        file.append(b"second\n")
    monkeypatch.undo()
    assert (tmp_path / "x").read_bytes().startswith(b"first\n")
    file.append(b"third\n")
    assert (tmp_path / "x").read_bytes() == b"first\nthird\n"


def test_an_append_at_a_size_limit_leaves_what_was_there(tmp_path: Path) -> None:
    file = GrowingFile(tmp_path / "x")
    file.append(b"first\n")
    with limit(10), pytest.raises(OSError, match="large"):
        file.append(b"second\n")
    assert (tmp_path / "x").read_bytes() == b"first\n"


def test_two_at_once_are_kept_apart(tmp_path: Path) -> None:
    first = GrowingFile(tmp_path / "x")
    first.append(b"first\n")
    with pytest.raises(Busy):
        GrowingFile(tmp_path / "x")
    first.replace(b"anew\n")
    with pytest.raises(Busy):
        GrowingFile(tmp_path / "x")
    first.close()
    assert GrowingFile(tmp_path / "x").length == 5


def test_two_that_begin_at_once_do_not_replace_each_other(tmp_path: Path) -> None:
    first, second = GrowingFile(tmp_path / "x"), GrowingFile(tmp_path / "x")
    first.append(b"first\n")
    with pytest.raises(Changed):
        second.append(b"second\n")
    assert (tmp_path / "x").read_bytes() == b"first\n"


@pytest.mark.parametrize("how", ["deleted", "replaced", "longer", "shorter"])
def test_a_file_that_somebody_else_changed_is_noticed(how: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    file = GrowingFile(path)
    file.append(b"first\n")
    match how:
        case "deleted":
            path.unlink()
        case "replaced":
            path.unlink()
            path.write_bytes(b"first\n")
        case "longer":
            path.write_bytes(b"first\nmore\n")
        case _:
            path.write_bytes(b"fi")
    with pytest.raises(Changed):
        file.append(b"second\n")


def test_a_check_touches_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    durable.check(file)
    assert not list(tmp_path.iterdir())
    file.write_bytes(b"old")
    durable.check(file)
    assert [file] == list(tmp_path.iterdir())
    assert file.read_bytes() == b"old"
    for path in (tmp_path, tmp_path / "missing" / "file"):
        with pytest.raises((IsADirectoryError, FileNotFoundError)):
            durable.check(path)
