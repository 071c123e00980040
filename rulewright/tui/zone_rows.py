"""Zones whose declaration says `drawn: rows`: each piece with what its table says and what lies on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl.domains import PieceType
from interpreter import ir
from rulewright.tui.sheets import Sheet, sheet_of
from rulewright.tui.styles import QUIET, STRONG, said
from rulewright.tui.view_model import ViewModel


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece: whose it is, where that is to be said, and which row of its table."""

    whose: str
    row: int


def laid_out(look: ViewModel) -> list[RenderableType]:
    """A table for each such zone in which anything is to be told."""
    found: list[RenderableType] = []
    for zone in look.zones():
        rows = list(_rows(look, zone))
        if rows:
            found.append(_table(look, zone, rows))
    return found


def _rows(look: ViewModel, zone: str) -> Iterator[PieceRow]:
    for number, place in look.places(zone):
        words = look.view.zones[look.names.place(number)]
        if look.is_laid_out(zone, place.of) and isinstance(words, list):
            classes = look.rules.components[look.rules.zones[zone].component].classes
            for i, word in enumerate(words):
                yield PieceRow(_whose(look, zone, place) if i == 0 else "", classes.index(word))


def _whose(look: ViewModel, zone: str, place: ir.Place) -> str:
    of, at = look.rules.zones[zone].var.of, look.rules.zones[zone].var.at
    names = [
        look.seat_title(place.of or 0) if of == "seat" else look.names.label(look.names.index(of, place.of))
    ]
    names.append(look.names.label(look.names.index(at, place.at)))
    return " ".join(name for name in names if name)


def _table(look: ViewModel, zone: str, rows: list[PieceRow]) -> Table:
    component = look.rules.zones[zone].component
    sheet = sheet_of(look.names, PieceType(component))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(said(look.label(zone), STRONG))
    for title in sheet.titles:
        table.add_column(said(title, QUIET), justify="right")
    table.add_column(said(sheet.title, QUIET))
    indent = max(len(row.whose) for row in rows)
    for row in rows:
        table.add_row(*_cells(look, component, sheet, row, indent + bool(indent)))
    return table


def _cells(look: ViewModel, component: str, sheet: Sheet, row: PieceRow, indent: int) -> Iterator[Text]:
    yield said(f"{row.whose:<{indent}}{look.label(sheet.words[row.row])}")
    yield from (said(cell) for cell in sheet.cells(row.row))
    lying = look.lying(component, row.row)
    yield said(sheet.rest(row.row, lying))
