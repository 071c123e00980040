"""Boards of any shape as plans: each place stands where the layout puts it, with what is on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from rich.text import Text

from rulewright.layout.pictures import PLAIN, drawn_boards, grouped, is_own, together
from rulewright.layout.scene import BoardScene
from rulewright.tui.styles import DIM, styled
from rulewright.tui.view_model import ViewModel

BLANK = 1
"""The columns between two places of a row."""
LOWEST = 6.0
"""Places whose heights differ by less, in units of the layout, stand in one row."""
Content = Callable[[str, int], Text]
"""The text of a place of a board, empty if nothing is there."""


def group_of(model: ViewModel, board: str) -> tuple[str, ...]:
    """The boards that share a picture with one."""
    rules, seats = model.rules, model.game.machine.seats
    shared = tuple(name for name in drawn_boards(rules) if not is_own(rules, name))
    groups = grouped(rules, shared, seats)
    return next((group for group in groups if board in group), (board,))


def draw_plan(
    model: ViewModel, title: str, group: Sequence[str], content: Content, width: int
) -> Text | None:
    """The places of boards of one picture, row by row; none if they are too wide.

    An empty place shows its name if there is room for all names, or for all but those of corners and edges;
    otherwise a dot. What the look writes on places stands there also beside what lies on them.
    """
    rules, seats = model.rules, model.game.machine.seats
    looks = {name: rules.look.boards.get(name, PLAIN) for name in group}
    scenes = together(rules.types, rules.tables, tuple(group), looks, seats)
    cells = {board for board in group if not model.rules.types[board].incident.get("places")}
    for named in (set(group), cells, set[str]()):
        placed = [
            (x, y, _shown(model, board, value, content(board, value), named=board in named))
            for board, scene in scenes.items()
            for value, (x, y) in _points(model, board, scene)
        ]
        lines = _lines(_rows(placed))
        if max(line.cell_len for line in lines) <= width:
            return Text("\n", no_wrap=True).join([styled(title, DIM), *lines])
    return None


def _points(model: ViewModel, board: str, scene: BoardScene) -> list[tuple[int, tuple[float, float]]]:
    lo = model.rules.types[board].lo
    return [(lo + i, point) for i, point in enumerate(scene.points) if point is not None]


def _shown(model: ViewModel, board: str, value: int, content: Text, *, named: bool) -> Text:
    if content.plain:
        caption = model.caption(board, value) if named else ""
        return Text(" ").join([styled(caption, DIM), content]) if caption else content
    return styled(model.place(board, value) if named else "·", DIM)


Placed = tuple[float, float, Text]


def _rows(placed: list[Placed]) -> list[list[Placed]]:
    """Places by rows from the top, each row from the left."""
    rows: list[list[Placed]] = []
    for one in sorted(placed, key=lambda p: p[1]):
        if rows and one[1] - rows[-1][0][1] < LOWEST:
            rows[-1].append(one)
        else:
            rows.append([one])
    return [sorted(row, key=lambda p: p[0]) for row in rows]


def _lines(rows: list[list[Placed]]) -> list[Text]:
    """Each text is centred at its place, at a scale at which no two of a row touch."""
    scale = max((_needed(a, b) for row in rows for a, b in pairwise(row)), default=0.0)
    left = min(x * scale - text.cell_len / 2 for row in rows for x, _, text in row)
    return [_line(row, scale, left) for row in rows]


def _needed(a: Placed, b: Placed) -> float:
    """The columns for a unit of the layout, so that two texts have a blank between them."""
    room = (a[2].cell_len + b[2].cell_len) / 2 + BLANK
    return room / max(b[0] - a[0], 1.0)


def _line(row: list[Placed], scale: float, left: float) -> Text:
    line = Text()
    for x, _, text in row:
        start = round(x * scale - text.cell_len / 2 - left)
        line.append(" " * max(start - line.cell_len, BLANK if line else 0)).append_text(text)
    return line
