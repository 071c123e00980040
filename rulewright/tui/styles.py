"""Styles, safe text and plain tables for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from dsl.characters import shown_as_one
from rulewright.i18n.messages import Messages

DIM = "dim"
BOLD = "bold"
KEY = "bold cyan"
HIGHLIGHT = "yellow"
SEAT_STYLES = ("bold yellow", "bold blue", "bold green", "bold magenta")
"""Styles of the names of seats on a board."""


def plain(text: str) -> str:
    """The text with control characters replaced by blanks."""
    return "".join(c if shown_as_one(c) else " " for c in text)


def styled(text: str, style: str = "", narrow: bool = False) -> Text:
    """A text without control characters; if `narrow`, one line per word."""
    shown = plain(text)
    return Text().append(shown.replace(" ", "\n") if narrow else shown, style)


def with_counts(say: Messages, items: Iterable[str], separator: str, limit: int) -> str:
    """`Mill ×2, Tower`: each distinct item with its count, in order of first occurrence, at most `limit`."""
    named = [f"{item} ×{n}" if n > 1 else item for item, n in Counter(items).items()]
    rest = len(named) - limit
    return separator.join([*named[:limit], say("terminal-more-kinds", number=rest)] if rest > 1 else named)


def borderless_table(gap: int = 1, title: str | None = None) -> Table:
    """An empty table without lines, with `gap` blanks between columns and its title above on the left."""
    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False)
    if title is not None:
        table.title, table.title_justify = styled(title, DIM), "left"
    return table


def list_of_commands(commands: Iterable[tuple[str, str]]) -> Table:
    """Commands with what each does, one in a row."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for command, meaning in commands:
        table.add_row(styled(command, BOLD), styled(meaning))
    return table
