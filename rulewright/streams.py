"""Standard output and error with control characters escaped.

Input with control characters is already refused; this is a second barrier for everything that is printed.
Only the colours of this program pass.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from typing import Any, TextIO, cast

from dsl.characters import visible

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


@contextmanager
def escaped_output() -> Iterator[None]:
    """Escapes standard output and error within its body; what is closed is the null device there."""
    before = sys.stdout, sys.stderr
    with ExitStack() as opened:

        def escaped(stream: TextIO | None) -> TextIO:
            stream = stream or opened.enter_context(open(os.devnull, "w", encoding="utf-8"))
            return cast(TextIO, EscapingStream(_for_all_letters(stream)))

        sys.stdout, sys.stderr = escaped(sys.stdout), escaped(sys.stderr)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


def discard_output() -> None:
    """Redirects buffered output to the null device, where it cannot be written or nobody reads it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_bytes(data: bytes) -> None:
    """Writes the bytes of a file, which are not text to show, to standard output as they are."""
    stream = getattr(sys.stdout, "rich_proxied_file", sys.stdout)
    if stream is not None:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()


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
