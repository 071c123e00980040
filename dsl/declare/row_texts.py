"""What tables say to people: names of rows as they are written, and columns of text in any language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dsl.declare.labels import RowText, TextKind
from dsl.declare.languages import TAG
from dsl.declare.nodes import LONGEST_LINE, LONGEST_TEXT
from dsl.declare.sheets import Sheet, repeated
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.document import Node, Scalar
from dsl.messages.shapes import BadCell, BadTable
from dsl.rules import key_of_text
from dsl.sheets.names import word_for
from dsl.wording import shortened

KINDS: tuple[TextKind, ...] = ("text", "label", "help")
"""What a column of text is: what only faces show, what the row is called, what is told about it."""


@dataclass(frozen=True)
class TextColumn:
    """A column of text: its kind, the language that it is in, none for the game's own, and its name there."""

    kind: TextKind
    language: str | None
    name: str


def text_column(symbols: SymbolTable, key: Scalar, spec: Node) -> TextColumn | None:
    """`text`, `label` or `help`, perhaps with a language: `text hu`; none for what is no column of text.

    A text in another language is that of the column without the language at its end: `flavour_hu` of
    `flavour`. A type of the same name comes first.
    """
    words = spec.text.split() if isinstance(spec, Scalar) else []
    kind = next((kind for kind in KINDS if words[:1] == [kind]), None)
    if kind is None or len(words) > 2 or (len(words) == 1 and _is_type(symbols, kind)):
        return None
    language = words[1] if len(words) == 2 else None
    if language is None:
        return TextColumn(kind, None, key.text)
    if not TAG.fullmatch(language):
        return None
    return TextColumn(kind, language, key.text.removesuffix(f"_{language.replace('-', '_').lower()}"))


def _is_type(symbols: SymbolTable, name: str) -> bool:
    return name in symbols.types or name in symbols.pending or name in symbols.rows_pending


def read_text_column(
    symbols: SymbolTable, owner: str, key: Scalar, column: TextColumn, sheet: Sheet, cells: list[Scalar]
) -> None:
    """Note the texts of a column in the symbol table, by their rows. Too long ones are reported."""
    if column.kind == "text":
        symbols.text_columns.setdefault(owner, {})[column.name] = owner
    most = LONGEST_LINE if column.kind == "label" else LONGEST_TEXT
    for name, cell in zip(sheet.column(0), cells, strict=True):
        text = cell.text if column.kind == "help" else _lines(cell.text, column.kind)
        if len(text) > most:
            why = f"it has {len(text):,} characters, the most are {most:,}"
            symbols.fail(BadCell(cell.span, shortened(text), key.text, why, "shorten it"))
        elif text:
            named = key_of_text(owner, name.text, column.name) if column.kind == "text" else name.text
            symbols.row_texts.append(RowText(column.kind, column.language, named, Scalar(text, cell.span)))
            if column.kind == "label" and column.language is not None:
                own = Scalar(
                    name.text.replace("_", " "), name.span
                )  # what it is called without a translation
                symbols.row_texts.append(RowText("label", None, named, own))


def _lines(text: str, kind: TextKind) -> str:
    """A cell without blanks that say nothing. A text for faces keeps its lines, a label is one."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return ("\n" if kind == "text" else " ").join(line for line in lines if line)


# ---- names of rows


def words_of_rows(symbols: SymbolTable, sheet: Sheet) -> Sheet:
    """The sheet with a word of the rules for each name: `toll_house` for `Toll House`, which is its label.

    Names that are words stay as they are. Raises `DiagnosticError` if two rows get one word, or a name none;
    all such mistakes are reported before.
    """
    mistakes: list[Diagnostic] = []
    rows = tuple(tuple(_worded(symbols, row, mistakes)) for row in sheet.rows)
    mistakes += repeated(tuple(row[0] for row in rows), "the row")
    for other in mistakes[1:]:
        symbols.fail(other)
    if mistakes:
        raise DiagnosticError(mistakes[0])
    return replace(sheet, rows=rows)


def _worded(symbols: SymbolTable, row: tuple[Scalar, ...], mistakes: list[Diagnostic]) -> Iterator[Scalar]:
    name = row[0]
    word = word_of(symbols, name.text)
    if not word:
        hint = "a name has letters or digits: give the row one, and put the sign into a column of its own"
        mistakes.append(BadTable(name.span, f"no word can be made of `{shortened(name.text)}`", hint))
    elif word != name.text:
        label = Scalar(" ".join(name.text.split())[:LONGEST_LINE], name.span)
        symbols.row_texts.append(RowText("label", None, word, label))
    yield replace(name, text=word or name.text)
    yield from row[1:]


def word_of(symbols: SymbolTable, text: str) -> str:
    """The word of the rules for the name of a row; empty if there is none."""
    word = word_for(text)
    return f"{word}_" if word != text and symbols.is_reserved(word) else word
