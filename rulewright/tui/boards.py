"""Drawings of boards: squares with letters and numbers, hexagons as a rhombus, a ring in two rows.

North is up. A ring starts at the lower left and runs counter-clockwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rulewright.tui.styles import BOLD, DIM, borderless_table, styled
from rulewright.tui.view_model import ViewModel

SQUARE = re.compile(r"([a-z])([0-9]{1,9})")
NOTHING = "·"
PAINTED = "○"
"""An empty place that the look of the game gives a colour of its own."""
Content = Callable[[int], Text]
"""The text of a place of a board, empty if nothing is there."""


def draw_board(
    model: ViewModel, title: str, index: str, content: Content, width: int
) -> RenderableType | None:
    """A board with its contents; None if the index is not a board or the board is too wide."""
    decl = model.rules.types.get(index)
    if decl is None:
        return None
    look = model.rules.look.boards.get(index)
    painted = look.places if look is not None else {}
    places = {
        model.names.index(index, value): _shown(
            content(value), model.caption(index, value) or (PAINTED if value in painted else NOTHING)
        )
        for value in model.values(index)
    }
    match decl.shape:
        case "hex":
            return _if_it_fits(_rhombus(title, places, decl.sides[0]), width) if decl.sides else None
        case "grid" | "graph" if all(SQUARE.fullmatch(name) for name in places):
            return _squares(title, places)
        case "ring":
            return _ring(
                title,
                [(model.place(index, v), _shown(content(v), NOTHING)) for v in model.values(index)],
                width,
            )
    return None


def _shown(content: Text, empty: str) -> Text:
    return content if content.plain else styled(empty, DIM)


def _if_it_fits(text: Text, width: int) -> Text | None:
    return text if max(line.cell_len for line in text.split()) <= width else None


def _parts(name: str) -> tuple[str, int]:
    found = SQUARE.fullmatch(name)
    assert found is not None
    return found[1], int(found[2])


def _squares(title: str, places: dict[str, Text]) -> Table:
    """A board with letters below and numbers at the side, the highest row on top."""
    letters = sorted({_parts(name)[0] for name in places})
    table = borderless_table(title=title)
    table.show_header, table.show_footer = False, True
    for letter in ("", *letters):
        table.add_column(footer=styled(letter, BOLD), overflow="fold", justify="left" if letter else "right")
    for number in sorted({_parts(name)[1] for name in places}, reverse=True):
        cells = [places.get(f"{letter}{number}", Text()) for letter in letters]
        table.add_row(styled(str(number), BOLD), *cells)
    return table


def _rhombus(title: str, places: dict[str, Text], rows: int) -> Text:
    """A hex board: each row is shifted right by half a place; letters stand above and below."""
    letters = sorted({_parts(name)[0] for name in places})
    half = max(content.cell_len for content in places.values()) // 2 + 1
    lines = [styled(title, DIM), _shifted_row(rows + 1, "", [styled(x, BOLD) for x in letters], half)]
    for number in range(rows, 0, -1):
        row = [places.get(f"{letter}{number}", Text()) for letter in letters]
        lines.append(_shifted_row(number, str(number), row, half))
    lines.append(_shifted_row(0, "", [styled(x, BOLD) for x in letters], half))
    return Text("\n", no_wrap=True).join(lines)


def _shifted_row(number: int, name: str, cells: Sequence[Text], half: int) -> Text:
    line = Text(" " * (number * half)).append_text(styled(f"{name:>2} ", BOLD))
    for cell in cells:
        line.append_text(cell).append(" " * (2 * half - cell.cell_len))
    line.rstrip()
    return line


def _ring(title: str, places: Sequence[tuple[str, Text]], width: int) -> Table | None:
    """A ring: the first half from left to right, above it the second half from right to left."""
    across = -(-len(places) // 2)
    below = list(places[:across])
    above = [("", Text())] * (2 * across - len(places)) + list(places[: across - 1 : -1])
    names = zip(below, above, strict=True)
    wide = [max(len(a), len(b), x.cell_len, y.cell_len) for (a, x), (b, y) in names]
    if sum(wide) + across > width:
        return None
    table = borderless_table(title=title)
    table.show_header = False
    for room in wide:
        table.add_column(min_width=room, justify="center")
    table.add_row(*(styled(name, BOLD) for name, _ in above))
    table.add_row(*(content for _, content in above))
    table.add_row(*(content for _, content in below))
    table.add_row(*(styled(name, BOLD) for name, _ in below))
    return table
