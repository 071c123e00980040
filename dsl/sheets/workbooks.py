"""Sheets of workbooks, `.xlsx` and `.ods`, to text in the form of a table with `,` between its cells.

The cells are read by python-calamine. Before, the parts of the file that it reads are taken out within
bounds, and measured: it would fill the memory for a single cell in the last column of the last row.
"""

from __future__ import annotations

import csv
import io
import math
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.messages.sheets import BadWorkbook, NeedsSheetReader
from dsl.sheets.measure import Measured, SheetRefused, check_parts, measured_ods, measured_xlsx
from dsl.source import NOWHERE, Source, Span
from dsl.wording import quoted

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

ARCHIVE, OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
"""How a workbook begins; and one in the former binary format, or with a password."""
DECLARED = "sep=,\n"
"""The first line of the text: which character separates cells."""
MOST_PARTS, MOST_XML = 2_000, 24_000_000
"""The most parts of a workbook, and the most bytes of those that are read."""
READ = ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/sharedStrings.xml", "xl/styles.xml")
"""The parts of an `.xlsx` file that are read, besides those of its sheets."""
READ_OF_ODS = ("mimetype", "META-INF/manifest.xml", "content.xml", "settings.xml")
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


def is_archive(data: bytes) -> bool:
    """Whether a file is a workbook, whatever its name says."""
    return data.startswith((ARCHIVE, OLD))


def sheet_text(data: bytes, sheet: str, shown: str) -> str:
    """A sheet as text, whose rows and columns are those of the sheet. `sheet` is empty for the only one.

    Formulas have the values that were saved with them; each cell of a merged range has its value; hidden rows
    and columns are read. Raises `DiagnosticError`, with no place in the text.
    """
    try:
        return _sheet_text(data, sheet)
    except DiagnosticError as failed:
        at = Span(Source(shown, ""), 0, 0)
        raise DiagnosticError(replace(failed.diagnostic, span=at)) from None


def sheet_names(data: bytes) -> list[str]:
    """The visible sheets of a workbook. Raises `DiagnosticError` as `sheet_text`."""
    book, _ = _opened(data)
    return _visible(book)


@lru_cache(maxsize=16)
def _sheet_text(data: bytes, sheet: str) -> str:
    book, parts = _opened(data)
    chosen = _chosen(book, sheet)
    name = next((n for n in book.sheet_names if n == chosen), "")
    try:
        measured = _measured(parts, book.sheet_names.index(name))
        rows = _rows(book.get_sheet_by_name(name))
    except SheetRefused as refused:
        raise _bad(refused.why, refused.hint) from None
    return _as_text(rows, measured)


def _bad(why: str, hint: str) -> DiagnosticError:
    return DiagnosticError(BadWorkbook(NOWHERE, why, hint))


# ---- the file


def _opened(data: bytes) -> tuple[CalamineWorkbook, dict[str, bytes]]:
    if data.startswith(OLD):
        hint = "save it as .xlsx or .ods, without a password"
        raise _bad("it is in the format of old .xls files, or has a password", hint)
    try:
        from python_calamine import CalamineError, load_workbook
    except ImportError:
        raise DiagnosticError(NeedsSheetReader(NOWHERE)) from None
    parts = _parts(data)
    try:
        measured_ods(parts["content.xml"]) if "content.xml" in parts else check_parts(parts.values())
        return load_workbook(io.BytesIO(_archive(parts))), parts
    except SheetRefused as refused:
        raise _bad(refused.why, refused.hint) from None
    except CalamineError as error:
        raise _bad(f"it cannot be read: {str(error).lower()}", AGAIN) from None


AGAIN = "open it in a spreadsheet and save it as .xlsx or .ods again"


