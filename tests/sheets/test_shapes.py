"""Tables as people keep them: each is read, or refused with one message that names the cell and the mend."""

# ruff: noqa: E501
from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.sheets.games import rules_of, said
from tests.sheets.workbooks import Cell, ods, xlsx

HEAD = "Name,Cost,Suit,Copies,Rare,Text"
PLAIN = f"{HEAD}\nsmith,3,red,1,,\nguard,2,blue,2,true,Stays\n"
ROWS: list[list[Cell]] = [
    ["Name", "Cost", "Suit", "Copies", "Rare", "Text"],
    ["smith", 3, "red", 1, None, None],
    ["guard", 2, "blue", 2, True, "Stays"],
]
NAMES, COSTS, COPIES, RARE = ("smith", "guard"), (3, 2), (1, 2), (0, 1)


def separated(by: str, text: str = PLAIN) -> str:
    return text.replace(",", by)


READ: dict[str, tuple[bytes, str, str]] = {
    "commas": (PLAIN.encode(), "cards.csv", ""),
    "semicolons, as Excel writes in half of Europe": (separated(";").encode(), "cards.csv", ""),
    "tabs": (separated("\t").encode(), "cards.tsv", ""),
    "bars": (separated("|").encode(), "cards.csv", ""),
    "sep= above": (("sep=;\n" + separated(";")).encode(), "cards.csv", ""),
    "a byte order mark": (PLAIN.encode("utf-8-sig"), "cards.csv", ""),
    "UTF-16 with a mark": (separated("\t").encode("utf-16"), "cards.csv", ""),
    "UTF-16 the other way": (("\ufeff" + separated("\t")).encode("utf-16-be"), "cards.csv", ""),
    "UTF-16 without a mark": (PLAIN.encode("utf-16-le"), "cards.csv", ""),
    "carriage returns alone": (PLAIN.replace("\n", "\r").encode(), "cards.csv", ""),
    "both line ends": (PLAIN.replace("\n", "\r\n").encode(), "cards.csv", ""),
    "no line end at the end": (PLAIN.rstrip("\n").encode(), "cards.csv", ""),
    "every cell quoted": (
        "\n".join(",".join(f'"{c}"' for c in line.split(",")) for line in PLAIN.splitlines()).encode(),
        "cards.csv",
        "",
    ),
    "numbers with a decimal point": (PLAIN.replace(",3,", ",3.0,").encode(), "cards.csv", ""),
    "numbers with a decimal comma": (separated(";").replace(";3;", ";3,00;").encode(), "cards.csv", ""),
    "a flag as a cross": (PLAIN.replace("true", "x").encode(), "cards.csv", ""),
    "a flag as a word": (PLAIN.replace("true", "Yes").encode(), "cards.csv", ""),
    "capitalised values": (PLAIN.replace("red", "Red").replace("blue", "BLUE").encode(), "cards.csv", ""),
    "titles in capitals and with blanks": (
        PLAIN.replace("Cost", " COST ").replace("Text", "text").encode(), "cards.csv", "",
    ),
    "a title row, a gap and the header": (("The cards of my game\n\n" + PLAIN).encode(), "cards.csv", ""),
    "a title row with several cells": (("My game,,v3,,,\n" + PLAIN).encode(), "cards.csv", ""),
    "a note below": ((PLAIN + "\nTotal: 3 cards in the box\n").encode(), "cards.csv", ""),
    "empty rows and columns": (
        PLAIN.replace("\n", ",,\n").replace("guard", ",,,,,,,\nguard").encode(), "cards.csv", "",
    ),
    "an empty first column": (("," + PLAIN.rstrip("\n").replace("\n", "\n,") + "\n").encode(), "cards.csv", ""),
    "comments": (PLAIN.replace("guard", "# not sure of this one\nguard").encode(), "cards.csv", ""),
    "names in another column": (
        b"#,Cost,Card name,Suit,Copies,Rare,Text\n1,3,smith,red,1,,\n2,2,guard,blue,2,x,Stays\n",
        "cards.csv",
        'names: Card name, ignored: ["#"]',
    ),
    "other titles": (
        PLAIN.replace("Cost", "Gold (coins)").replace("Copies", "Qty").encode(),
        "cards.csv",
        'headers: {"Gold (coins)": cost, Qty: copies}',
    ),
    "columns for the designer alone": (
        PLAIN.replace("Text\n", "Text,Notes\n").replace("true,Stays", "true,Stays,too strong?")
        .replace(",,\n", ",,,\n").encode(),
        "cards.csv",
        "ignored: [Notes]",
    ),
    "any further column": (
        PLAIN.replace("Text\n", "Text,Notes,Who\n").replace("Stays", "Stays,a,b").replace(",,\n", ",,,,\n").encode(),
        "cards.csv",
        "ignored: others",
    ),
}  # fmt: skip
WORKBOOKS: dict[str, tuple[bytes, str, str]] = {
    "xlsx": (xlsx(ROWS), "cards.xlsx", ""),
    "xlsx that is called csv": (xlsx(ROWS), "cards.csv", ""),
    "text that is called xlsx": (PLAIN.encode(), "cards.xlsx", ""),
    "ods": (ods(ROWS), "cards.ods", ""),
    "a named sheet": (xlsx({"Notes": [["x"]], "All cards": ROWS}), "cards.xlsx#All cards", ""),
    "one visible sheet": (xlsx({"Lists": [["x"]], "Cards": ROWS}, hidden=["Lists"]), "cards.xlsx", ""),
    "formulas": (xlsx([*ROWS[:2], ["guard", "=1+1|2", "blue", "=C1|2", True, "Stays"]]), "cards.xlsx", ""),
    "a merged title": (xlsx([["The cards"], [], *ROWS], merged=["A1:F1"]), "cards.xlsx", ""),
    "hidden rows": (
        xlsx(ROWS[:2], raw='<row r="3" hidden="1"><c r="A3" t="inlineStr"><is><t>guard</t></is></c>'
             '<c r="B3"><v>2</v></c><c r="C3" t="inlineStr"><is><t>blue</t></is></c><c r="D3"><v>2</v></c>'
             '<c r="E3" t="b"><v>1</v></c><c r="F3" t="inlineStr"><is><t>Stays</t></is></c></row>'),
        "cards.xlsx", "",
    ),
    "empty cells with a style, far down": (
        xlsx(ROWS, raw="".join(f'<row r="{i}"><c r="A{i}" s="1"/></row>' for i in range(4, 1000))), "cards.xlsx", "",
    ),
    "ods that fills the sheet": (
        ods(ROWS, raw='<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
            'table:number-columns-repeated="16384"/></table:table-row>'),
        "cards.ods", "",
    ),
}  # fmt: skip


