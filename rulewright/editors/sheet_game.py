"""A game to begin with, of the cards in a table: its files by path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import PurePath

from dsl.declare.look_faces import HOLE
from dsl.declare.nodes import LONGEST_LINE
from dsl.declare.symbol_table import BUILT_IN
from dsl.diagnostics import DiagnosticError
from dsl.document import ANY_TRAP
from dsl.folder import Folder
from dsl.grammar import terminals
from dsl.messages.shapes import BadTable
from dsl.sheets.delimited import TextRow, cell_name, rows_of
from dsl.sheets.guess import Guess, GuessedColumn, GuessedTable, guessed
from dsl.sheets.names import number_in, word_for
from dsl.sheets.workbooks import is_archive, sheet_names
from dsl.signs import outlines
from dsl.source import Source
from dsl.wording import counted, shortened

OWN = (
    "card",
    "deck",
    "market",
    "taken",
    "set_up",
    "turn",
    "final",
    "take",
    "fill",
    "over",
    "cards_taken",
    "taking",
    "seat",
)
"""The names that the game has beside those of the table."""
PLAIN = re.compile(r"[^\W\d][\w .!?'-]*")
"""Texts that YAML needs no quotes for."""
LIGHT = 'fill: "#ffffff", opacity: 0.85, radius: 2'
"""How a box is drawn whose text lies on a picture."""

GAME = """\
# yaml-language-server: $schema=schemas/game.json
# The table is {file}: change it there, and the game follows. Columns of text are shown on the cards.
game: {name}
language: 1
title: {title}
seats: 2..4
clauses: rulebook.yaml
labels: labels/en.yaml
look: look.yaml
rules: [{name}.rules]
longest: 5000
{types}
components:
  card:
    table: {table}
{header}{columns}{copies}    clause: §1.1

zones:
  deck: {{holds: card, order: shuffled, seen_by: count, start: all, clause: §1.1}}
  market: {{holds: card, seen_by: all, clause: §1.2}}
  taken: {{holds: card, of: seat, seen_by: all, clause: §2.1}}

flow:
  set_up: {{do: [lay_out], then: turn}}
  turn:
    seat: rotates
    clause: §2.1
    do: [{{do one of: [take], named: taking}}]
    then: {{over: final, otherwise: turn}}
  final: {{score: highest, clause: §3.1}}
"""
RULES = """\
# What may be done. A beginning: take a card of the market, until none is left.

procedure lay_out                                                    §1.2
    shuffle deck
    fill
    fill
    fill

procedure fill                                                       §1.2
    if deck is not empty
        draw card from deck to market

action take                                                          §2.1
    choose card from market
    move card to taken of me
    fill                                                             §1.2

value over = market is empty                                         §3.1