def _parts(data: bytes) -> dict[str, bytes]:
    """The parts of a workbook with its cells, unpacked. Raises `DiagnosticError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_PARTS:
                raise _bad(f"it has more than {MOST_PARTS:,} parts", "is this the file you meant?")
            parts: dict[str, bytes] = {}
            left = MOST_XML
            for entry in entries:
                if _is_read(entry.filename):
                    with archive.open(entry) as part:
                        parts[entry.filename] = part.read(left + 1)
                    left -= len(parts[entry.filename])
                    if left < 0:
                        why = f"its cells take more than {MOST_XML:,} bytes when unpacked"
                        raise _bad(why, "keep a table of its own for the game")
    except BROKEN:
        raise _bad("it is damaged, or no workbook", AGAIN) from None
    if not {"xl/workbook.xml", "content.xml"} & parts.keys():
        raise _bad("it is a packed file, but no workbook", "name a file .xlsx or .ods")
    return parts


def _is_read(name: str) -> bool:
    of_sheets = name.startswith(("xl/worksheets/", "xl/_rels/")) and name.count("/") <= 3
    return name in (*READ, *READ_OF_ODS) or (of_sheets and name.endswith((".xml", ".rels")))


def _archive(parts: dict[str, bytes]) -> bytes:
    """The parts packed again, with nothing else beside them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(parts, key=lambda name: (name != "mimetype", name)):
            archive.writestr(zipfile.ZipInfo(name), parts[name])
    return packed.getvalue()


def _measured(parts: dict[str, bytes], index: int) -> Measured:
    """The extent of a sheet, its merged ranges and the cells without a value. Raises `SheetRefused`."""
    if "content.xml" in parts:
        return measured_ods(parts["content.xml"])[index]
    return measured_xlsx(parts, index)


# ---- the sheet


def _visible(book: CalamineWorkbook) -> list[str]:
    return [each.name for each in book.sheets_metadata if str(each.visible).endswith("Visible")]


def _chosen(book: CalamineWorkbook, sheet: str) -> str:
    """The name of the sheet that is meant. Raises `DiagnosticError`."""
    names = list[str](book.sheet_names)
    if sheet:
        if sheet in names:
            return sheet
        alike = [name for name in names if name.strip().casefold() == sheet.strip().casefold()]
        if len(alike) == 1:
            return alike[0]
        hint = did_you_mean(sheet, names) or f"its sheets are {quoted(names, 'and')}"
        raise _bad(f"it has no sheet `{sheet}`", hint)
    filled = _visible(book)
    if len(filled) > 1:
        hint = f"name one behind the file, `#{filled[0]}`; its sheets are {quoted(filled, 'and')}"
        raise _bad(f"it has {len(filled)} sheets, and none is named", hint)
    if not filled:
        raise _bad("it has no visible sheet", "name a hidden one behind the file: `cards.xlsx#Cards`")
    return filled[0]


def _rows(sheet: CalamineSheet) -> list[list[str]]:
    return [[_text(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]


def _text(value: Any) -> str:
    """The value of a cell as it is written in a table."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() if math.isfinite(value) and value == int(value):
            return str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
    return str(value).replace("\r\n", "\n").replace("\r", "\n")


def _as_text(rows: list[list[str]], measured: Measured) -> str:
    """Rows with the values of merged ranges in all their cells, as text."""
    for (top, left), (bottom, right) in measured.merged:
        value = rows[top][left] if top < len(rows) and left < len(rows[top]) else ""
        for row in rows[top : bottom + 1]:
            row[left : right + 1] = [value] * len(row[left : right + 1])
    for (at, column), value in measured.wrong.items():
        rows += [[] for _ in range(at + 1 - len(rows))]
        rows[at] += [""] * (column + 1 - len(rows[at]))
        rows[at][column] = value
    table = io.StringIO()
    table.write(DECLARED)
    write = csv.writer(table, lineterminator="\n").writerow
    for row in _ended(rows):
        write(row or [""])
    return table.getvalue()


def _ended(rows: list[list[str]]) -> Iterable[list[str]]:
    """The rows, all as wide as the widest, without what is empty below and beside them."""
    last = max((i for i, row in enumerate(rows) if any(row)), default=-1)
    width = max((i + 1 for row in rows for i, cell in enumerate(row) if cell), default=0)
    return ((row + [""] * width)[:width] for row in rows[: last + 1])
