"""Zones with an index: a row of places per seat, with the names of the places above."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl import rules as r
from dsl.domains import PieceType
from interpreter import ir
from rulewright.tui.boards import drawn_board
from rulewright.tui.sheets import sheet_of
from rulewright.tui.styles import QUIET, STRONG, WARM, said
from rulewright.tui.view_model import ViewModel

NARROWEST = 6
Row = dict[int, int]
"""Values of the index to numbers of places."""


def rows_of_places(look: ViewModel, width: int) -> list[RenderableType]:
    """One board or table for each zone with an index on which anything lies, cut where it is too wide.

    Not for one of which every place is told row by row.
    """
    found: list[RenderableType] = []
    for zone in look.zones():
        var = look.var(zone)
        index = var and (var.at or (var.of if var.of != "seat" else None))
        if (
            var is not None
            and index
            and not look.is_whole(index)
            and any(look.pieces(n) for n, _ in look.places(zone))
            and not all(look.is_laid_out(zone, place.of) for _, place in look.places(zone))
        ):
            found += _tables(look, zone, index, width)
    return found


def _tables(look: ViewModel, zone: str, index: str, width: int) -> Sequence[RenderableType]:
    rows = _rows(look, zone)
    if not rows:
        return []
    board = _board(look, zone, index, rows[0][1], width) if len(rows) == 1 else None
    if board is not None:
        return [board]
    values = look.values(index)
    room = max(1, (width - 4) // (NARROWEST + 1))
    if len(values) > room:
        values = tuple(v for v in values if any(look.pieces(row[v]) for _, row in rows if v in row))
    cuts = [values[i : i + room] for i in range(0, len(values), room)]
    return [_table(look, zone, index, rows, cut) for cut in cuts]


def _board(look: ViewModel, zone: str, index: str, row: Row, width: int) -> RenderableType | None:
    return drawn_board(look, look.label(zone), index, lambda v: said(look.pieces(row[v])), width)


def _rows(look: ViewModel, zone: str) -> list[tuple[int | None, Row]]:
    """The places of a zone by its first index, if it has two, and by its last.

    Of rows that are pieces only those on which something lies, there may be a hundred cards, and of which
    nothing is told elsewhere.
    """
    rows: dict[int | None, Row] = {}
    for number, place in look.places(zone):
        first, last = (place.of, place.at) if place.at is not None else (None, place.of)
        if last is not None:
            rows.setdefault(first, {})[last] = number
    var = look.var(zone)
    if var is not None and var.at is not None and var.of in look.rules.components:
        told = _told_elsewhere(look, var)
        filled = ((i, row) for i, row in rows.items() if i not in told)
        return [(i, row) for i, row in filled if any(look.pieces(n) for n in row.values())]
    return list(rows.items())


def _told_elsewhere(look: ViewModel, var: r.StateVar) -> set[int]:
    """The rows of pieces that are told with what lies on them: a group of their table has the same key."""
    component = var.of or ""
    lead = sheet_of(look.names, PieceType(component)).lead
    return look.laid_out_rows(component) if lead is not None and lead.keyed_by == var.at else set()


def _table(
    look: ViewModel,
    zone: str,
    index: str,
    rows: Sequence[tuple[int | None, Row]],
    values: Sequence[int],
) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.title = said(look.label(zone), QUIET)
    table.title_justify = "left"
    table.add_column("")
    for value in values:
        table.add_column(said(look.value(index, value), STRONG), min_width=NARROWEST, overflow="fold")
    for first, row in rows:
        cells = [_cell(look, index, first, value, row) for value in values]
        table.add_row(said(_row_name(look, zone, first), STRONG), *cells)
    return table


def _row_name(look: ViewModel, zone: str, first: int | None) -> str:
    var = look.var(zone)
    if first is None or var is None or var.of is None:
        return ""
    if var.of == "seat":
        return f"{'▶' if look.is_active(first) else ' '}{look.names.seat(first)}"
    return look.value(var.of, first)


def _cell(look: ViewModel, index: str, first: int | None, value: int, row: Row) -> Text:
    """What lies there, and below it what is special about it."""
    notes = _marks(look, index, first, value)
    pieces = ""
    if value in row:
        pieces = look.pieces(row[value])
        notes += look.changed(row[value])
    cell = said(pieces or "·", "" if pieces else QUIET)
    for note in notes:
        cell.append("\n").append_text(said(note, WARM))
    return cell


def _marks(look: ViewModel, index: str, first: int | None, value: int) -> list[str]:
    """The marks that lie on the same place."""
    found = [w for w in look.words() if is_on_places(look, w) and w.at == index]
    return [look.label(w.name) for w in found if look.at(w, first, value)]


def is_on_places(look: ViewModel, words: ir.VarLayout) -> bool:
    """Whether a mark has the same indices as a zone on which anything lies, and is drawn there."""
    return words.kind == "mark" and any(
        (var := look.var(zone)) is not None
        and (var.of, var.at) == (words.of, words.at)
        and words.at is not None
        and any(look.pieces(n) for n, _ in look.places(zone))
        for zone in look.zones()
    )
