"""Boards on paper: as large as a page has room, or on several pages to be joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from interpreter.game import Game
from rulewright.layout.board_svg import LINE, fill_of, named
from rulewright.layout.colours import INK, readable
from rulewright.layout.derived import outline
from rulewright.layout.letters import MM
from rulewright.layout.scene import Backdrop, BoardScene, Border, Point, Scene, Slab
from rulewright.printing.canvas import Box, Canvas
from rulewright.printing.paper import MARGIN

SMALLEST = 9.0
"""The diameter of a cell in mm below which a board is drawn larger, on several pages."""
MOST_PAGES = 4
"""On so many pages in each direction at most."""
HEADING = 9.0
PAPER = "#fbf8f1"
"""The ground of a board that is a picture."""
OVERLAP = 5.0
"""What neighbouring pages of one board have in common."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a picture lies on pages: the mm of its unit, and how many there are. `turned`: on its side."""

    scale: float
    columns: int
    rows: int
    turned: bool


def plan_of(board: BoardScene, page: tuple[float, float]) -> Plan:
    """The scale of a board: that of one page, unless its cells would be too small for pieces."""
    room = page[0] - 2 * MARGIN, page[1] - 2 * MARGIN - HEADING
    scale, turned = max((_scale(board, room, turned), not turned) for turned in (False, True))
    turned = not turned
    largest = board.size * scale
    if largest >= SMALLEST or largest <= 0:
        return Plan(min(scale, 32.0 / board.size), 1, 1, turned)
    scale = min(SMALLEST / board.size, scale * (MOST_PAGES - 1))
    width, height = (side * scale for side in (board.width, board.height))
    if turned:
        width, height = height, width
    return Plan(scale, _pages(width, room[0]), _pages(height, room[1]), turned)


def _scale(board: BoardScene, room: tuple[float, float], turned: bool) -> float:
    width, height = (board.height, board.width) if turned else (board.width, board.height)
    return min(room[0] / width, room[1] / height)


def _pages(length: float, room: float) -> int:
    return max(1, ceil((length - OVERLAP) / (room - OVERLAP)))


def draw_board(
    canvas: Canvas, game: Game, scene: Scene, group: Sequence[str], title: str, seat: int | None
) -> None:
    """The boards of one picture, on a page or on several."""
    first = scene.boards[group[0]]
    plan = plan_of(first, canvas.page)
    for row in range(plan.rows):
        for column in range(plan.columns):
            canvas.add_page(leaf=True)
            part = f", part {row * plan.columns + column + 1} of {plan.rows * plan.columns}"
            words = title + (part if plan.rows * plan.columns > 1 else "")
            _draw_part(canvas, plan, first, (column, row), words, _Drawn(game, scene, group, seat))


@dataclass(frozen=True, slots=True)
class _Drawn:
    game: Game
    scene: Scene
    group: Sequence[str]
    seat: int | None


def _draw_part(
    canvas: Canvas, plan: Plan, first: BoardScene, part: tuple[int, int], title: str, drawn: _Drawn
) -> None:
    """One page: the heading, and the part of the picture that lies on it."""
    width, height = canvas.page
    room = (MARGIN, MARGIN + HEADING, width - 2 * MARGIN, height - 2 * MARGIN - HEADING)
    canvas.text_in((MARGIN, MARGIN, width - 2 * MARGIN, HEADING - 2), title, 12.0, align="left", bold=True)
    whole = first.width * plan.scale, first.height * plan.scale
    if plan.turned:
        whole = whole[::-1]
    left = (
        room[0]
        - part[0] * (room[2] - OVERLAP)
        + (max(0.0, room[2] - whole[0]) / 2 if plan.columns == 1 else 0)
    )
    top = room[1] - part[1] * (room[3] - OVERLAP)
    with canvas.clipped(room):
        if not plan.turned:
            _draw_group(canvas, drawn, (left, top), plan.scale)
            return
        middle = left + whole[0] / 2, top + whole[1] / 2
        with canvas.turned(90, middle):
            corner = middle[0] - whole[1] / 2, middle[1] - whole[0] / 2
            _draw_group(canvas, drawn, corner, plan.scale)


