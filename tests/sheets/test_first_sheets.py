"""Spreadsheets as people really have them, and the game that `rulewright new --from` begins with each.

Each is read, or there is one message that names the cell and the mend; and what is read otherwise than it
may seem is told by its cell.
"""

# ruff: noqa: E501
from __future__ import annotations

from dataclasses import dataclass

import pytest

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.folder import Folder
from dsl.load import load
from dsl.render import lines
from dsl.sheets.delimited import table_path
from rulewright.editors.sheet_game import SheetGame, sheet_game
from tests.sheets.workbooks import Cell, ods, xlsx

CARDS = """Name,Cost,Suit,Copies,Rare,Text
Smith,3,red,1,,Take one
Guard,2,blue,2,x,Stays
Spy,5,red,3,,Look
Fox,4,blue,1,x,Run
"""
ROWS: list[list[Cell]] = [
    ["Name", "Cost", "Suit", "Copies", "Rare", "Text"],
    ["Smith", 3, "red", 1, None, "Take one"],
    ["Guard", 2, "blue", 2, True, "Stays"],
    ["Spy", 5, "red", 3, None, "Look"],
    ["Fox", 4, "blue", 1, True, "Run"],
]
WHOLE = "cost: 2..5; suit: [red, blue]; copies: 1..3; rare: flag; text: text"


def replaced(*pairs: str, text: str = CARDS) -> bytes:
    """The cards with each `old` replaced by the `new` after it."""
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return text.encode()


def semicolons(text: bytes) -> str:
    return text.decode().replace(",", ";")


@dataclass(frozen=True)
class Shape:
    """A table, the columns that are declared for it, what is remarked, and what is wrong with it."""

    data: bytes
    columns: str = WHOLE
    remark: str = ""
    wrong: str = ""
    file: str = "cards.csv"
    cards: int = 4


