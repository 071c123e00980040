"""Boards as they lie on a table: squares with letters and numbers, hexagons in a rhombus, a ring in two rows.

North is up, as the rules of boards say. A ring begins below on the left and goes round against the clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rulewright.tui.styles import BOLD, DIM, styled
from rulewright.tui.view_model import ViewModel

SQUARE = re.compile(r"([a-z])([0-9]{1,9})")
NOTHING = "·"
Content = Callable[[int], Text]
"""What lies on a place of a board, empty if nothing does."""


def draw_board(
    model: ViewModel, title: str, index: str, content: Content, width: int
) -> RenderableType | None:
    """A board with what lies on it; nothing if the index is no board, or there is no room for it."""
    decl = model.rules.types.get(index)
    if decl is None:
        return None
    places = {model.names.index(index, value): _shown(content(value)) for value in model.values(index)}
    match decl.shape:
        case "hex":
            return _fitting(_rhombus(title, places, decl.sides[0]), width) if decl.sides else None
        case "grid" | "graph" if all(SQUARE.fullmatch(name) for name in places):
            return _squares(title, places)
        case "ring":
            return _ring(
                title, [(model.value(index, v), _shown(content(v))) for v in model.values(index)], width
            )
    return None


def _shown(content: Text) -> Text:
    return content if content.plain else styled(NOTHING, DIM)


def _fitting(text: Text, width: int) -> Text | None:
    return text if max(line.cell_len for line in text.split()) <= width else None


def _parts(name: str) -> tuple[str, int]:
    found = SQUARE.fullmatch(name)
    assert found is not None
    return found[1], int(found[2])


def _table(title: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.title, table.title_justify = styled(title, DIM), "left"
    return table


def _squares(title: str, places: dict[str, Text]) -> Table:
    """As chess boards are printed: letters below, numbers at the side, the last row on top."""
    letters = sorted({_parts(name)[0] for name in places})
    table = _table(title)
    table.show_header, table.show_footer = False, True
    for letter in ("", *letters):
        table.add_column(footer=styled(letter, BOLD), overflow="fold", justify="left" if letter else "right")
    for number in sorted({_parts(name)[1] for name in places}, reverse=True):
        cells = [places.get(f"{letter}{number}", Text()) for letter in letters]
        table.add_row(styled(str(number), BOLD), *cells)
    return table


def _rhombus(title: str, places: dict[str, Text], rows: int) -> Text:
    """Each row half a place further to the right than the one below it; so letters stand at both ends."""
    letters = sorted({_parts(name)[0] for name in places})
    half = max(content.cell_len for content in places.values()) // 2 + 1
    lines = [styled(title, DIM), _slanting(rows + 1, "", [styled(x, BOLD) for x in letters], half)]
    for number in range(rows, 0, -1):
        row = [places[f"{letter}{number}"] for letter in letters]
        lines.append(_slanting(number, str(number), row, half))
    lines.append(_slanting(0, "", [styled(x, BOLD) for x in letters], half))
    return Text("\n", no_wrap=True).join(lines)


def _slanting(number: int, name: str, cells: Sequence[Text], half: int) -> Text:
    line = Text(" " * (number * half)).append_text(styled(f"{name:>2} ", BOLD))
    for cell in cells:
        line.append_text(cell).append(" " * (2 * half - cell.cell_len))
    line.rstrip()
    return line


def _ring(title: str, places: Sequence[tuple[str, Text]], width: int) -> Table | None:
    """The first half from left to right, and above it the second from right to left."""
    across = -(-len(places) // 2)
    below = list(places[:across])
    above = [("", Text())] * (2 * across - len(places)) + list(places[: across - 1 : -1])
    names = zip(below, above, strict=True)
    wide = [max(len(a), len(b), x.cell_len, y.cell_len) for (a, x), (b, y) in names]
    if sum(wide) + across > width:
        return None
    table = _table(title)
    table.show_header = False
    for room in wide:
        table.add_column(min_width=room, justify="center")
    table.add_row(*(styled(name, BOLD) for name, _ in above))
    table.add_row(*(content for _, content in above))
    table.add_row(*(content for _, content in below))
    table.add_row(*(styled(name, BOLD) for name, _ in below))
    return table
