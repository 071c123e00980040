"""Source texts, and spans of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The text of a file. `name` is its path in messages; `lines` has the offset of each line."""

    name: str
    text: str = field(repr=False)
    lines: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        whole_lines = self.text.split("\n")[:-1]
        starts = accumulate((len(line) + 1 for line in whole_lines), initial=0)
        object.__setattr__(self, "lines", tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.lines, offset) - 1
        return line + 1, offset - self.lines[line] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line end."""
        start = self.lines[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def span_of_line(self, number: int) -> Span:
        """The span of line `number` (from 1), without its line end."""
        start = self.lines[number - 1]
        return Span(self, start, start + len(self.line(number)))

    @property
    def beginning(self) -> Span:
        """The span of the first character, which stands for the file as a whole."""
        return Span(self, 0, min(1, len(self.text)))


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of offsets in one source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """`file:line:col`, which editors can jump to."""
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"

    @property
    def line(self) -> int:
        """The number of the line in which it begins, from 1."""
        return self.source.position(self.start)[0]

    @property
    def last_line(self) -> int:
        """The number of the line in which its last character stands that is no blank."""
        return self.source.position(max(self.start, self.start + len(self.text.rstrip()) - 1))[0]

    def to(self, other: Span) -> Span:
        """The smallest span that contains both."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def first_line(self) -> Span:
        """The part of the span in its first line."""
        return Span(self.source, self.start, self.start + len(self.text.split("\n", 1)[0].rstrip()))


def with_replaced(text: str, replacements: Iterable[tuple[Span, str]]) -> str:
    """A text with others in the place of some spans, none of which overlap. In linear time."""
    parts, at = list[str](), 0
    for span, new in sorted(replacements, key=lambda each: each[0].start):
        parts += (text[at : span.start], new)
        at = span.end
    return "".join([*parts, text[at:]])


NOWHERE = Span(Source("<built in>", ""), 0, 0)
