"""A disk that becomes full: what was found is kept elsewhere, and files are named as they were asked for."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

import pytest

from dsl.diagnostics import DiagnosticError
from rulewright.files import durable
from rulewright.files.rescue import not_written
from rulewright.matches.log_file import save_log
from rulewright.messages import CannotWrite, KeptElsewhere
from rulewright.terminal import streams
from rulewright.terminal.parameters import write_text
from rulewright.terminal.streams import KeptOutput

ROOT = Path(__file__).parents[2]
NO_ROOM = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Full:
    """A stream that takes so many characters."""

    def __init__(self, room: int) -> None:
        self.room, self.taken = room, ""

    def write(self, text: str) -> int:
        if len(self.taken) + len(text) > self.room:
            raise NO_ROOM
        self.taken += text
        return len(text)

    def flush(self) -> None:
        pass


def no_room(*_: object, **__: object) -> int:
    raise NO_ROOM


@pytest.fixture
def kept_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_all_that_was_printed_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "discard_output", lambda: None)
    output = KeptOutput(cast("streams.TextIO", Full(5)))
    for word in ("abc", "def", "gh"):
        assert output.write(word) == len(word)
    output.flush()
    assert output.text == "abcdefgh"
    assert output.failure is NO_ROOM


def test_a_very_long_output_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_KEPT", 4)
    output = KeptOutput(cast("streams.TextIO", Full(6)))
    output.write("abc")
    output.write("def")
    assert output.text == ""
    with pytest.raises(OSError, match="No space left"):
        output.write("g")


def test_what_has_failed_is_raised_when_it_is_too_much_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "discard_output", lambda: None)
    monkeypatch.setattr(streams, "MOST_KEPT", 4)
    output = KeptOutput(cast("streams.TextIO", Full(2)))
    output.write("abcd")
    assert output.failure is NO_ROOM
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        output.write("e")
    assert output.failure is None, "an empty text is not kept elsewhere"


def test_a_reader_that_has_gone_is_told_at_once() -> None:
    class Gone(Full):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        KeptOutput(cast("streams.TextIO", Gone(0))).write("a")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_only_files_and_devices_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full, streams.escaped_output():
        sys.stdout = cast("streams.TextIO", streams.EscapingStream(full))
        with streams.kept_output() as kept:
            assert kept is not None
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as pipe, os.fdopen(reader), streams.escaped_output():
        sys.stdout = cast("streams.TextIO", streams.EscapingStream(pipe))
        with streams.kept_output() as kept:
            assert kept is None


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize(("words", "code"), [("list nonsense", 2), ("list pig", 1)])
def test_messages_that_cannot_be_written_change_nothing(words: str, code: int, tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rulewright", *words.split()],
            stdout=full,
            stderr=full,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
            check=False,
        )
    assert done.returncode == code
    assert [path.name for path in tmp_path.glob("rulewright-*/*")] == (["list.txt"] if code == 1 else [])


def test_no_output_is_without_a_buffer(tmp_path: Path) -> None:
    """Without one, a text of which only a part was written would be taken for written."""
    with open(tmp_path / "out.txt", "wb", buffering=0) as raw:
        bare = io.TextIOWrapper(cast("io.BufferedWriter", raw), "utf-8", write_through=True)
        found = streams._buffered(bare)
        assert isinstance(cast("io.TextIOWrapper", found).buffer, io.BufferedWriter)
        found.write("§1\n")
        found.flush()
        assert (tmp_path / "out.txt").read_text("utf-8") == "§1\n"
        assert streams._buffered(found) is found


def test_a_page_and_a_log_are_kept_elsewhere(monkeypatch: pytest.MonkeyPatch, kept_in: Path) -> None:
    place = kept_in / "place"
    place.mkdir()
    monkeypatch.setattr(durable, "_put", no_room)
    with pytest.raises(DiagnosticError) as page:
        write_text(str(place / "page.html"), "a page")
    with pytest.raises(DiagnosticError) as log:
        save_log(place / "match.log", "a log")
    for error, name, text in ((page, "page.html", "a page"), (log, "match.log", "a log")):
        kept = error.value.diagnostic
        assert isinstance(kept, KeptElsewhere)
        assert (Path(kept.folder) / name).read_text("utf-8") == text
    assert not list(place.iterdir())


def test_what_cannot_be_written_for_another_reason_is_not_kept(kept_in: Path) -> None:
    denied = not_written("page.html", b"", PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    assert isinstance(denied, CannotWrite)
    assert not list(kept_in.iterdir())


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "policy.onnx"
    with pytest.raises(FileNotFoundError) as caught:
        durable.write(missing, b"x")
    assert caught.value.filename == str(missing)
    assert ".rulewright-" not in str(caught.value)
