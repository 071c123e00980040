"""A table that somebody has typed or exported: what is passed over, and how much is told at one go."""

from __future__ import annotations

from dsl.diagnostics import ErrorsReported
from dsl.load import Folder, load

GAME = """\
game: demo
seats: 2
types: {hue: [red, blue]}
rules: [demo.rules]
components:
  card: {table: cards.csv, columns: {cost: 0..9, rare: flag, wants: {each: hue, range: 0..2}}}
zones:
  deck: {holds: card, seen_by: all, start: all}
flow:
  final: {score: highest}
"""
RULES = "score cards = size(deck)\n"
TABLE = """\
card,cost,rare,wants_red,wants_blue
smith,3,true,1,0
guard,9,,0,2
"""


def said(table: str) -> list[str]:
    """What is wrong with a table, or nothing."""
    files = {"game.yaml": GAME, "demo.rules": RULES, "cards.csv": table}
    try:
        _, report = load(Folder("demo", lambda path: files[path].encode()))
    except ErrorsReported as stop:
        report = stop.report
    return [diagnostic.message for diagnostic in report]


def as_left_by_a_spreadsheet() -> str:
    lines = [line + "," for line in ('"# Prices, in gold"' + ",,,,", *TABLE.splitlines())]
    return "\ufeff" + "\r\n".join([*lines, ",,,,,", ""]).replace("true", "TRUE")


def test_what_spreadsheets_leave_is_passed_over() -> None:
    assert said(TABLE) == []
    assert said(as_left_by_a_spreadsheet()) == []


def test_wrong_cells_of_all_columns_are_told_at_one_go() -> None:
    assert said(TABLE.replace("3,true,1", "x,maybe,7")) == [
        "`x` does not fit column `cost`: expected a whole number",
        "`maybe` does not fit column `rare`: expected `true` or `false`",
        "`7` does not fit column `wants_red`: not in 0..2",
    ]


def test_of_a_column_that_is_wrong_throughout_a_few_cells_are_told() -> None:
    many = TABLE + "".join(f"card_{number},ten,,0,0\n" for number in range(30))
    assert said(many) == ["`ten` does not fit column `cost`: expected a whole number"] * 20


def test_all_columns_that_are_missing_are_told() -> None:
    assert said(TABLE.replace("cost", "price").replace("rare", "seldom")) == [
        "missing column `cost`",
        "missing column `rare`",
    ]
