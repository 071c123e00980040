"""Tables of zones declared with `drawn: rows`: each piece with its table row and its contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl.domains import PieceType
from interpreter import ir
from interpreter.formatting import UNSEEN
from rulewright.tui.sheets import Sheet, sheet_of
from rulewright.tui.styles import BOLD, DIM, borderless_table, styled
from rulewright.tui.view_model import ViewModel


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece: its row in the table of its component; the first one of a place also has its owner."""

    owner: str
    row: int


def piece_tables(model: ViewModel) -> list[RenderableType]:
    """A table for each such zone that is not empty."""
    found: list[RenderableType] = []
    for zone in model.zones():
        rows = list(_rows(model, zone))
        if rows:
            found.append(_table(model, zone, rows))
    return found


def _rows(model: ViewModel, zone: str) -> Iterator[PieceRow]:
    for number, place in model.places(zone):
        words = model.view.zones[model.names.place(number)]
        if model.shows_rows(zone, place.of) and isinstance(words, list):
            classes = model.rules.components[model.rules.zones[zone].component].classes
            for i, word in enumerate(one for one in words if one != UNSEEN):
                yield PieceRow("" if i else _owner_and_place(model, zone, place), classes.index(word))


def _owner_and_place(model: ViewModel, zone: str, place: ir.Place) -> str:
    of, at = model.rules.zones[zone].var.of, model.rules.zones[zone].var.at
    names = [
        model.seat_title(place.of or 0)
        if of == "seat"
        else model.names.label(model.names.keys.index(of, place.of))
    ]
    names.append(model.names.label(model.names.keys.index(at, place.at)))
    return " ".join(name for name in names if name)


def _table(model: ViewModel, zone: str, rows: list[PieceRow]) -> Table:
    component = model.rules.zones[zone].component
    sheet = sheet_of(model.names, PieceType(component))
    table = borderless_table(2)
    table.add_column(styled(model.label(zone), BOLD))
    for title in sheet.titles:
        table.add_column(styled(title, DIM), justify="right")
    table.add_column(styled(sheet.title, DIM))
    indent = max(len(row.owner) for row in rows)
    for row in rows:
        table.add_row(*_cells(model, component, sheet, row, indent + bool(indent)))
    return table


def _cells(model: ViewModel, component: str, sheet: Sheet, row: PieceRow, indent: int) -> Iterator[Text]:
    yield styled(f"{row.owner:<{indent}}{model.label(sheet.words[row.row])}")
    yield from (styled(cell) for cell in sheet.cells(row.row))
    amount_at = model.amounts_on(component, row.row)
    yield styled(sheet.rest(row.row, amount_at))
