"""Counters, marks and pointers with an index: a row per value, a column per seat."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl.domains import IntType
from interpreter import ir
from rulewright.tui.boards import drawn_board
from rulewright.tui.rows import is_on_places
from rulewright.tui.styles import QUIET, SIDES, STRONG, said
from rulewright.tui.view_model import ViewModel


def grids(look: ViewModel, width: int) -> list[RenderableType]:
    """One board or grid for each counter, mark or pointer with an index; a grid without its empty rows."""
    drawn = [w for w in look.words() if _is_grid(look, w)]
    found = [_board(look, words, width) or _grid(look, words) for words in drawn]
    return [block for block in found if block is not None]


def _board(look: ViewModel, words: ir.VarLayout, width: int) -> RenderableType | None:
    """What is said of places of a board and of no seat, as the board lies."""
    first, index = look.axes(words)
    if first is not None or index is None:
        return None
    return drawn_board(look, look.label(words.name), index, lambda v: _content(look, words, v), width)


def _content(look: ViewModel, words: ir.VarLayout, value: int) -> Text:
    seat = look.pointed_seat(words, value)
    return said(look.at(words, None, value), SIDES[seat % len(SIDES)] if seat is not None else "")


def _is_grid(look: ViewModel, words: ir.VarLayout) -> bool:
    first, last = look.axes(words)
    if last is None or look.is_whole(last) or is_on_places(look, words):
        return False
    return first is not None or _host(look, words) is None


def _host(look: ViewModel, words: ir.VarLayout) -> ir.VarLayout | None:
    """The grid by seats over the same index in which something without a seat finds room."""
    last = look.axes(words)[1]
    return next((w for w in look.words() if look.axes(w) == ("seat", last)), None)


def _guests(look: ViewModel, words: ir.VarLayout) -> list[ir.VarLayout]:
    """What has the same index and no seat: further columns of this grid."""
    alone = (None, look.axes(words)[1])
    return [w for w in look.words() if look.axes(w) == alone and _host(look, w) is words]


def _grid(look: ViewModel, words: ir.VarLayout) -> Table | None:
    index = look.axes(words)[1]
    assert index is not None
    guests = _guests(look, words)
    rows = [(v, _cells(look, words, v, guests)) for v in look.values(index)]
    filled = [(v, cells) for v, cells in rows if any(cells)]
    if not filled:
        return None
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(said(look.label(words.name), QUIET), overflow="fold")
    for title in _titles(look, words, guests):
        table.add_column(title, justify="right", overflow="fold")
    for value, cells in filled:
        table.add_row(_row_title(look, words, index, value), *(said(c or "·") for c in cells))
    return table


def _titles(look: ViewModel, words: ir.VarLayout, guests: Sequence[ir.VarLayout]) -> list[Text]:
    first = look.axes(words)[0]
    found = [said(look.label(g.name), QUIET, narrow=True) for g in guests]
    if first == "seat":
        return [*(_seat_title(look, seat) for seat in look.seats), *found]
    if first is not None:
        return [*(said(look.value(first, v)) for v in look.values(first)), *found]
    return [Text(), *found]


def _seat_title(look: ViewModel, seat: int) -> Text:
    name = look.names.seat(seat)
    return said(f"▶{name}", STRONG) if look.is_active(seat) else said(name)


def _cells(look: ViewModel, words: ir.VarLayout, value: int, guests: Sequence[ir.VarLayout]) -> list[str]:
    first = look.axes(words)[0]
    if first is None:
        cells = [look.at(words, None, value)]
    else:
        across = look.seats if first == "seat" else look.values(first)
        cells = [look.at(words, v, value) for v in across]
    return [*cells, *(look.at(guest, None, value) for guest in guests)]


def _row_title(look: ViewModel, words: ir.VarLayout, index: str, value: int) -> Text:
    """The value's name, with the most that it can have where values differ in it."""
    text = said(look.value(index, value))
    most = _most(look, words, index, value)
    return text.append_text(said(f" /{most}", QUIET)) if most is not None else text


def _most(look: ViewModel, words: ir.VarLayout, index: str, value: int) -> int | None:
    """A table's column of the same name bounds a counter, else the ranges if they differ."""
    if words.kind != "counter" or index not in look.rules.types:
        return None
    decl = look.rules.types[index]
    column = decl.columns.get(words.name)
    if column is not None and isinstance(column.type, IntType) and column.values:
        return column.values[value - decl.lo]
    if words.at is None or len(set(words.ranges)) == 1:
        return None
    return words.ranges[value - words.at_lo][1]
