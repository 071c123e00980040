"""Pictures of boards declared with `drawn`: one picture shows everything on their places.

A ring or line on which each seat has its own places is drawn once per seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from dsl.domains import NONE, EnumType
from interpreter import ir
from rulewright.tui.plans import draw_plan
from rulewright.tui.styles import BOLD, DIM, HIGHLIGHT, borderless_table, styled
from rulewright.tui.view_model import ViewModel

APART = 3
NARROWEST = 9
WIDEST = 24
Cell = list[Text]
"""The lines of a place: its name, then its contents."""


def board_pictures(model: ViewModel, width: int) -> list[RenderableType]:
    return [drawn for index in model.board_pictures() for drawn in _pictures(model, index, width)]


def _pictures(model: ViewModel, index: str, width: int) -> Iterator[RenderableType]:
    around = tuple(board for board in model.pictured_with(index) if _states_on(model, board))
    if around or model.rules.types[index].shape == "hex":
        yield from _with_edges(model, (index, *around), width)
        return
    own = model.rules.types[index].shape in ("ring", "line") and any(_zones_by_seat(model, index))
    for seat in model.seats if own else (None,):
        title = model.label(index) if seat is None else f"{model.seat_title(seat)} {model.label(index)}"
        yield (
            _picture(model, index, seat, title, width)
            or _plan(model, index, seat, title, width)
            or _list(model, index, seat, title)
        )


def _zones_by_seat(model: ViewModel, index: str) -> Iterator[str]:
    return (zone for zone in model.zones() if model.zone_axes(zone) == ("seat", index))


# ---- one place


def _cell(model: ViewModel, index: str, value: int, seat: int | None) -> Cell:
    name = styled(model.place(index, value), BOLD)
    return [name, *_pieces(model, index, value, seat), *_variable_lines(model, index, value, seat)]


def _pieces(model: ViewModel, index: str, value: int, seat: int | None) -> Iterator[Text]:
    for zone in model.zones():
        of, at = model.zone_axes(zone)
        if at != index:
            continue
        places = {p.of: n for n, p in model.places(zone) if p.at == value or (p.at is None and p.of == value)}
        if of != "seat":
            yield from _piece_lines(model, zone, [("", model.pieces(n)) for n in places.values()])
        elif seat is not None:
            yield from _piece_lines(model, zone, [("", model.pieces(places[seat]))])
        else:
            named = [(model.seat_label(of_), model.pieces(n)) for of_, n in places.items() if of_ is not None]
            yield from _piece_lines(model, zone, named)


def _piece_lines(model: ViewModel, zone: str, found: list[tuple[str, str]]) -> Iterator[Text]:
    """The pieces on a place; those of a component with a single class by the zone's name and a number."""
    component = model.rules.zones[zone].component
    plain = model.label(component)
    alike = len(model.rules.components[component].classes) == 1
    some = [(who, what) for who, what in found if what]
    if alike and some:
        amounts = " ".join(f"{who}{_times(what, plain)}" for who, what in some)
        yield styled(f"{model.label(zone)} {amounts}".strip())
        return
    for who, what in some:
        text = f"{model.label(zone)} {what}" if what.isdigit() else what
        yield styled(f"{who} {text}".strip())


def _times(what: str, plain: str) -> str:
    """`×3` of `3: cube ×3` or `cube ×3`; empty for a single piece."""
    number = what.rpartition("×")[2] if "×" in what else ""
    return f"×{number}" if number else "" if what.endswith(plain) else what


def _variable_lines(model: ViewModel, index: str, value: int, seat: int | None) -> Iterator[Text]:
    """Counters and marks of the place, and pointers to it."""
    for variable in model.variables():
        first, last = model.axes(variable)
        if last == index and first in (None, "seat"):
            texts = _texts_of_place(model, variable, value)
        elif last is None and isinstance(variable.type, EnumType) and variable.type.type == index:
            texts = _texts_of_pointer(model, variable, value)
        else:
            continue
        yield from _note(model, variable, texts, seat)


def _texts_of_place(model: ViewModel, variable: ir.VarLayout, value: int) -> dict[int | None, str]:
    """The text of a counter or mark of the place, by seat."""
    whose = model.seats if model.axes(variable)[0] == "seat" else (None,)
    return {seat: model.text_of(variable, seat, value) for seat in whose}


def _texts_of_pointer(model: ViewModel, variable: ir.VarLayout, value: int) -> dict[int | None, str]:
    """`✓` for each seat whose pointer points here; the key is None for a pointer without a seat."""
    seats = model.seats if variable.of == "seat" else (None,)
    return {seat: "✓" if model.points_at(variable, seat, value) else "" for seat in seats}


def _note(
    model: ViewModel, variable: ir.VarLayout, texts: dict[int | None, str], only: int | None
) -> Iterator[Text]:
    some = {seat: what for seat, what in texts.items() if what and (only is None or seat in (None, only))}
    if some:
        whose = " ".join(
            _seat_text(model, seat if only is None else None, what) for seat, what in some.items()
        )
        yield styled(f"{model.label(variable.name)} {whose}".strip(), HIGHLIGHT)


def _seat_text(model: ViewModel, seat: int | None, what: str) -> str:
    name = "" if seat is None else model.seat_label(seat)
    return name if what == "✓" else f"{name} {what}".strip()


# ---- the picture


