"""Words for people: labels without surprises, lists that count what is equal, values with columns."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from dsl import rules as r
from dsl.domains import NONE, Cell, Elem, Flag, Piece, Type
from interpreter.words import Names

QUIET = "dim"
STRONG = "bold"
KEY = "bold cyan"
WARM = "yellow"
SIDES = ("bold yellow", "bold blue", "bold green", "bold magenta")
"""For the names of seats that stand on a board."""


def plain(text: str) -> str:
    """The text without control characters: a ruleset cannot steer the terminal."""
    return "".join(c if c.isprintable() else " " for c in text)


def said(text: str, style: str = "", narrow: bool = False) -> Text:
    """A text to show; a narrow one has a line for each word."""
    shown = plain(text)
    return Text().append(shown.replace(" ", "\n") if narrow else shown, style)


def counted(items: Iterable[str], between: str = ", ", most: int = 1000) -> str:
    """`Mill ×2, Tower`: equal items once, with their number, in the order of their first."""
    numbers: dict[str, int] = {}
    for item in items:
        numbers[item] = numbers.get(item, 0) + 1
    named = [f"{item} ×{n}" if n > 1 else item for item, n in numbers.items()]
    rest = len(named) - most
    return between.join([*named[:most], f"and {rest} more kinds"] if rest > 1 else named)


def columns_of(rules: r.Rules, kind: Type) -> tuple[r.Column, ...]:
    """The columns of a kind of thing that say something to people.

    No effects, no numbers of copies, no row and column of a place that is named by both, and nothing
    whose label is empty.
    """
    copies: tuple[int, ...] = ()
    match kind:
        case Elem(name):
            found = _told_of_places(rules.types[name])
        case Piece(component):
            found, copies = rules.components[component].columns, rules.components[component].copies
        case _:
            return ()
    return tuple(c for c in found.values() if _speaks(c, copies) and is_told(rules, c.name))


def _told_of_places(decl: r.TypeDecl) -> dict[str, r.Column]:
    named = ("row", "column") if decl.sides else ()
    return {name: column for name, column in decl.columns.items() if name not in named}


def is_told(rules: r.Rules, name: str) -> bool:
    """Whether people read of it: an empty label says that it is the rules' own bookkeeping."""
    return rules.labels.get(name) != ""


def _speaks(column: r.Column, copies: tuple[int, ...]) -> bool:
    return not (isinstance(column.type, Cell) or column.keyed_by or column.values == copies)


def row_of(rules: r.Rules, kind: Type, word: str) -> int | None:
    """The row that a word names in the table of a kind of thing."""
    match kind:
        case Elem(name):
            known = rules.types[name].names
        case Piece(component):
            known = rules.components[component].classes
        case _:
            return None
    return known.index(word) if word in known else None


def cell(names: Names, column: r.Column, row: int) -> str:
    """What a table says in one column of one row."""
    value = column.values[row]
    if value == NONE:
        return "–"
    if isinstance(column.type, Flag):
        return "yes" if value else "no"
    return names.label(names.value(column.type, value))


def details(names: Names, kind: Type, word: str) -> str:
    """`sort building, price 5`: a row of a table in one line; empty if there is none."""
    row = row_of(names.rules, kind, word)
    if row is None:
        return ""
    columns = columns_of(names.rules, kind)
    return ", ".join(f"{names.label(c.name)} {cell(names, c, row)}" for c in columns)