SHAPES = {
    "groups above the titles": Shape(
        xlsx([["Name", "Numbers", None, "What", None, None], *ROWS], merged=["B1:C1", "D1:F1"]), file="cards.xlsx"
    ),
    "titles merged over two rows": Shape(
        xlsx(
            [["Name", "Numbers", None, "Rare"], [None, "Cost", "Copies", None], *([r[0], r[1], r[3], r[4]] for r in ROWS[1:])],
            merged=["A1:A2", "B1:C1", "D1:D2"],
        ),
        "cost: 2..5; copies: 1..3; rare: flag", file="cards.xlsx",
    ),
    "a title with empty cells above": Shape(replaced("Name,", "My cards,,,,,\nName,")),
    "totals below": Shape(CARDS.encode() + b"Total,14,,7,,\n"),
    "totals below an empty row": Shape(ods([*ROWS, [], ["Összesen", None, None, 7]]), file="cards.ods"),
    "a card called Total": Shape(CARDS.encode() + b"Total,1,red,2,,\n", WHOLE.replace("2..5", "1..5"), cards=5),
    "a heading between rows": Shape(replaced("Spy", "--- Second age ---,,,,,\nSpy")),
    "an empty column between": Shape(replaced("Suit", ",Suit", "red,", ",red,", "blue,", ",blue,")),
    "thousands with commas": Shape(
        replaced(",3,red", ',"3,000",red', ",2,blue", ',"2,500",blue', ",5,", ',"12,000",', ",4,", ',"1,000,000",'),
        WHOLE.replace("cost: 2..5", "cost: 2500..1000000"),
    ),
    "thousands with blanks": Shape(
        semicolons(replaced(",5,", ",12\u00a0000,", ",4,", ",4\u202f000,", ",3,red", ",3 000,red", ",2,blue", ",2 500,blue")).encode(),
        WHOLE.replace("cost: 2..5", "cost: 2500..12000"),
    ),
    "a decimal comma": Shape(
        semicolons(CARDS.encode()).replace(";5;", ";2,5;").encode(), WHOLE.replace("cost: 2..5", "cost: text"),
        "`Cost` is text: B4 has `2,5`, which is no whole number",
    ),
    "dates": Shape(
        xlsx([[*row, "Changed" if i == 0 else f"2026-0{i}-01"] for i, row in enumerate(ROWS)]), f"{WHOLE}; changed: text",
        "`Changed` is text: G2 has `2026-01-01`, which is no whole number", file="cards.xlsx",
    ),
    "percent": Shape(
        replaced(",3,red", ",30%,red", ",2,blue", ",20%,blue", ",5,", ",50%,"), WHOLE.replace("cost: 2..5", "cost: text"),
        "`Cost` is text: B2 has `30%`, which is no whole number",
    ),
    "Hungarian truth in Windows-1250": Shape(
        semicolons(replaced(",x,", ",IGAZ,", ",,", ",HAMIS,", "Stays", "Őr")).encode("cp1250")
    ),
    "German truth": Shape(semicolons(replaced(",x,", ",WAHR,", ",,", ",FALSCH,")).encode()),
    "Romanian truth": Shape(semicolons(replaced(",x,", ",ADEVĂRAT,", ",,", ",FALS,")).encode()),
    "several lines in a cell and in a title": Shape(
        replaced("Take one", '"Take one,\nthen another"', "Cost", '"Cost\n(gold)"'), WHOLE.replace("cost", "cost_gold")
    ),
    "several sheets": Shape(xlsx({"Cards": ROWS, "Notes": [["x"]]}), file="cards.xlsx"),
    "a formula that was never computed": Shape(
        xlsx([ROWS[0], ["Smith", "=1+1", *ROWS[1][2:]], *ROWS[2:]]), WHOLE.replace("cost: 2..5", "cost: text"),
        "`Cost` is text: B2 has `#FORMULA!`, which is no whole number", "B2: error: `#FORMULA!`: a formula without a value", "cards.xlsx",
    ),
    "apostrophes before numbers": Shape(replaced(",3,red", ",'3,red", ",2,blue", ",'2,blue", ",5,", ",'5,")),
    "blanks around cells": Shape(replaced(",", " , ")),
    "no-break spaces": Shape(replaced("Smith", "Toll\u00a0House", ",5,", ",5\u00a0,", "Cost", "Cost\u00a0")),
    "one title twice": Shape(
        replaced("Suit", "Cost"), WHOLE.replace("suit:", "cost_2:"), wrong="cards.csv:1:11: error: the column `Cost` is `cost_2`, as is `Cost`"
    ),
    "no title": Shape(
        replaced("Suit", ""), WHOLE.replace("suit: [red, blue]; ", ""), "C1 has no title: its column is left out"
    ),
    "no titles at all": Shape(
        b"Smith,3,red\nGuard,2,blue\nSpy,5,red\n", "_3: 2..5; red: text", "B1 has `3`: is there no line of titles?", cards=2
    ),
    "Hebrew": Shape("שם,מחיר\nנפח,3\nשומר,2\n".encode(), "mhyr: 2..3", cards=2),
    "Arabic": Shape("اسم,سعر\nحداد,3\nحارس,2\n".encode("utf-16"), "sar: 2..3", cards=2),
    "Japanese": Shape("カード名,コスト\n鍛冶屋,3\nスパイ,5\n".encode(), "kosuto: 3..5", cards=2),
    "sep= in UTF-16": Shape(("sep=;\r\n" + semicolons(CARDS.encode()).replace("\n", "\r\n")).encode("utf-16")),
}  # fmt: skip


def loaded(made: SheetGame) -> tuple[int, str]:
    """The number of cards of a game, and what is wrong with it."""

    def fetch(path: str) -> bytes:
        if (file := table_path(path)[0]) not in made.files:
            raise FileNotFoundError(2, "no such file")
        return made.files[file]

    try:
        rules, report = load(Folder("mine", fetch))
    except ErrorsReported as stop:
        return 0, lines(stop.report)
    return len(rules.components["card"].classes), lines(report)


@pytest.mark.parametrize("name", SHAPES)
def test_a_sheet_as_people_have_it_begins_a_game(name: str) -> None:
    shape = SHAPES[name]
    if shape.file != "cards.csv":
        pytest.importorskip("python_calamine")
    made = sheet_game("mine", "Mine", shape.file, shape.data, "")
    game = made.files["game.yaml"].decode()
    for column in shape.columns.split("; "):
        assert f"      {column}\n" in game
    assert made.remarks == ([shape.remark] if shape.remark else [])
    cards, wrong = loaded(made)
    if shape.wrong:
        assert shape.wrong in wrong
        assert len(wrong.splitlines()) == 1
    else:
        assert (cards, wrong) == (shape.cards, "")


@pytest.mark.parametrize(
    ("data", "file", "said"),
    [
        (b"\xd0\xcf\x11\xe0" + bytes(600), "cards.xls", "save it as .xlsx or .ods, without a password"),
        (b"Name,Cost\n", "cards.csv", "a table has a line of titles, then a line for each card"),
    ],
)
def test_what_has_no_cards_is_refused_with_the_mend(data: bytes, file: str, said: str) -> None:
    with pytest.raises(DiagnosticError) as stop:
        sheet_game("mine", "Mine", file, data, "")
    assert said == stop.value.diagnostic.help
