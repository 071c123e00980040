"""How large the sheets of a workbook are, and what their values do not say: merged cells, failed formulas.

The parts of a workbook are XML of strangers: entities and document types are refused, and nothing is kept but
positions.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from xml.parsers import expat

from dsl.sheets.delimited import cell_name

MOST_ROWS, MOST_COLUMNS = 20_000, 500
"""The last row and the last column in which a cell may have a value."""
MOST_AREA = 1_000_000
"""The most cells of the rectangle that all values lie in."""
WIDEST = 20_000
"""The most cells that a row of an ODS file may say to have; spreadsheets have 16,384."""
REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
UNSAVED = "#FORMULA!"
"""What stands for a formula that was saved without its value."""
Position = tuple[int, int]
"""A row and a column, from 0."""


@dataclass
class SheetRefused(Exception):
    """A sheet that is not read: why, and what can be done."""

    why: str
    hint: str


@dataclass
class Measured:
    """What is known of a sheet beside its values.

    `merged` are ranges by their first and last cell; `wrong` has the error values and the formulas without a
    value.
    """

    merged: list[tuple[Position, Position]] = field(default_factory=list)
    wrong: dict[Position, str] = field(default_factory=dict)
    rows: int = 0
    columns: int = 0

    def reach(self, row: int, column: int) -> None:
        """Note a cell with a value. Raises `SheetRefused` if it lies too far out."""
        self.rows, self.columns = max(self.rows, row + 1), max(self.columns, column + 1)
        if row >= MOST_ROWS or column >= MOST_COLUMNS or self.rows * self.columns > MOST_AREA:
            why = f"it has a cell as far out as {cell_name(row + 1, column)}"
            hint = (
                f"a table has at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns: delete what lies beyond"
            )
            raise SheetRefused(why, hint)


Attributes = dict[str, str]


def _parse(
    data: bytes,
    begin: Callable[[str, Attributes], None],
    end: Callable[[str], None] = lambda name: None,
    text: Callable[[str], None] | None = None,
) -> None:
    """Walk through a part; names are without their prefix. Raises `SheetRefused`."""
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        raise SheetRefused(
            "it declares entities, which no spreadsheet writes", "save it anew in a spreadsheet"
        )

    def plain(name: str) -> str:
        return name.rpartition(":")[2]

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, found: begin(
        plain(name), {plain(k): v for k, v in found.items()}
    )
    parser.EndElementHandler = lambda name: end(plain(name))
    if text is not None:
        parser.CharacterDataHandler = text
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        raise SheetRefused("it is damaged", "open it in a spreadsheet and save it again") from None


# ---- xlsx


def check_parts(parts: Iterable[bytes]) -> None:
    """Raises `SheetRefused` if a part is no XML, or declares entities."""
    for part in parts:
        _parse(part, lambda name, found: None)


def measured_xlsx(parts: dict[str, bytes], index: int) -> Measured:
    """The sheet at a place in the order of an `.xlsx` workbook. Raises `SheetRefused`."""
    sheets: list[str] = []
    targets: dict[str, str] = {}

    def sheet(name: str, found: Attributes) -> None:
        if name == "sheet":
            sheets.append(found.get("id", ""))

    def relation(name: str, found: Attributes) -> None:
        if name == "Relationship":
            targets[found.get("Id", "")] = found.get("Target", "")

    _parse(parts["xl/workbook.xml"], sheet)
    _parse(parts.get("xl/_rels/workbook.xml.rels", b"<none/>"), relation)
    target = targets.get(sheets[index], "") if index < len(sheets) else ""
    path = posixpath.normpath(posixpath.join("xl", target)).lstrip("/")
    return _measured_sheet(parts.get(path, b"<none/>"))


def _measured_sheet(data: bytes) -> Measured:
    found = Measured()
    here: Position = (-1, -1)
    kind, formula, said, inside = "", False, "", False

    def begin(name: str, about: Attributes) -> None:
        nonlocal here, kind, formula, said, inside
        match name:
            case "row":
                here = (int(about["r"]) - 1 if about.get("r", "").isdecimal() else here[0] + 1, -1)
            case "c":
                here = _position(about.get("r", "")) or (here[0], here[1] + 1)
                kind, formula, said = about.get("t", ""), False, ""
            case "f":
                formula = True
            case "v" | "is":
                inside = True
                found.reach(*here)
            case "mergeCell":
                _merge(found, about.get("ref", ""))

    def end(name: str) -> None:
        nonlocal inside
        if name in ("v", "is"):
            inside = False
        elif name == "c" and (kind == "e" or (formula and not said and kind != "str")):
            found.reach(*here)
            found.wrong[here] = said or UNSAVED

    def text(data: str) -> None:
        nonlocal said
        if inside and len(said) < 20:
            said += data

    _parse(data, begin, end, text)
    return found


def _position(reference: str) -> Position | None:
    """`B7` as row and column from 0."""
    found = REFERENCE.fullmatch(reference)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found[2]) - 1, column - 1


def _merge(found: Measured, reference: str) -> None:
    first, _, last = reference.partition(":")
    top, bottom = _position(first), _position(last)
    if top is not None and bottom is not None:
        found.merged.append((top, bottom))


# ---- ods


def measured_ods(data: bytes) -> list[Measured]:
    """All sheets of the content of an `.ods` workbook, in order. Raises `SheetRefused`."""
    sheets: list[Measured] = []
    row = column = repeat = times = 0
    valued = False
    values: list[int] = []
    spanned: tuple[int, int] = (1, 1)

    def begin(name: str, about: Attributes) -> None:
        nonlocal row, column, repeat, times, valued, spanned
        match name:
            case "table":
                sheets.append(Measured())
                row = 0
            case "table-row":
                column, times = 0, _number(about, "number-rows-repeated")
                values.clear()
            case "table-cell" | "covered-table-cell":
                repeat, valued = _number(about, "number-columns-repeated"), "value-type" in about
                spanned = _number(about, "number-rows-spanned"), _number(about, "number-columns-spanned")
                if column + repeat > WIDEST:
                    raise SheetRefused(
                        f"row {row + 1} says to have {column + repeat:,} cells", "save it anew"
                    )
            case "p":
                valued = True

    def end(name: str) -> None:
        nonlocal row, column
        if not sheets:
            return
        if name in ("table-cell", "covered-table-cell"):
            if valued:
                values.append(column + repeat - 1)
                if spanned != (1, 1):
                    last = row + spanned[0] - 1, column + spanned[1] - 1
                    sheets[-1].merged.append(((row, column), last))
            column += repeat
        elif name == "table-row":
            for place in values[-1:]:
                sheets[-1].reach(row + times - 1, place)
            row += times

    def text(said: str) -> None:
        if valued and said.startswith(("#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "Err:")) and sheets:
            sheets[-1].wrong[row, column] = said[:20]

    _parse(data, begin, end, text)
    return sheets


def _number(about: Attributes, key: str) -> int:
    said = about.get(key, "1")
    return min(int(said), 10_000_000) if said.isdecimal() and len(said) < 12 else 1
