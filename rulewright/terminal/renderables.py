"""Rich renderables with control characters escaped."""

from __future__ import annotations

from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from dsl.characters import visible


class Harmless:
    """A renderable with control characters escaped."""

    def __init__(self, what: RenderableType) -> None:
        self.what = what

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.what, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def harmless(what: RenderableType) -> RenderableType:
    """A text or renderable with control characters escaped."""
    match what:
        case str():
            return visible(what)
        case Text() as text:
            shown = visible(text.plain)
            return text if shown == text.plain else Text(shown, text.style, end=text.end)
    return Harmless(what)


class PipedConsole(Console):
    """A console that raises `BrokenPipeError` if nobody reads it any more, as all other output does."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class EscapingConsole(PipedConsole):
    """A console that escapes control characters in everything printed on it."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*(harmless(one) for one in objects), **options)
