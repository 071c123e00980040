"""Tables of strangers: none fills the memory, leaves its folder, is computed, or keeps anybody waiting."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

import dsl.sheets.delimited as delimited
from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.folder import LARGEST_FILE, Folder
from dsl.load import load
from dsl.render import lines
from dsl.sheets.delimited import rows_of
from dsl.sheets.workbooks import MOST_XML, sheet_text
from dsl.source import Source
from rulewright.library import folder as folder_of
from tests.sheets.games import folder, rules_of, said
from tests.sheets.test_shapes import PLAIN, ROWS
from tests.sheets.workbooks import ods, packed, xlsx

DOCTYPE = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>'
ONE = '<table:table-cell office:value-type="float" office:value="1"/>'
EMPTY = "<table:table-cell/>"


def bombs() -> Iterator[tuple[str, bytes, str]]:
    """Workbooks that are small and mean much: what is said of each."""
    yield "unpacked", packed({"content.xml": b"<a>" + b" " * (MOST_XML + 1)}), "bytes when unpacked"
    yield "entities", xlsx(ROWS, head=DOCTYPE), "declares entities"
    yield "entities of ods", ods(ROWS, head=DOCTYPE), "declares entities"
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    yield "a cell far out", xlsx(ROWS, raw=far), "as far out as XFD1048576"
    yield "columns", ods(ROWS, raw=_row(ONE, columns=16_000)), "as far out as"
    yield "rows", ods(ROWS, raw=_row(ONE, rows=1_000_000)), "as far out as"
    yield "columns that are empty", ods(ROWS, raw=_row(EMPTY, columns=10**9)), "says to have"
    yield "cells", ods(ROWS, raw=_row(ONE, rows=15_000, columns=400)), "as far out as"
    yield "a packed file", packed({"a.txt": "hello"}), "no workbook"
    yield "half a file", xlsx(ROWS)[:300], "damaged"
    yield "many parts", packed({f"{i}": b"" for i in range(2_001)}), "parts"


def _row(cell: str, rows: int = 1, columns: int = 1) -> str:
    repeated = cell.replace("/>", f' table:number-columns-repeated="{columns}"/>')
    return f'<table:table-row table:number-rows-repeated="{rows}">{repeated}</table:table-row>'


@pytest.mark.parametrize(("data", "why"), [pytest.param(d, w, id=name) for name, d, w in bombs()])
def test_a_bomb_is_refused(data: bytes, why: str) -> None:
    pytest.importorskip("python_calamine")
    assert len(data) < LARGEST_FILE
    (line,) = said(data, "cards.xlsx")
    assert "D138" in line
    assert why in line


def test_parts_that_are_not_read_are_not_unpacked() -> None:
    """Pictures and macros of a workbook may be as large as they are."""
    pytest.importorskip("python_calamine")
    made = BytesIO(xlsx(ROWS))
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/image1.png", b"\0" * (MOST_XML + 1))
        archive.writestr("xl/vbaProject.bin", b"\0" * (MOST_XML + 1))
    assert sheet_text(made.getvalue(), "", "cards.xlsx") == sheet_text(xlsx(ROWS), "", "cards.xlsx")


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1+1", "-1", "@SUM(A1)", '=cmd|"/c calc"!A1'])
def test_what_looks_like_a_formula_is_text(text: str) -> None:
    quoted = '"' + text.replace('"', '""') + '"'
    assert rules_of(PLAIN.replace("Stays", quoted).encode()).labels["card.guard.text"] == text
    assert "does not fit" in said(PLAIN.replace(",2,blue", ",=1+1,blue").encode())[0]


@pytest.mark.parametrize("path", ["../cards.csv", "/etc/passwd.csv", "a/../../cards.xlsx#Cards", "c:\\x.csv"])
def test_a_table_lies_in_the_folder(path: str) -> None:
    files = folder(PLAIN.encode())
    game = files.fetch("game.yaml").decode().replace('"cards.csv"', f"'{path}'").encode()
    opened: list[str] = []

    def fetch(asked: str) -> bytes:
        opened.append(asked)
        return game if asked == "game.yaml" else files.fetch(asked)

    with pytest.raises(ErrorsReported) as stop:
        load(Folder("probe", fetch))
    assert "it lies outside the ruleset's folder" in lines(stop.value.report)
    assert path.partition("#")[0] not in opened


def test_a_link_does_not_lead_out(tmp_path: Path) -> None:
    own = tmp_path / "probe"
    own.mkdir()
    (tmp_path / "secret.csv").write_text(PLAIN)
    for name in ("game.yaml", "probe.rules"):
        (own / name).write_bytes(folder(b"").fetch(name))
    (own / "cards.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(ErrorsReported) as stop:
        load(folder_of(own))
    assert "D071" in lines(stop.value.report)


@pytest.mark.parametrize(
    "text",
    [
        '"' * 100_001,
        '"a' * 50_000,
        "a\n" * 50_000,
        "," * 100_000,
        "\n" * 100_000,
        '"a",' * 50_000,
        ";,|\t" * 20_000,
    ],
    ids=["quotes", "open quotes", "lines", "commas", "gaps", "quoted cells", "separators"],
)
def test_a_table_is_gone_through_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No character is looked at by more than a few cells."""
    cells = 0
    cell = delimited._cell

    def counted(*arguments: object) -> object:
        nonlocal cells
        cells += 1
        return cell(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(delimited, "_cell", counted)
    try:
        found = sum(len(row.text) for rows in rows_of(Source("x.csv", text)) for row in rows.cells)
        assert found <= len(text)
    except DiagnosticError:
        pass
    assert cells <= 5 * (len(text) + 1)


def test_a_large_table_with_a_mistake_in_each_row_is_told_in_bounds() -> None:
    rows = "".join(f"card_{i},many,green,1,,\n" for i in range(4_000))
    assert len(said((PLAIN.splitlines()[0] + "\n" + rows).encode())) <= 100


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xff\xfe", b"\xef\xbb\xbf", b"Name", b"Name,Cost\n", b"\0\1\2", b"\xff"]
)
def test_what_is_no_table_is_told_once(data: bytes) -> None:
    assert len(said(data)) == 1


def test_a_character_that_controls_a_terminal_is_told_by_its_cell() -> None:
    (line,) = said(PLAIN.replace("Stays", "St\x1bys").encode())
    assert "D070" in line
    assert ", F3]" in line