def test_there_are_enough_shapes() -> None:
    assert len(READ) + len(WORKBOOKS) + len(REFUSED) >= 28


@pytest.mark.parametrize("name", READ)
def test_a_table_is_read_as_it_is(name: str) -> None:
    _assert_read(*READ[name])


@pytest.mark.parametrize("name", WORKBOOKS)
def test_a_workbook_is_read_as_it_is(name: str) -> None:
    pytest.importorskip("python_calamine")
    _assert_read(*WORKBOOKS[name])


def _assert_read(data: bytes, table: str, more: str) -> None:
    rules = rules_of(data, table, more)
    card = rules.components["card"]
    assert card.classes == NAMES
    assert card.columns["cost"].values == COSTS
    assert card.copies == COPIES
    assert card.columns["rare"].values == RARE
    assert [rules.types["suit"].names[v] for v in card.columns["suit"].values] == ["red", "blue"]
    assert rules.labels.get("card.guard.text") == "Stays"


def test_a_range_that_is_merged_has_its_value_in_every_cell() -> None:
    pytest.importorskip("python_calamine")
    rows = [*ROWS[:2], ["guard", 2, None, 2], ["spy", 1, "blue", 1]]
    card = rules_of(xlsx(rows, merged=["C2:C3"]), "cards.xlsx").components["card"]
    assert card.columns["suit"].values == (0, 0, 1)


@pytest.mark.parametrize(
    ("encoding", "name", "word"),
    [
        ("cp1250", "Kikötő", "kikoto"),
        ("cp1250", "Erdő", "erdo"),
        ("cp1250", "Cetăţi", "cetati"),
        ("cp1250", "Żółw", "zolw"),
        ("cp1252", "Château à l'été", "chateau_a_lete"),
        ("cp1252", "Größe", "grosse"),
        ("cp1252", "Español y mañana", "espanol_y_manana"),
        ("utf-8", "Ελλάδα", "ellada"),
        ("utf-8", "Вода", "voda"),
        ("utf-16", "山 水", "_5c71_6c34"),
        ("utf-8", "Toll House", "toll_house"),
        ("utf-8", "7 Wonders", "_7_wonders"),
        ("utf-8", "Move", "Move"),
        ("utf-8", "If...", "if_"),
    ],
)
def test_a_name_gets_a_word_and_stays_its_label(encoding: str, name: str, word: str) -> None:
    rules = rules_of(PLAIN.replace("guard", name).encode(encoding))
    assert rules.components["card"].classes[1] == word
    assert rules.labels.get(word, word) == name


def test_a_cell_has_line_breaks_and_separators() -> None:
    text = PLAIN.replace("Stays", '"Stays, if ""asked"";\nelse goes"')
    assert rules_of(text.encode()).labels["card.guard.text"] == 'Stays, if "asked";\nelse goes'


