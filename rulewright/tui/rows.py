"""Tables of zones with an index: a row of places per seat, with the names of the places above."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl import rules as r
from dsl.domains import PieceType
from interpreter import ir
from rulewright.tui.boards import draw_board
from rulewright.tui.sheets import sheet_of
from rulewright.tui.styles import BOLD, DIM, HIGHLIGHT, borderless_table, styled
from rulewright.tui.view_model import ViewModel

NARROWEST = 6
Row = dict[int, int]
"""Values of the index to numbers of places."""


def place_tables(model: ViewModel, width: int) -> list[RenderableType]:
    """A board or table for each non-empty zone with an index; a table that is too wide is split.

    Zones whose places are all shown row by row are left out.
    """
    found: list[RenderableType] = []
    for zone in model.zones():
        var = model.var(zone)
        index = var and (var.at or (var.of if var.of != "seat" else None))
        if (
            var is not None
            and index
            and not model.has_picture(index)
            and any(model.pieces(n) for n, _ in model.places(zone))
            and not all(model.shows_rows(zone, place.of) for _, place in model.places(zone))
        ):
            found += _tables(model, zone, index, width)
    return found


def _tables(model: ViewModel, zone: str, index: str, width: int) -> Sequence[RenderableType]:
    rows = _rows(model, zone)
    if not rows:
        return []
    board = _board(model, zone, index, rows[0][1], width) if len(rows) == 1 else None
    if board is not None:
        return [board]
    values = model.values(index)
    room = max(1, (width - 4) // (_widest_word(model, rows) + 1))
    if len(values) > room:
        values = tuple(v for v in values if any(model.pieces(row[v]) for _, row in rows if v in row))
    cuts = [values[i : i + room] for i in range(0, len(values), room)]
    return [_table(model, zone, index, rows, cut) for cut in cuts]


def _widest_word(model: ViewModel, rows: Sequence[tuple[int | None, Row]]) -> int:
    """The columns without which a word of a place would be cut in two."""
    texts = (model.pieces(number) for _, row in rows for number in row.values())
    return max([NARROWEST, *(len(word) for text in texts for word in text.split())])


def _board(model: ViewModel, zone: str, index: str, row: Row, width: int) -> RenderableType | None:
    return draw_board(model, model.label(zone), index, lambda v: styled(model.pieces(row[v])), width)


def _rows(model: ViewModel, zone: str) -> list[tuple[int | None, Row]]:
    """The places of a zone, by its first index (None if it has one index only) and by its last.

    Rows of pieces are left out if they are empty, as there may be a hundred cards, or shown elsewhere.
    """
    rows: dict[int | None, Row] = {}
    for number, place in model.places(zone):
        first, last = (place.of, place.at) if place.at is not None else (None, place.of)
        if last is not None:
            rows.setdefault(first, {})[last] = number
    var = model.var(zone)
    if var is not None and var.at is not None and var.of in model.rules.components:
        elsewhere = _rows_shown_elsewhere(model, var)
        filled = ((i, row) for i, row in rows.items() if i not in elsewhere)
        return [(i, row) for i, row in filled if any(model.pieces(n) for n in row.values())]
    return list(rows.items())


def _rows_shown_elsewhere(model: ViewModel, var: r.StateVar) -> set[int]:
    """The rows of pieces that are shown with their contents: a group of their table has the same key."""
    component = var.of or ""
    lead = sheet_of(model.names, PieceType(component)).lead
    return model.rows_shown(component) if lead is not None and lead.keyed_by == var.at else set()


def _table(
    model: ViewModel,
    zone: str,
    index: str,
    rows: Sequence[tuple[int | None, Row]],
    values: Sequence[int],
) -> Table:
    table = borderless_table(title=model.label(zone))
    table.add_column("")
    for value in values:
        table.add_column(styled(model.value(index, value), BOLD), min_width=NARROWEST, overflow="fold")
    for first, row in rows:
        cells = [_cell(model, index, first, value, row) for value in values]
        table.add_row(styled(_row_name(model, zone, first), BOLD), *cells)
    return table


def _row_name(model: ViewModel, zone: str, first: int | None) -> str:
    var = model.var(zone)
    if first is None or var is None or var.of is None:
        return ""
    if var.of == "seat":
        return f"{'▶' if model.is_active(first) else ' '}{model.seat_label(first)}"
    return model.value(var.of, first)


def _cell(model: ViewModel, index: str, first: int | None, value: int, row: Row) -> Text:
    """The pieces on a place, and below them its marks and changed values."""
    notes = _marks(model, index, first, value)
    pieces = ""
    if value in row:
        pieces = model.pieces(row[value])
        notes += model.changed_values(row[value])
    cell = styled(pieces or "·", "" if pieces else DIM)
    for note in notes:
        cell.append("\n").append_text(styled(note, HIGHLIGHT))
    return cell


def _marks(model: ViewModel, index: str, first: int | None, value: int) -> list[str]:
    """The labels of the marks on the same place."""
    found = [w for w in model.variables() if is_on_places(model, w) and w.at == index]
    return [model.label(w.name) for w in found if model.text_of(w, first, value)]


def is_on_places(model: ViewModel, words: ir.VarLayout) -> bool:
    """Whether a mark is drawn with a zone: a non-empty zone has the same indices."""
    return words.kind == "mark" and any(
        (var := model.var(zone)) is not None
        and (var.of, var.at) == (words.of, words.at)
        and words.at is not None
        and any(model.pieces(n) for n, _ in model.places(zone))
        for zone in model.zones()
    )
