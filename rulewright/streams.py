"""Standard output and error, through which no text can steer the terminal.

Texts are refused where they come in; this is the second wall, before everything that is printed: what a
terminal would act on is shown as an escape. Only the colours that we set ourselves pass.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TextIO, cast

from dsl.characters import visible

STYLE = re.compile(r"(\x1b\[(?:[01]|3[0-7]|9[0-7])m)")
"""What `click.style` sets: bold, a colour, and nothing of it any more."""


class EscapingStream:
    """A stream that shows what would steer a terminal. All else is done by the stream behind it.

    Rich draws to the stream behind, which it finds by the name `rich_proxied_file`; what it draws is made
    harmless before (`rulewright.tui.screen`).
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
    """As long as it lasts, standard output and error are escaped."""
    before = sys.stdout, sys.stderr
    if sys.stdout is not None:
        sys.stdout = cast(TextIO, EscapingStream(_for_all_letters(sys.stdout)))
    if sys.stderr is not None:
        sys.stderr = cast(TextIO, EscapingStream(_for_all_letters(sys.stderr)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _for_all_letters(stream: TextIO) -> TextIO:
    """The stream; one that says it takes ASCII alone, as in some containers, is given UTF-8 all the same."""
    if isinstance(stream, TextIOWrapper) and codecs.lookup(stream.encoding).name == "ascii":
        stream.reconfigure(encoding="utf-8", errors="replace")
    return stream
