"""Boards whose declaration says `drawn`: all that lies on their places, in one picture.

A ring or track on which seats have places of their own is drawn for each of them.
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
from rulewright.tui.styles import QUIET, STRONG, WARM, said
from rulewright.tui.view_model import ViewModel

APART = 3
NARROWEST = 9
WIDEST = 24
Cell = list[Text]
"""A place's lines: its name, and what is there."""


def whole_boards(look: ViewModel, width: int) -> list[RenderableType]:
    return [drawn for index in look.whole_boards() for drawn in _drawn(look, index, width)]


def _drawn(look: ViewModel, index: str, width: int) -> Iterator[RenderableType]:
    own = look.rules.types[index].shape in ("ring", "line") and any(_of_seats(look, index))
    for seat in look.seats if own else (None,):
        title = look.label(index) if seat is None else f"{look.seat_title(seat)} {look.label(index)}"
        yield _picture(look, index, seat, title, width) or _listed(look, index, seat, title)


def _of_seats(look: ViewModel, index: str) -> Iterator[str]:
    return (zone for zone in look.zones() if look.axes_of(zone) == ("seat", index))


# ---- what is on a place


def _cell(look: ViewModel, index: str, value: int, seat: int | None) -> Cell:
    name = said(look.value(index, value), STRONG)
    return [name, *_pieces(look, index, value, seat), *_words(look, index, value, seat)]


def _pieces(look: ViewModel, index: str, value: int, seat: int | None) -> Iterator[Text]:
    for zone in look.zones():
        of, at = look.axes_of(zone)
        if at != index:
            continue
        places = {p.of: n for n, p in look.places(zone) if p.at == value or (p.at is None and p.of == value)}
        if of != "seat":
            yield from _texts(look, zone, [("", look.pieces(n)) for n in places.values()])
        elif seat is not None:
            yield from _texts(look, zone, [("", look.pieces(places[seat]))])
        else:
            named = [(look.names.seat(of_), look.pieces(n)) for of_, n in places.items() if of_ is not None]
            yield from _texts(look, zone, named)


def _texts(look: ViewModel, zone: str, found: list[tuple[str, str]]) -> Iterator[Text]:
    """What lies there; pieces that are all alike are told by the zone's name, and by whose they are."""
    component = look.rules.zones[zone].component
    plain = look.label(component)
    alike = len(look.rules.components[component].classes) == 1
    some = [(who, what) for who, what in found if what]
    if alike and some:
        amounts = " ".join(f"{who}{_times(what, plain)}" for who, what in some)
        yield said(f"{look.label(zone)} {amounts}".strip())
        return
    for who, what in some:
        counted = f"{look.label(zone)} {what}" if what.isdigit() else what
        yield said(f"{who} {counted}".strip())


def _times(what: str, plain: str) -> str:
    """`×3` of `3: cube ×3` or `cube ×3`; nothing for a single one."""
    number = what.rpartition("×")[2] if "×" in what else ""
    return f"×{number}" if number else "" if what.endswith(plain) else what


def _words(look: ViewModel, index: str, value: int, seat: int | None) -> Iterator[Text]:
    """Counters and marks of the place, and pointers that point at it."""
    for words in look.words():
        first, last = look.axes(words)
        if last == index and first in (None, "seat"):
            said_of = _lying(look, words, value)
        elif last is None and isinstance(words.type, EnumType) and words.type.type == index:
            said_of = _pointing(look, words, value)
        else:
            continue
        yield from _notes(look, words, said_of, seat)


def _lying(look: ViewModel, words: ir.VarLayout, value: int) -> dict[int | None, str]:
    """What a counter or mark says of the place, by whose it is."""
    whose = look.seats if look.axes(words)[0] == "seat" else (None,)
    return {seat: look.at(words, seat, value) for seat in whose}


def _pointing(look: ViewModel, words: ir.VarLayout, value: int) -> dict[int | None, str]:
    """`✓` for each seat whose pointer points here; for none if the pointer is nobody's."""
    seats = look.seats if words.of == "seat" else (None,)
    return {seat: "✓" if look.points_at(words, seat, value) else "" for seat in seats}


def _notes(
    look: ViewModel, words: ir.VarLayout, said_of: dict[int | None, str], only: int | None
) -> Iterator[Text]:
    some = {seat: what for seat, what in said_of.items() if what and (only is None or seat in (None, only))}
    if some:
        whose = " ".join(_whose(look, seat if only is None else None, what) for seat, what in some.items())
        yield said(f"{look.label(words.name)} {whose}".strip(), WARM)