# ---- refused


@dataclass(frozen=True)
class Refused:
    """A table with one mistake: what is said names the cell, what stands there, and the mend."""

    data: bytes
    cell: str
    message: str
    mend: str
    table: str = "cards.csv"
    more: str = ""
    workbook: bool = False


REFUSED: dict[str, Refused] = {
    "a word for a number": Refused(
        PLAIN.replace(",2,blue", ",many,blue").encode(), "B3", "`many` does not fit column `cost`", "within 0..9"
    ),
    "a fraction": Refused(
        PLAIN.replace(",2,blue", ",2.5,blue").encode(), "B3", "`2.5` does not fit column `cost`", "fraction"
    ),
    "a number out of range": Refused(
        separated(";", PLAIN.replace(",2,blue", ",12,blue")).encode(), "B3", "not in 0..9", "widen the range"
    ),
    "an unknown value": Refused(
        PLAIN.replace("blue", "green").encode(), "C3", "not a value of `suit`", "`red` and `blue`"
    ),
    "neither yes nor no": Refused(
        PLAIN.replace("true", "maybe").encode(), "E3", "expected `true` or `false`", "`x`"
    ),
    "a further column": Refused(
        PLAIN.replace("Text\n", "Text,Art notes\n").replace(",,\n", ",,,\n").replace("Stays", "Stays,blue sky").encode(),
        "G1", "column `Art notes` is not declared", "`art_notes`",
    ),
    "two titles for one column": Refused(
        PLAIN.replace("Rare", "COST").encode(), "E1", "`COST` is `cost`, as is `Cost`", "another name"
    ),
    "two names for one word": Refused(
        PLAIN.replace("smith", "Toll House").replace("guard", "Toll-house").encode(),
        "A3", "`Toll-house` is `toll_house`, as is `Toll House`", "another name",
    ),
    "a name without letters": Refused(PLAIN.replace("guard", "★").encode(), "A3", "no word", "letters or digits"),
    "a row without a name": Refused(PLAIN.replace("guard", "").encode(), "A3", "this row has no name", "`#`"),
    "a cell too many": Refused(PLAIN.replace("Stays", "Stays,if").encode(), "A3", "7 cells for 6", "`G3`"),
    "an open quote": Refused(PLAIN.replace("Stays", '"Stays').encode(), "", "unclosed quote", "close it"),
    "a failed formula": Refused(
        xlsx([*ROWS[:2], ["guard", "#REF!", "blue", 2]]), "B3", "`#REF!`: a formula without a value",
        "correct the formula", "cards.xlsx", workbook=True,
    ),
    "a formula that was never computed": Refused(
        xlsx([*ROWS[:2], ["guard", "=1+1", "blue", 2]]), "B3", "a formula without a value", "save",
        "cards.xlsx", workbook=True,
    ),
    "a wrong cell of a workbook": Refused(
        ods([*ROWS[:2], ["guard", "many", "blue", 2]]), "B3", "`many` does not fit", "0..9", "cards.ods", workbook=True
    ),
    "a number that became a date": Refused(
        xlsx([*ROWS[:2], ["guard", "2026-03-01", "blue", 2]]), "B3", "`2026-03-01` does not fit", "0..9",
        "cards.xlsx#Sheet1", workbook=True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_mistake_is_told_by_its_cell(name: str) -> None:
    wrong = REFUSED[name]
    if wrong.workbook:
        pytest.importorskip("python_calamine")
    (line,) = said(wrong.data, wrong.table, wrong.more)
    assert wrong.message in line
    assert wrong.mend in line.partition("(help: ")[2]
    if wrong.cell:
        assert f", {wrong.cell}]" in line
    assert line.startswith("probe/" + wrong.table)
    if wrong.workbook:
        assert line.startswith(f"probe/{wrong.table}!{wrong.cell}: ")


def test_all_mistakes_of_a_table_are_told_at_once() -> None:
    wrong = PLAIN.replace("3,red", "x,pink").replace("2,blue", "y,mauve").replace("true", "maybe")
    cells = [line.partition("]")[0].rpartition(" ")[2] for line in said(wrong.encode())]
    assert cells == ["B2", "C2", "B3", "C3", "E3"]


def test_which_sheet_is_meant_must_be_said() -> None:
    pytest.importorskip("python_calamine")
    book = xlsx({"Cards": ROWS, "Notes": [["x"]]})
    (line,) = said(book, "cards.xlsx")
    assert "it has 2 sheets, and none is named" in line
    assert "`#Cards`" in line
    (line,) = said(book, "cards.xlsx#Crads")
    assert "it has no sheet `Crads`" in line
    assert "did you mean `Cards`?" in line
