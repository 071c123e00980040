"""Words for people: labels without surprises, lists that count what is equal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from dsl.characters import shown_as_one

DIM = "dim"
BOLD = "bold"
KEY = "bold cyan"
HIGHLIGHT = "yellow"
SEAT_STYLES = ("bold yellow", "bold blue", "bold green", "bold magenta")
"""For the names of seats that stand on a board."""


def plain(text: str) -> str:
    """The text without control characters: a ruleset cannot steer the terminal."""
    return "".join(c if shown_as_one(c) else " " for c in text)


def styled(text: str, style: str = "", narrow: bool = False) -> Text:
    """A text to show; a narrow one has a line for each word."""
    shown = plain(text)
    return Text().append(shown.replace(" ", "\n") if narrow else shown, style)


def with_counts(items: Iterable[str], separator: str = ", ", limit: int = 1000) -> str:
    """`Mill ×2, Tower`: equal items once, with their number, in the order of their first."""
    numbers: dict[str, int] = {}
    for item in items:
        numbers[item] = numbers.get(item, 0) + 1
    named = [f"{item} ×{n}" if n > 1 else item for item, n in numbers.items()]
    rest = len(named) - limit
    return separator.join([*named[:limit], f"and {rest} more kinds"] if rest > 1 else named)
