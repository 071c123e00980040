"""Standard output and error with control characters escaped.

Input with control characters is already refused; this is a second barrier for everything that is printed.
Only the colours of this program pass.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import RawIOBase, TextIOWrapper
from typing import Any, TextIO, cast

from dsl.characters import visible

MOST_KEPT = 1 << 26
"""The most characters of an output that are kept."""
STYLE = re.compile(r"(\x1b\[(?:[01]|3[0-7]|9[0-7])m)")
"""The escape sequences of `click.style`: bold, colours, reset."""


class EscapingStream:
    """A stream that escapes control characters, and delegates everything else to the original stream.

    Rich writes to the original stream, which it finds as `rich_proxied_file`; its output has been escaped
    before (`rulewright.tui.screen`).
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        parts = STYLE.split(text)
        self.rich_proxied_file.write(
            "".join(part if i % 2 else visible(part) for i, part in enumerate(parts))
        )
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.rich_proxied_file, name)


class ErrorOutput:
    """The error stream: what cannot be written to it is lost, as there is nowhere else to say so."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self._try(lambda: self.stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._try(self.stream.flush)

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError:
            discard_output(self.stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class KeptOutput:
    """An output that is a file or a device: what is printed is kept as well, for a disk that becomes full.

    From the first write that fails on nothing is written any more, and nobody who prints is told: `failure`
    says why, `text` is all that was printed. More than `MOST_KEPT` characters are not kept; then what fails,
    or has failed before, raises `OSError`, as it does without this class.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.parts: list[str] = []
        self.size = 0
        self.failure: OSError | None = None

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def write(self, text: str) -> int:
        self.size += len(text)
        if self.size > MOST_KEPT:
            self._keep_no_more()
        else:
            self.parts.append(text)
        self._try(lambda: self.stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._try(self.stream.flush)

    def _keep_no_more(self) -> None:
        self.parts.clear()
        error, self.failure = self.failure, None
        if error is not None:
            raise error

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except BrokenPipeError:
            raise
        except OSError as error:
            if self.size > MOST_KEPT:
                raise
            self.failure = self.failure or error
            discard_output()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def kept_output() -> Iterator[KeptOutput | None]:
    """Keeps what is printed within its body, if the output is a file or a device but no terminal."""
    escaping = sys.stdout
    stream = getattr(escaping, "rich_proxied_file", None)
    if stream is None or not _can_be_full(stream):
        yield None
        return
    kept = KeptOutput(stream)
    sys.stdout = cast(TextIO, EscapingStream(cast(TextIO, kept)))
    try:
        yield kept
    finally:
        sys.stdout = escaping


def _can_be_full(stream: TextIO) -> bool:
    try:
        mode = os.fstat(stream.fileno()).st_mode
        return stat.S_ISREG(mode) or (stat.S_ISCHR(mode) and not stream.isatty())
    except (OSError, ValueError):  # no file of the system
        return False


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escapes standard output and error within its body; what is closed is the null device there."""
    before = sys.stdout, sys.stderr
    with ExitStack() as opened:

        def readable(stream: TextIO | None) -> TextIO:
            stream = stream or opened.enter_context(open(os.devnull, "w", encoding="utf-8"))
            return _for_all_letters(_buffered(stream))

        errors = cast(TextIO, ErrorOutput(readable(sys.stderr)))
        sys.stdout = cast(TextIO, EscapingStream(readable(sys.stdout)))
        sys.stderr = cast(TextIO, EscapingStream(errors))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


def discard_output(stream: TextIO | None = None) -> None:
    """Redirects an output, by default the standard one, to the null device with what is in its buffer.

    For an output that cannot be written or that nobody reads.
    """
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def print_bytes(data: bytes) -> None:
    """Writes the bytes of a file, which are not text to show, to standard output as they are."""
    stream = getattr(sys.stdout, "rich_proxied_file", sys.stdout)
    if stream is not None:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()


def _buffered(stream: TextIO) -> TextIO:
    """The stream, with a buffer if it has none, as with `PYTHONUNBUFFERED`.

    Without one, what a file on a full disk did not take of a text would be lost without an error.
    """
    if not isinstance(stream, TextIOWrapper) or not isinstance(stream.buffer, RawIOBase):
        return stream
    return open(stream.fileno(), "w", 1, stream.encoding, stream.errors, closefd=False)


def _for_all_letters(stream: TextIO) -> TextIO:
    """The stream, switched to UTF-8 if it is set to ASCII, as in some containers.

    Another encoding stays, and has a question mark for a letter that it lacks.
    """
    if not isinstance(stream, TextIOWrapper):
        return stream
    encoding = codecs.lookup(stream.encoding).name
    if encoding == "ascii":
        stream.reconfigure(encoding="utf-8", errors="replace")
    elif not encoding.startswith("utf") and stream.errors == "strict":
        stream.reconfigure(errors="replace")
    return stream
