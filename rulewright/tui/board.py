"""The board, drawn from the declarations alone: what is shared, what seats have, rows and grids."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from dsl import rules as r
from interpreter import ir
from rulewright.tui.board_picture import whole_boards
from rulewright.tui.grids import grids
from rulewright.tui.packing import packed
from rulewright.tui.rows import rows_of_places
from rulewright.tui.styles import QUIET, STRONG, said
from rulewright.tui.view_model import ViewModel
from rulewright.tui.zone_rows import laid_out

SHORT = 3


def board(look: ViewModel, console: Console, width: int) -> RenderableType:
    """Everything that the seat may see and that is not empty."""
    boards = [*whole_boards(look, width), *rows_of_places(look, width), *grids(look, width)]
    blocks: list[RenderableType] = [*seat_table(look), *laid_out(look), *fact_tables(look), *boards]
    parts: list[RenderableType] = [*shared(look), *packed(blocks, console, width)]
    return Group(*parts)


def heading(look: ViewModel) -> Text:
    """`Title · phase · ▶A you  B random`"""
    text = said(look.rules.title, STRONG)
    text.append_text(said(f" · {look.label(look.view.phase)} ·"))
    for seat in look.seats:
        style = STRONG if look.is_active(seat) else ""
        text.append_text(said(f"{'  ' if seat else ' '}{look.sitting(seat)}", style))
    return text


# ---- what belongs to nobody


def shared(look: ViewModel) -> list[Text]:
    """Zones, counters and pointers without an index, as one paragraph."""
    items = [item for item in (*_shared_zones(look), *_shared_words(look)) if item[1]]
    return [_paragraph(items)] if items else []


def _shared_zones(look: ViewModel) -> list[tuple[str, str]]:
    found = []
    for zone in look.zones():
        places = list(look.places(zone))
        alone = len(places) == 1 and (places[0][1].of, places[0][1].at) == (None, None)
        if alone and not look.is_laid_out(zone):
            found.append((look.label(zone), look.pieces(places[0][0])))
    return found


def _shared_words(look: ViewModel) -> list[tuple[str, str]]:
    alone = [w for w in look.words() if w.of is None and w.at is None]
    facts = look.facts.of_all()
    return [
        *((look.label(w.name), look.at(w)) for w in alone),
        *((look.label(value.name), look.fact(value)) for value in facts),
    ]


def _paragraph(items: Sequence[tuple[str, str]]) -> Text:
    text = Text()
    for i, (name, what) in enumerate(items):
        text.append_text(said("  ·  " if i else "", QUIET))
        text.append_text(said(f"{name} ", QUIET))
        text.append_text(said(what))
    return text


# ---- what each seat has


def seat_table(look: ViewModel) -> list[Table]:
    """Counters, pointers and zones of seats: a row each, a column per seat."""
    rows = [row for row in (*_seat_words(look), *_seat_zones(look)) if any(row[1])]
    if not rows:
        return []
    apart = 2 if any(len(cell) > SHORT for _, cells in rows for cell in cells) else 1
    table = Table(box=None, padding=(0, apart, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("")
    for seat in look.seats:
        style = STRONG if look.is_active(seat) else ""
        table.add_column(said(look.seat_title(seat), style), overflow="fold")
    for name, cells in rows:
        table.add_row(said(name, QUIET), *(said(cell or "·") for cell in cells))
    return [table]


def _seat_words(look: ViewModel) -> list[tuple[str, list[str]]]:
    mine = [w for w in look.words() if w.of == "seat" and w.at is None]
    facts = look.facts.of_seats()
    return [
        *((look.label(w.name), [look.at(w, seat) for seat in look.seats]) for w in mine),
        *((look.label(v.name), [look.fact(v, seat) for seat in look.seats]) for v in facts),
    ]


def _seat_zones(look: ViewModel) -> list[tuple[str, list[str]]]:
    found = []
    for zone in look.zones():
        var = look.var(zone)
        if var is not None and var.of == "seat" and var.at is None and not look.is_laid_out(zone):
            cells = {place.of: _amount(look, number) for number, place in look.places(zone)}
            found.append((look.label(zone), [cells.get(seat, "") for seat in look.seats]))
    return found


def _amount(look: ViewModel, place: int) -> str:
    """What lies there; what is only counted says of what."""
    found = look.view.zones[look.names.place(place)]
    where = look.game.machine.places[place]
    if isinstance(found, int) and found and where.kind != ir.BLANK:
        component = look.game.machine.place_components[where.zone]
        return f"{look.label(component)} ×{found}"
    return look.pieces(place)


# ---- what is computed about the values of a type


def fact_tables(look: ViewModel) -> list[Table]:
    """A table for each type that several things are computed about: a row each, a column per value."""
    found = []
    for index, facts in look.facts.of_values().items():
        rows = [(f, [look.fact(f, value) for value in look.values(index)]) for f in facts]
        if any(any(cells) for _, cells in rows):
            found.append(_fact_table(look, index, rows))
    return found


def _fact_table(look: ViewModel, index: str, rows: Sequence[tuple[r.Value, list[str]]]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("")
    for value in look.values(index):
        table.add_column(said(look.value(index, value), STRONG), overflow="fold")
    for fact, cells in rows:
        table.add_row(said(look.label(fact.name), QUIET), *(said(cell or "·") for cell in cells))
    return table
