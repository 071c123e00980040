"""What the columns of a table seem to be: names, numbers, a few words, flags, copies, pictures, text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from dsl.sheets.names import flag_in, normal_form, number_in, word_for
from dsl.sheets.totals import is_total

NAMES = frozenset(
    {"name", "card", "card_name", "title", "nev", "kartya", "lap", "nume", "carte", "titel", "nom"}
)
"""Titles, in their normal form, of the column with the names of rows."""
COPIES = frozenset(
    {
        "copies",
        "qty",
        "quantity",
        "count",
        "amount",
        "number",
        "db",
        "darab",
        "peldany",
        "peldanyszam",
        "bucati",
    }
    | {"buc", "exemplare", "anzahl", "copias", "nombre"}
)
"""The same of the column with how many there are of each."""
LANGUAGES = frozenset({"en", "hu", "ro", "de", "fr", "es", "it", "pl", "pt", "nl", "cs", "sk"})
"""Languages at the end of a title: `name_hu`."""
MOST_KINDS, LONGEST_KIND, MOST_COPIES = 12, 24, 200
PICTURE = re.compile(r"[\w-][\w .-]*(/[\w-][\w .-]*)*\.(svg|png|jpe?g)", re.IGNORECASE)
"""The name of a picture, beside the table or in a folder there."""
SEARCHED = 20
"""The rows among which the header is looked for."""


class Guess(Enum):
    """What a column holds."""

    NUMBER = "number"
    COPIES = "copies"
    FLAG = "flag"
    KINDS = "kinds"
    PICTURE = "picture"
    TEXT = "text"
    LABEL = "label"


@dataclass(frozen=True)
class GuessedColumn:
    """A column: its title, its name in the rules, and what it holds. `cells` are its texts in order.

    `kinds` are its different words, `language` is that of a text or label.
    """

    title: str
    name: str
    guess: Guess
    cells: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    language: str = ""

    @property
    def range(self) -> tuple[int, int]:
        """The least and the largest number; an empty cell is 0."""
        numbers = [number_in(cell or "0") or 0 for cell in self.cells]
        return min(numbers), max(numbers)

    @property
    def has_gaps(self) -> bool:
        return not all(self.cells)


@dataclass(frozen=True)
class GuessedTable:
    """A table: the title of its names, the names, and its other columns."""

    title: str
    names: tuple[str, ...]
    columns: tuple[GuessedColumn, ...]
    ignored: tuple[str, ...]
    """The titles of which no word can be made."""


def guessed(rows: Sequence[Sequence[str]], usable: Callable[[str], bool]) -> GuessedTable | None:
    """What a table seems to be; none if it has no header with rows below it.

    `usable`: whether a word can be the name of a column.
    """
    head = _header(rows)
    if head is None:
        return None
    titles = list(rows[head])
    body = [row for row in rows[head + 1 :] if sum(map(bool, row)) > 1 or len(titles) == 1]
    body = [[*row[: len(titles)], *[""] * (len(titles) - len(row))] for row in body]
    at = _names(titles, body)
    body = [row for row in body if row[at]]
    body = body[:-1] if len(body) > 1 and is_total(body[-1], body[:-1]) else body
    if not body:
        return None
    columns, taken = [], {""}
    for i, title in enumerate(titles):
        if i != at and normal_form(title):
            cells = tuple(row[i] for row in body)
            column = _column(
                title, normal_form(titles[at]), cells, lambda word: usable(word) and word not in taken
            )
            taken.add(column.name)
            columns.append(column)
    ignored = tuple(title for i, title in enumerate(titles) if i != at and not normal_form(title))
    return GuessedTable(titles[at], tuple(row[at] for row in body), tuple(columns), ignored)


def _header(rows: Sequence[Sequence[str]]) -> int | None:
    """The first row that is about as full as the fullest of the first ones."""
    filled = [sum(map(bool, row)) for row in rows[:SEARCHED]]
    most = max(filled, default=0)
    found = next((i for i, number in enumerate(filled) if number and 10 * number >= 6 * most), None)
    if found is not None and found + 2 < len(rows) and _are_groups(rows[found], rows[found + 1]):
        found += 1
    return found if found is not None and found + 1 < len(rows) else None


def _are_groups(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether titles stand for several columns each, merged above the titles of these."""
    if len(set(above) - {""}) == sum(map(bool, above)):
        return False
    each = [title for title in below if title]
    return (
        len(each) >= sum(map(bool, above)) and len(set(each)) == len(each) and not any(map(number_in, each))
    )


def _names(titles: Sequence[str], body: Sequence[Sequence[str]]) -> int:
    """The column with the names: by its title, or the first whose cells are words and all different."""
    forms = [normal_form(title) for title in titles]
    named = next((i for i, form in enumerate(forms) if form in NAMES), None)
    if named is not None:
        return named
    for i in range(len(titles)):
        words = [word_for(row[i]) for row in body]
        if all(words) and len(set(words)) == len(words) and not all(word.isdigit() for word in words):
            return i
    return next((i for i, form in enumerate(forms) if form), 0)


def _column(title: str, names: str, cells: tuple[str, ...], usable: Callable[[str], bool]) -> GuessedColumn:
    form = normal_form(title)
    name = form if usable(form) else next(n for i in range(2, 1000) if usable(n := f"{form}_{i}"))
    base, _, language = form.rpartition("_")
    if language in LANGUAGES and base:
        guess = Guess.LABEL if base == names else Guess.TEXT
        return GuessedColumn(title, name, guess, cells, language=language)
    said = [cell for cell in cells if cell]
    numbers = [number_in(cell) for cell in said]
    if said and None not in numbers:
        counts = [number for number in numbers if number is not None]
        many = form in COPIES and len(said) == len(cells) and min(counts) >= 0 and max(counts) <= MOST_COPIES
        return GuessedColumn(title, name, Guess.COPIES if many else Guess.NUMBER, cells)
    if said and all(flag_in(cell) is not None for cell in cells):
        return GuessedColumn(title, name, Guess.FLAG, cells)
    if said and all(PICTURE.fullmatch(cell) for cell in said):
        return GuessedColumn(title, name, Guess.PICTURE, cells)
    kinds = tuple(dict.fromkeys(word_for(cell).lower() for cell in said))
    short = all(0 < len(kind) <= LONGEST_KIND for kind in kinds) and all(len(c) <= LONGEST_KIND for c in said)
    few = 1 < len(kinds) <= MOST_KINDS and 2 * len(kinds) <= len(cells)
    if short and few and all(usable(kind) and not kind.isdigit() for kind in kinds):
        return GuessedColumn(title, name, Guess.KINDS, cells, kinds)
    return GuessedColumn(title, name, Guess.TEXT, cells)
