"""The game table as text, laid out from the declarations: shared values, seats, rows, grids and boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dsl import rules as r
from interpreter import ir
from rulewright.tui.board_picture import board_pictures
from rulewright.tui.grids import grids
from rulewright.tui.packing import packed
from rulewright.tui.rows import place_tables
from rulewright.tui.styles import BOLD, DIM, borderless_table, styled
from rulewright.tui.view_model import ViewModel
from rulewright.tui.zone_rows import piece_tables

SHORT = 3
ALL = 10_000


def board(model: ViewModel, console: Console, width: int) -> RenderableType:
    """Everything that the seat may see, without what is empty."""
    pictures = board_pictures(model, max(width, console.width))
    boards = [*pictures, *place_tables(model, width), *grids(model, width)]
    blocks: list[RenderableType] = [*seat_table(model), *piece_tables(model), *value_tables(model), *boards]
    texts: list[RenderableType] = [*own(model), *shared(model)]
    if console.width > width:
        texts = [Padding(text, (0, console.width - width, 0, 0)) for text in texts]
    return Group(*texts, *packed(blocks, console, max(width, console.width)))


def heading(model: ViewModel) -> Text:
    """`Title · phase · ▶A you  B random`"""
    text = styled(model.rules.title, BOLD)
    text.append_text(styled(f" · {model.label(model.view.phase)} ·"))
    for seat in model.seats:
        style = BOLD if model.is_active(seat) else ""
        text.append_text(styled(f"{'  ' if seat else ' '}{model.seat_and_player(seat)}", style))
    return text


# ---- what only the seat itself sees


def own(model: ViewModel) -> list[Text]:
    """The pieces that are hidden from others and lie open to the seat, as one paragraph: its hand."""
    model = replace(model, max_named=ALL)
    items = [
        (model.label(zone), model.pieces(number))
        for zone in model.zones()
        if is_own(model, zone)
        for number, place in model.places(zone)
        if place.of is not None and model.names.seat(place.of) == model.view.seat
    ]
    items = [item for item in items if item[1]]
    return [_paragraph(items)] if items else []


def is_own(model: ViewModel, zone: str) -> bool:
    """Whether a zone of seats has a line of its own for the seat that looks at it."""
    decl = model.rules.zones.get(zone)
    return (
        decl is not None
        and decl.seen_by == "owner"
        and (decl.var.of, decl.var.at) == ("seat", None)
        and model.view.seat in [model.names.seat(seat) for seat in model.seats]
        and not model.shows_rows(zone)
    )


# ---- shared by all seats


def shared(model: ViewModel) -> list[Text]:
    """Zones, counters and pointers without an index, as one paragraph."""
    items = [item for item in (*_shared_zones(model), *_shared_variables(model)) if item[1]]
    return [_paragraph(items)] if items else []


def _shared_zones(model: ViewModel) -> list[tuple[str, str]]:
    found = []
    for zone in model.zones():
        places = list(model.places(zone))
        alone = len(places) == 1 and (places[0][1].of, places[0][1].at) == (None, None)
        if alone and not model.shows_rows(zone):
            found.append((model.label(zone), model.pieces(places[0][0])))
    return found


def _shared_variables(model: ViewModel) -> list[tuple[str, str]]:
    alone = [w for w in model.variables() if w.of is None and w.at is None]
    public_values = model.public_values.of_all()
    return [
        *((model.label(w.name), model.text_of(w)) for w in alone),
        *((model.label(value.name), model.computed(value)) for value in public_values),
    ]


def _paragraph(items: Sequence[tuple[str, str]]) -> Text:
    text = Text()
    for i, (name, what) in enumerate(items):
        text.append_text(styled("  ·  " if i else "", DIM))
        text.append_text(styled(f"{name} ", DIM))
        text.append_text(styled(what))
    return text


# ---- per seat


def seat_table(model: ViewModel) -> list[Table]:
    """Counters, pointers and zones of seats: a row each, a column per seat."""
    rows = [row for row in (*_seat_variables(model), *_seat_zones(model)) if any(row[1])]
    if not rows:
        return []
    gap = 2 if any(len(cell) > SHORT for _, cells in rows for cell in cells) else 1
    table = borderless_table(gap)
    table.add_column("")
    for seat in model.seats:
        style = BOLD if model.is_active(seat) else ""
        table.add_column(styled(model.seat_title(seat), style), overflow="fold")
    for name, cells in rows:
        table.add_row(styled(name, DIM), *(styled(cell or "·") for cell in cells))
    return [table]


def _seat_variables(model: ViewModel) -> list[tuple[str, list[str]]]:
    mine = [w for w in model.variables() if w.of == "seat" and w.at is None]
    public_values = model.public_values.of_seats()
    return [
        *((model.label(w.name), [model.text_of(w, seat) for seat in model.seats]) for w in mine),
        *((model.label(v.name), [model.computed(v, seat) for seat in model.seats]) for v in public_values),
    ]


def _seat_zones(model: ViewModel) -> list[tuple[str, list[str]]]:
    found = []
    for zone in model.zones():
        var = model.var(zone)
        if var is not None and var.of == "seat" and var.at is None and not model.shows_rows(zone):
            count = is_own(model, zone)
            cells = {place.of: _amount(model, number, count) for number, place in model.places(zone)}
            found.append((model.label(zone), [cells.get(seat, "") for seat in model.seats]))
    return found


def _amount(model: ViewModel, place: int, counted: bool) -> str:
    """The contents of a place, or how many they are if that is all that is told; `×5` for unseen pieces."""
    found = model.view.zones[model.names.place(place)]
    if counted:
        return str(len(found)) if isinstance(found, list) and found else model.pieces(place)
    where = model.game.machine.places[place]
    if isinstance(found, int) and found and where.kind != ir.BLANK:
        return f"×{found}"
    return model.pieces(place)


# ---- computed values of a type


def value_tables(model: ViewModel) -> list[Table]:
    """A table for each type with several computed values: a row per computed value, a column per value."""
    found = []
    for index, public_values in model.public_values.of_values().items():
        rows = [(f, [model.computed(f, value) for value in model.values(index)]) for f in public_values]
        if any(any(cells) for _, cells in rows):
            found.append(_value_table(model, index, rows))
    return found


def _value_table(model: ViewModel, index: str, rows: Sequence[tuple[r.Value, list[str]]]) -> Table:
    table = borderless_table()
    table.add_column("")
    for value in model.values(index):
        table.add_column(styled(model.value(index, value), BOLD), overflow="fold")
    for computed, cells in rows:
        table.add_row(styled(model.label(computed.name), DIM), *(styled(cell or "·") for cell in cells))
    return table