def _whose(look: ViewModel, seat: int | None, what: str) -> str:
    name = "" if seat is None else look.names.seat(seat)
    return name if what == "✓" else f"{name} {what}".strip()


# ---- the picture


def _picture(look: ViewModel, index: str, seat: int | None, title: str, width: int) -> Text | None:
    """Rows of places, with lines between neighbours; nothing if there is no room for it."""
    decl = look.rules.types[index]
    across = max(len(row) for row in decl.drawn)
    room = min(WIDEST, (width - APART * (across - 1)) // across)
    if room < NARROWEST:
        return None
    cells = {v: _cell(look, index, v, seat) for row in decl.drawn for v in row if v != NONE}
    cells = {v: [part for line in cell for part in _folded(line, room)] for v, cell in cells.items()}
    wide = [max([_width(cells, v) for v in column], default=0) for column in _columns(decl.drawn)]
    lines = [said(title, QUIET)]
    for number, row in enumerate(decl.drawn):
        lines += _row(cells, row, wide, _Links(decl.links, decl.lo, decl.shape))
        if decl.shape in ("graph", "ring") and number + 1 < len(decl.drawn):
            below = decl.drawn[number + 1]
            lines.append(_between(row, below, wide, _Links(decl.links, decl.lo, decl.shape)))
    return Text("\n", no_wrap=True).join(lines)


class _Links:
    """Which places are neighbours. Those of a grid need no lines."""

    def __init__(self, links: tuple[tuple[int, ...], ...], lo: int, shape: str) -> None:
        self.links, self.lo, self.shown = links, lo, shape != "grid"

    def join(self, a: int, b: int) -> bool:
        return self.shown and NONE not in (a, b) and b in self.links[a - self.lo]


def _folded(line: Text, room: int) -> list[Text]:
    style = str(line.spans[0].style) if line.spans else ""
    return [said(part, style) for part in wrap(line.plain, room)] or [line]


def _columns(rows: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    return list(zip_longest(*rows, fillvalue=NONE))


def _width(cells: dict[int, Cell], value: int) -> int:
    return max(line.cell_len for line in cells[value]) if value in cells else 0


def _row(cells: dict[int, Cell], row: tuple[int, ...], wide: list[int], links: _Links) -> list[Text]:
    lines = []
    for number in range(max(len(cells.get(v, ())) for v in row)):
        line = Text()
        for i, value in enumerate(row):
            cell = cells.get(value, [])
            text = cell[number] if number < len(cell) else Text()
            line.append_text(text)
            joined = number == 0 and i + 1 < len(row) and links.join(value, row[i + 1])
            fill = "─" if joined else " "
            blank = wide[i] - text.cell_len
            line.append(f" {fill * (blank - 1)}" if blank and joined else fill * blank, QUIET)
            line.append(("─" if blank else " ") + fill + " " if joined else " " * APART, QUIET)
        line.rstrip()
        lines.append(line)
    return lines


def _between(row: tuple[int, ...], below: tuple[int, ...], wide: list[int], links: _Links) -> Text:
    """Lines down and aslant."""
    line = ""
    for i, (a, b) in enumerate(zip_longest(row, below, fillvalue=NONE)):
        line += (" │" if links.join(a, b) else "  ").ljust(wide[i])
        right, under = (r[i + 1] if i + 1 < len(r) else NONE for r in (row, below))
        falls, rises = links.join(a, under), links.join(right, b)
        line += (" ╳" if falls and rises else " ╲" if falls else " ╱" if rises else "").ljust(APART)
    return said(line.rstrip(), QUIET)


def _listed(look: ViewModel, index: str, seat: int | None, title: str) -> Table:
    """Where there is no room for a picture: each place on which anything is, and its neighbours."""
    decl = look.rules.types[index]
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, show_header=False)
    table.title, table.title_justify = said(title, QUIET), "left"
    for value in look.values(index):
        name, *notes = _cell(look, index, value, seat)
        near = ", ".join(look.value(index, v) for v in decl.links[value - decl.lo])
        if notes or decl.shape == "graph":
            what = Text(", ").join(notes)
            table.add_row(name, what, said(f"– {near}" if decl.shape == "graph" else "", QUIET))
    return table