def _picture(model: ViewModel, index: str, seat: int | None, title: str, width: int) -> Text | None:
    """Rows of places with lines between neighbours; None if it is too wide."""
    decl = model.rules.types[index]
    across = max(len(row) for row in decl.drawn)
    room = min(WIDEST, (width - APART * (across - 1)) // across)
    if room < NARROWEST:
        return None
    cells = {v: _cell(model, index, v, seat) for row in decl.drawn for v in row if v != NONE}
    cells = {v: [part for line in cell for part in _folded(line, room)] for v, cell in cells.items()}
    widths = [
        max([_width(cells, v) for v in column], default=0)
        for column in zip_longest(*decl.drawn, fillvalue=NONE)
    ]
    lines, links = [styled(title, DIM)], _Links(decl.links, decl.lo, decl.shape)
    for number, row in enumerate(decl.drawn):
        lines += _row(cells, row, widths, links)
        if decl.shape in ("graph", "ring") and number + 1 < len(decl.drawn):
            lines.append(_between(row, decl.drawn[number + 1], widths, links))
    return Text("\n", no_wrap=True).join(lines)


class _Links:
    """Which places are neighbours. In a grid no lines are drawn."""

    def __init__(self, links: tuple[tuple[int, ...], ...], lo: int, shape: str) -> None:
        self.links, self.lo, self.shown = links, lo, shape != "grid"

    def join(self, a: int, b: int) -> bool:
        return self.shown and NONE not in (a, b) and b in self.links[a - self.lo]


def _folded(line: Text, room: int) -> list[Text]:
    style = str(line.spans[0].style) if line.spans else ""
    return [styled(part, style) for part in wrap(line.plain, room)] or [line]


def _width(cells: dict[int, Cell], value: int) -> int:
    return max(line.cell_len for line in cells[value]) if value in cells else 0


def _row(cells: dict[int, Cell], row: tuple[int, ...], widths: list[int], links: _Links) -> list[Text]:
    lines = []
    for number in range(max(len(cells.get(v, ())) for v in row)):
        line = Text()
        for i, value in enumerate(row):
            cell = cells.get(value, [])
            text = cell[number] if number < len(cell) else Text()
            line.append_text(text)
            joined = number == 0 and i + 1 < len(row) and links.join(value, row[i + 1])
            fill = "─" if joined else " "
            blank = widths[i] - text.cell_len
            line.append(f" {fill * (blank - 1)}" if blank and joined else fill * blank, DIM)
            line.append(("─" if blank else " ") + fill + " " if joined else " " * APART, DIM)
        line.rstrip()
        lines.append(line)
    return lines


def _between(row: tuple[int, ...], below: tuple[int, ...], widths: list[int], links: _Links) -> Text:
    """The vertical and diagonal lines between two rows."""
    line = ""
    for i, (a, b) in enumerate(zip_longest(row, below, fillvalue=NONE)):
        line += (" │" if links.join(a, b) else "  ").ljust(widths[i])
        right, under = (r[i + 1] if i + 1 < len(r) else NONE for r in (row, below))
        falls, rises = links.join(a, under), links.join(right, b)
        line += (" ╳" if falls and rises else " ╲" if falls else " ╱" if rises else "").ljust(APART)
    return styled(line.rstrip(), DIM)


def _plan(model: ViewModel, index: str, seat: int | None, title: str, width: int) -> Text | None:
    """A grid of many columns: what is on the places, without their names; None if it is too wide."""
    if model.rules.types[index].shape != "grid":
        return None

    def content(_: str, value: int) -> Text:
        return Text(" ").join(_cell(model, index, value, seat)[1:])

    return draw_plan(model, title, (index,), content, width)


def _with_edges(model: ViewModel, group: tuple[str, ...], width: int) -> Iterator[RenderableType]:
    """A board with its corners and edges as one plan; if that is too wide, lists of what lies on each."""
    title = ", ".join(model.label(board) for board in group if _states_on(model, board)) or model.label(
        group[0]
    )

    def content(board: str, value: int) -> Text:
        notes = _cell(model, board, value, None)[1:]
        if len(_states_on(model, board)) == 1:
            notes = [_without_label(model, board, note) for note in notes]
        return Text(" ").join(notes)

    plan = draw_plan(model, title, group, content, width)
    if plan is not None:
        yield plan
        return
    yield from (_list(model, board, None, model.label(board)) for board in group)


def _states_on(model: ViewModel, board: str) -> list[str]:
    """What can lie on a board, or point to its places."""
    rules = model.rules
    kinds = (rules.zones, rules.counters, rules.marks, rules.pointers)
    on = [name for kind in kinds for name, state in kind.items() if board in (state.var.of, state.var.at)]
    return on + [name for name, pointer in rules.pointers.items() if pointer.to == board]


def _without_label(model: ViewModel, board: str, note: Text) -> Text:
    """What lies on a place without the name of what is the only thing that can."""
    said = model.label(_states_on(model, board)[0])
    rest = note.plain.removeprefix(said).strip()
    return styled(rest, str(note.spans[0].style) if note.spans else "") if rest else note


def _list(model: ViewModel, index: str, seat: int | None, title: str) -> Table:
    """A list instead of a picture: each place with contents, in a graph all places with their neighbours."""
    decl = model.rules.types[index]
    table = borderless_table(title=title)
    table.show_header = False
    for value in model.values(index):
        name, *notes = _cell(model, index, value, seat)
        near = ", ".join(model.value(index, v) for v in decl.links[value - decl.lo])
        if notes or decl.shape == "graph":
            what = Text(", ").join(notes)
            table.add_row(name, what, styled(f"– {near}" if decl.shape == "graph" else "", DIM))
    return table