def draw_whole(
    canvas: Canvas,
    box: Box,
    *,
    game: Game,
    scene: Scene,
    group: Sequence[str],
    seat: int | None,
    scale: float,
) -> None:
    """The boards of one picture in a box, with so many mm for a unit of it."""
    canvas.rectangle(box, PAPER, None)
    _draw_group(canvas, _Drawn(game, scene, group, seat), box[:2], scale)


def shown_groups(game: Game, scene: Scene) -> Iterator[Sequence[str]]:
    """The pictures on which something is seen to lie, or that the look describes."""
    zones = {it.board for it in scene.zones.values() if it.kind != "hidden"}
    variables = {it.board for it in scene.variables.values() if it.kind != "hidden"}
    used = zones | variables | game.rules.look.boards.keys()
    yield from (group for group in scene.groups if used & set(group))


def _draw_group(canvas: Canvas, drawn: _Drawn, corner: Point, scale: float) -> None:
    for name in drawn.group:
        board = drawn.scene.boards[name]
        BoardPicture(canvas, board, corner, scale).draw(
            _names(drawn.game, board, name), drawn.scene.seats.colours, drawn.seat
        )


def _names(game: Game, board: BoardScene, name: str) -> list[str]:
    """What is written on the places of a board."""
    label = game.names.label
    members = game.rules.types[name].names
    return [named(board, i, label(members[i]), label) for i in range(len(board.points))]


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board at a place of a page. `corner` is its upper left, `scale` the mm of a unit of the picture."""

    canvas: Canvas
    board: BoardScene
    corner: Point
    scale: float

    def draw(self, names: Sequence[str], colours: Sequence[str], seat: int | None) -> None:
        board = self.board
        points = board.points if seat is None or not board.seat_points else board.seat_points[seat]
        if board.slab is not None:
            self.canvas.rectangle(self._box(board.slab), board.slab.colour, None)
        if board.backdrop is not None:
            self.canvas.picture(self._box(board.backdrop), board.backdrop.url)
        for a, b in board.lines:
            ends = points[a], points[b]
            if ends[0] is not None and ends[1] is not None:
                self.canvas.line([self._at(ends[0]), self._at(ends[1])], LINE, 0.3)
        for border in board.borders:
            if border.seat < len(colours):
                self._border(border, colours[border.seat])
        for i, point in enumerate(points):
            if point is not None:
                self._cell(i, point, names[i])
        for x, y, text in board.rims:
            size = 13 * self.scale / MM
            self.canvas.line_of_text(*self._at((x, y)), text, size, LINE, "middle")

    def _box(self, under: Slab | Backdrop) -> Box:
        size = under.width * self.scale, under.height * self.scale
        return *self._at((under.left, under.top)), *size

    def _at(self, point: Point) -> Point:
        return self.corner[0] + point[0] * self.scale, self.corner[1] + point[1] * self.scale

    def _border(self, border: Border, colour: str) -> None:
        self.canvas.line([self._at(p) for p in border.line], colour, 10 * self.scale)
        at, radius = self._at(border.sign), 9 * self.scale
        self.canvas.circle(at, radius, colour, None)
        self.canvas.line_of_text(
            *at, chr(ord("A") + border.seat), 11 * self.scale / MM, readable(colour), "middle"
        )

    def _cell(self, i: int, point: Point, name: str) -> None:
        board, at = self.board, self._at(point)
        fill = fill_of(board, i)
        half = board.size * self.scale / 2
        if i in board.shapes:
            self.canvas.polygon([self._at(p) for p in board.shapes[i]], fill, LINE)
        elif board.cell == "circle":
            self.canvas.circle(at, half, fill, LINE)
        elif board.cell in ("square", "hex"):
            self.canvas.polygon([self._at(p) for p in outline(board.cell, point, board.size)], fill, LINE)
        if board.named and name:
            self._name(at, half, name, INK if board.cell == "none" else readable(fill))

    def _name(self, at: Point, half: float, name: str, ink: str) -> None:
        wide, high = half * 1.55, half * (1.3 if self.board.cell != "circle" else 1.1)
        size = max(11.0, 0.4 * half / MM)  # points: on a large place it can be read from afar
        self.canvas.text_in((at[0] - wide / 2, at[1] - high / 2, wide, high), name, size, ink)
