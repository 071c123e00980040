"""The terminal: output and input."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Console, RenderableType
from rich.text import Text

from dsl.diagnostics import Diagnostic
from rulewright.terminal.renderables import PipedConsole, harmless
from rulewright.tui.styles import HIGHLIGHT, styled

try:
    import readline
except ImportError:  # not on every system
    readline = None  # type: ignore[assignment]

WIDEST = 120


class Screen:
    """A console and a function that prompts. `ask` raises `EOFError` at the end of input."""

    def __init__(self, console: Console, ask: Callable[[str], str] = input) -> None:
        self.console = console
        self._ask = ask

    @property
    def live(self) -> bool:
        """Whether it is a terminal that can be cleared."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    @property
    def width(self) -> int:
        return min(self.console.width, WIDEST)

    @property
    def height(self) -> int:
        """The visible lines; without a terminal, practically unlimited."""
        return self.console.height if self.live else 10_000

    def show(self, what: RenderableType, wide: bool = False) -> None:
        """Prints something; `wide`: over the whole terminal, however wide it is."""
        self.console.print(harmless(what), width=self.console.width if wide else self.width)

    def say(self, text: str, style: str = "") -> None:
        self.show(styled(text, style))

    def long(self, text: str) -> None:
        """Prints a line without wrapping, for programs that read it."""
        self.console.print(harmless(styled(text)), soft_wrap=True)

    def complain(self, diagnostic: Diagnostic) -> None:
        """Prints a diagnostic with its help."""
        self.say(diagnostic.message, HIGHLIGHT)
        if diagnostic.help:
            self.say(f"  help: {diagnostic.help}")

    def clear(self) -> None:
        if self.live:
            self.console.clear()

    def forget(self) -> None:
        """Clears the screen, the scrollback and the input history."""
        if self.live:
            self.console.clear()
            self.console.file.write("\x1b[3J")
            self.console.file.flush()
        if readline is not None:
            readline.clear_history()

    def lines(self, what: RenderableType, wide: bool = False) -> list[Text]:
        """A renderable as rendered lines."""
        options = self.console.options.update(width=self.console.width if wide else self.width)
        found = []
        for segments in self.console.render_lines(what, options, pad=False):
            line = Text(end="")
            for segment in segments:
                line.append(segment.text, segment.style)
            found.append(line)
        return found

    def read(self, prompt: str) -> str:
        """Reads a line, stripped. Raises `EOFError` and `KeyboardInterrupt`."""
        while True:
            try:
                return self._ask(prompt).strip()
            except UnicodeDecodeError:
                self.say("this is not text", HIGHLIGHT)


def standard() -> Screen:
    """The screen of this process. Characters that the terminal cannot encode are written as `?`."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    return Screen(PipedConsole(highlight=False, markup=False, emoji=False))
