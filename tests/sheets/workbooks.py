"""Small workbooks in bytes, written as XML: what the tests need, and no more."""

# ruff: noqa: E501
from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from dsl.sheets.delimited import cell_name

Cell = str | int | float | bool | None
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def packed(parts: dict[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return made.getvalue()


# ---- xlsx


def xlsx(
    sheets: dict[str, Sequence[Sequence[Cell]]] | Sequence[Sequence[Cell]],
    merged: Sequence[str] = (),
    raw: str = "",
    hidden: Sequence[str] = (),
    head: str = "",
) -> bytes:
    """A workbook by its sheets; `raw` is more XML of rows in the first one, `hidden` are sheets."""
    named = sheets if isinstance(sheets, dict) else {"Sheet1": sheets}
    ids = range(1, len(named) + 1)
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{i}" r:id="rId{i}"{" state=" + chr(34) + "hidden" + chr(34) if name in hidden else ""}/>'
        for i, name in zip(ids, named, strict=True)
    )
    relations = "".join(
        f'<Relationship Id="rId{i}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{i}.xml"/>' for i in ids
    )
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        for i in ids
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{relations}</Relationships>',
    }
    for i, rows in zip(ids, named.values(), strict=True):
        body = "".join(_row(number, row) for number, row in enumerate(rows, 1)) + (raw if i == 1 else "")
        merges = "".join(f'<mergeCell ref="{reference}"/>' for reference in merged)
        tail = f'<mergeCells count="{len(merged)}">{merges}</mergeCells>' if merged and i == 1 else ""
        parts[f"xl/worksheets/sheet{i}.xml"] = (
            f'<?xml version="1.0"?>{head}<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData>{tail}</worksheet>'
        )
    return packed(parts)


def _row(number: int, row: Sequence[Cell]) -> str:
    cells = "".join(_cell(cell_name(number, i), cell) for i, cell in enumerate(row) if cell is not None)
    return f'<row r="{number}">{cells}</row>'


def _cell(name: str, cell: Cell) -> str:
    match cell:
        case bool():
            return f'<c r="{name}" t="b"><v>{int(cell)}</v></c>'
        case int() | float():
            return f'<c r="{name}"><v>{cell}</v></c>'
        case str() if cell.startswith("#"):
            return f'<c r="{name}" t="e"><f>A1/0</f><v>{escape(cell)}</v></c>'
        case str() if cell.startswith("="):
            formula, _, value = cell[1:].partition("|")
            return f'<c r="{name}"><f>{escape(formula)}</f>{f"<v>{value}</v>" if value else ""}</c>'
    return f'<c r="{name}" t="inlineStr"><is><t xml:space="preserve">{escape(str(cell))}</t></is></c>'


# ---- ods


def ods(rows: Sequence[Sequence[Cell]], raw: str = "", head: str = "") -> bytes:
    """A workbook with one sheet; `raw` is more XML of rows."""
    body = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    spaces = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in ("office", "table", "text"))
    content = (
        f'<?xml version="1.0"?>{head}<office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="Cards">{body}{raw}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = f'<manifest:manifest xmlns:manifest="{OASIS}:manifest:1.0"/>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return packed({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content})


def _ods_cell(cell: Cell) -> str:
    match cell:
        case None:
            return "<table:table-cell/>"
        case bool():
            said = str(cell).lower()
            return f'<table:table-cell office:value-type="boolean" office:boolean-value="{said}"><text:p>{said}</text:p></table:table-cell>'
        case int() | float():
            return f'<table:table-cell office:value-type="float" office:value="{cell}"><text:p>{cell}</text:p></table:table-cell>'
    lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in str(cell).split("\n"))
    return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