score cards_taken = size(taken of me)                                §3.1
"""
CLAUSES = {
    "§1.1": ("The cards", "component", "In the box", "The cards of the table lie in one deck."),
    "§1.2": ("The market", "rule", "Set-up", "Three cards lie face up; one that is taken is replaced."),
    "§2.1": ("A turn", "rule", "A turn", "Whoever's turn it is takes a card of the market."),
    "§3.1": ("The end", "rule", "The end", "The game ends when the market is empty; most cards win."),
}
"""The clauses of the rulebook: heading, kind, section, and what each says."""


@dataclass(frozen=True)
class SheetGame:
    """A game of the cards in a table: its files by path, and what its author should know of the table."""

    files: dict[str, bytes]
    remarks: list[str]


def sheet_game(
    name: str,
    title: str,
    path: str,
    data: bytes,
    sheet: str,
    beside: Callable[[str], bytes | None] = lambda _: None,
) -> SheetGame:
    """A game of the cards in a table, with the table as it is, and the pictures that it names.

    `beside` gives the content of a picture, none if there is no such file. Raises `DiagnosticError` if the
    table cannot be read, or has no header with rows below it.
    """
    file = re.sub(r"[^\w.-]+", "_", PurePath(path).name, flags=re.ASCII).lstrip(".") or "cards.csv"
    table = f"{file}#{sheet}" if sheet else file
    if is_archive(data) and not sheet:
        sheet = next(iter(sheet_names(data)), "")
        table = f"{file}#{sheet}" if len(sheet_names(data)) > 1 else file
    source = Folder(name, lambda _: data).source(table)
    found = _guessed(source)
    named = {
        cell for column in found.columns if column.guess is Guess.PICTURE for cell in column.cells if cell
    }
    pictures = {path: content for path in sorted(named) if (content := beside(path)) is not None}
    files = {
        file: data,
        **pictures,
        "game.yaml": _game(name, title, table, found).encode(),
        f"{name}.rules": RULES.encode(),
        "rulebook.yaml": _rulebook(title).encode(),
        "labels/en.yaml": _labels(name, title, found).encode(),
        "look.yaml": _look(found, set(pictures)).encode(),
    }
    return SheetGame(files, list(_remarks(source, found, set(pictures))))


def _remarks(source: Source, found: GuessedTable, pictures: Set[str]) -> Iterator[str]:
    """What is not taken as its author may think, by cell: numbers that are none, what has no title, pictures
    that are not there."""
    rows = [row for row in rows_of(source) if not row.is_empty]
    head = next(i for i, row in enumerate(rows) if {c.title for c in found.columns} <= _texts(row))
    body = rows[head + 1 :]
    for i, cell in enumerate(rows[head].cells):
        column = next((c for c in found.columns if c.title == cell.text), None)
        filled = [(cell_name(row.number, i), row.cells[i].text) for row in body if _has(row, i)]
        if not cell.text and filled:
            yield f"{cell_name(rows[head].number, i)} has no title: its column is left out"
        elif number_in(cell.text) is not None:
            yield f"{cell_name(rows[head].number, i)} has `{cell.text}`: is there no line of titles?"
        elif column is not None and column.guess is Guess.TEXT:
            numbers = [any(map(str.isdigit, text)) and not any(map(str.isspace, text)) for _, text in filled]
            odd = next(((at, text) for at, text in filled if number_in(text) is None), None)
            if odd is not None and 2 * sum(numbers) >= len(filled):
                yield f"`{cell.text}` is text: {odd[0]} has `{shortened(odd[1])}`, which is no whole number"
        elif column is not None and column.guess is Guess.PICTURE:
            missing = [(at, text) for at, text in filled if text not in pictures]
            if missing:
                at, text = missing[0]
                of = f"{len(missing)} of {counted(len(filled), 'picture')}"
                yield f"{of} not found beside the table: `{shortened(text)}` in {at}"


def _texts(row: TextRow) -> set[str]:
    return {cell.text for cell in row.cells}


def _has(row: TextRow, column: int) -> bool:
    return column < len(row.cells) and bool(row.cells[column].text)


def _guessed(source: Source) -> GuessedTable:
    words = terminals()
    rows = [[cell.text for cell in row.cells] for row in rows_of(source) if not row.is_empty]
    found = guessed(
        rows, lambda word: not ({word} & words or word in BUILT_IN or word in OWN or ANY_TRAP.fullmatch(word))
    )
    if found is None:
        hint = "a table has a line of titles, then a line for each card"
        raise DiagnosticError(BadTable(source.beginning, "no header with rows below it", hint))
    return found


def _game(name: str, title: str, table: str, found: GuessedTable) -> str:
    gaps = [column for column in found.columns if column.guess is Guess.KINDS and column.has_gaps]
    types = "".join(f"  {column.name}: [{', '.join(column.kinds)}]\n" for column in gaps)
    headers = {c.title: c.name for c in found.columns if word_for(c.title).lower() != c.name}
    header = f"    names: {_text(found.title)}\n" if found.title else ""
    if headers:
        pairs = ", ".join(f"{_text(title)}: {column}" for title, column in headers.items())
        header += f"    headers: {{{pairs}}}\n"
    if found.ignored:
        header += f"    ignored: [{', '.join(map(_text, found.ignored))}]\n"
    columns = "".join(f"      {column.name}: {_spec(column)}\n" for column in found.columns)
    copies = next((column.name for column in found.columns if column.guess is Guess.COPIES), None)
    return GAME.format(
        name=name,
        title=_text(title),
        file=table.partition("#")[0],
        types=f"\ntypes:\n{types}" if types else "",
        table=_text(table) if re.fullmatch(r"[\w.#-]+", table) is None else table,
        header=header,
        columns=f"    columns:\n{columns}" if columns else "",
        copies=f"    copies: {copies}\n" if copies else "",
    )


def _rulebook(title: str) -> str:
    head = "# yaml-language-server: $schema=schemas/rulebook.json\n"
    head += "# The clauses of the rulebook, each summed up in your own words.\n"
    head += f"rulebook: {{title: {_text(title)}, publisher: nobody yet, language: en}}\n\nclauses:\n"
    return head + "".join(
        f'  {mark}: {{heading: {heading}, kind: {kind}, section: {section}, says: "{says}"}}\n'
        for mark, (heading, kind, section, says) in CLAUSES.items()
    )


def _spec(column: GuessedColumn) -> str:
    match column.guess:
        case Guess.NUMBER | Guess.COPIES:
            low, high = column.range
            return f"{low}..{high}"
        case Guess.FLAG:
            return "flag"
        case Guess.KINDS:
            return f"{column.name} or none" if column.has_gaps else f"[{', '.join(column.kinds)}]"
        case Guess.PICTURE:
            return "text"
        case Guess.TEXT | Guess.LABEL:
            return f"{column.guess.value} {column.language}".strip()


def _labels(name: str, title: str, found: GuessedTable) -> str:
    lines = ["# yaml-language-server: $schema=../schemas/labels.json"]
    lines.append("# What people read for the names of the rules; the cards are called as in the table.")
    known = {
        name: title,
        "take": "take",
        "taking": "take a card",
        "cards_taken": "cards",
        "taken": "taken cards",
    }
    for column in found.columns:
        if not column.language:
            known.setdefault(column.name, column.title[:LONGEST_LINE])
        if column.guess is Guess.KINDS:
            for cell in column.cells:
                if cell and cell.lower() != word_for(cell).lower():
                    known.setdefault(word_for(cell).lower(), cell)
    return "\n".join([*lines, *(f"{key}: {_text(text)}" for key, text in known.items()), ""])


def _look(found: GuessedTable, pictures: Set[str]) -> str:
    """A card with its name, its first number in a corner, and its longest text; over its picture, if there is
    one for each.
    """
    number = next((c.name for c in found.columns if c.guess is Guess.NUMBER), None)
    texts = [c for c in found.columns if c.guess is Guess.TEXT and not c.language and any(c.cells)]
    body = max(texts, key=lambda column: sum(map(len, column.cells)), default=None)
    head = "# yaml-language-server: $schema=schemas/look.json\n"
    head += "# How it looks on a table: nothing here has an effect on play.\n"
    for art in (column for column in found.columns if column.guess is Guess.PICTURE):
        if {cell for cell in art.cells if cell} <= pictures:
            return head + _over_art(art.name, number, body)
    face = ['middle: "{label}"', *([f'corner: "{{{number}}}"'] if number else [])]
    face += [f'body: "{{{body.name}}}"'] if body is not None else []
    return f"{head}pieces:\n  card: {{shape: card, face: {{{', '.join(face)}}}}}\n"


def _over_art(art: str, number: str | None, body: GuessedColumn | None) -> str:
    """A face whose picture covers the card, with its texts in light boxes, in mm."""
    cells = body.cells if body is not None else ()
    named = sorted({name for cell in cells for name in HOLE.findall(cell)} - {"label", "sign"})
    icons = "".join(
        f"  {name}: {f'sign {name}' if name in outlines() else _text(name[:2].upper())}\n" for name in named
    )
    wide = 43 if number else 53.5
    boxes = [f'{{picture: "{{{art}}}"}}', f"{{box: [4, 4, {wide + 2:g}, 9], {LIGHT}}}"]
    boxes.append(f'{{box: [5, 4, {wide:g}, 9], text: "**{{label}}**", size: 12}}')
    if number is not None:
        boxes.append(f'{{box: [51, 4, 8.5, 9], {LIGHT}, text: "{{{number}}}", size: 13, align: middle}}')
    if body is not None:
        boxes.append(f"{{box: [4, 60, 55.5, 25], {LIGHT}, when: {body.name}}}")
        boxes.append(f'{{box: [6, 61, 51.5, 23], text: "{{{body.name}}}", size: 9, level: top}}')
    face = "".join(f"      - {box}\n" for box in boxes)
    head = (
        f"icons:                              # for names in braces in the texts of cards\n{icons}"
        if icons
        else ""
    )
    return f"{head}pieces:\n  card:\n    shape: card\n    size: poker\n    face:\n{face}"


def _text(text: str) -> str:
    """A text of YAML, quoted where it must be."""
    plain = " ".join(text.split())
    if PLAIN.fullmatch(plain) and not ANY_TRAP.fullmatch(plain):
        return plain
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
