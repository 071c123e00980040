"""Pictures of boards as SVG: cells, lines and names, without what lies on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from xml.sax.saxutils import escape, quoteattr

from dsl import rules as r
from rulewright.layout.captions import in_words
from rulewright.layout.colours import INK, readable
from rulewright.layout.compose import scene, seat_colours
from rulewright.layout.derived import outline
from rulewright.layout.pictures import together
from rulewright.layout.scene import BoardScene, Border, Point, Slab

LINE, FILL, TONES = "#8c959f", "#ffffff", ("#ece3d0", "#c9b48f")
LONGEST, IN_CIRCLE = 14, 4
"""The longest word of a name, and the longest that is written in a round place and not below it."""
ROOM, NAME_BELOW, RIM = 0.75, 24.0, 8.0
"""The room of a place on each side, in the diameter of a cell; of a name below a cell; of a text beside."""
Box = tuple[float, float, float, float]
Name = Callable[[str, int], str]
"""The label of a place: of a board, by the index of the place."""


def boards_with(rules: r.Rules, board: str, seats: int) -> dict[str, BoardScene]:
    """The boards in the picture of a board; it alone if nothing is ever on it."""
    found = scene(rules, seats)
    group = next((g for g in found.groups if board in g), None)
    if group is None:
        return together(rules.types, {}, (board,), {}, seats)
    return {name: found.boards[name] for name in group}


def shared_picture(rules: r.Rules, board: str, seats: int) -> str:
    """The picture of a board with those that share it, as the rules name their places."""
    boards, colours = boards_with(rules, board, seats), seat_colours(rules, seats)["colours"]
    return pictures_svg(boards, board, lambda of, i: named(boards[of], i, rules.types[of].names[i]), colours)


def extent(boards: Sequence[BoardScene], offsets: Sequence[Point] = ()) -> Box:
    """The part of a picture of boards in which something is drawn: left, top, width and height.

    `offsets` are those at which something lies beside the points of the boards.
    """
    first = boards[0]
    if any(board.backdrop is not None or board.slab is not None or board.borders for board in boards):
        return 0.0, 0.0, first.width, first.height
    xs, ys = [], []
    for board in boards:
        below = NAME_BELOW if board.named and board.cell == "circle" else 0.0
        for x, y in (p for p in (*board.points, *_flat(board.seat_points)) if p is not None):
            for dx, dy in ((0.0, 0.0), *offsets):
                xs += [x + dx - board.size * ROOM, x + dx + board.size * ROOM]
                ys += [y + dy - board.size * ROOM, y + dy + board.size * ROOM + below]
        for corners in board.shapes.values():
            xs += [x for x, _ in corners]
            ys += [y for _, y in corners]
        for x, y, _ in board.rims:
            xs += [x - RIM, x + RIM]
            ys += [y - RIM, y + RIM]
    if not xs:
        return 0.0, 0.0, first.width, first.height
    left, top = max(min(xs), 0.0), max(min(ys), 0.0)
    return left, top, min(max(xs), first.width) - left, min(max(ys), first.height) - top


def _flat(points: Sequence[Sequence[Point | None]]) -> list[Point | None]:
    return [point for seat in points for point in seat]


def named(board: BoardScene, i: int, name: str, label: Callable[[str], str] = str) -> str:
    """What a place is called on a board: as its look says, or else its name."""
    return in_words(board.captions[i], label) if board.captions else name


def pictures_svg(
    boards: Mapping[str, BoardScene], title: str, name: Name, colours: Sequence[str] = ()
) -> str:
    """A picture with one or several boards. `colours` are those of seats, whose sides are drawn."""
    first = next(iter(boards.values()))
    body = "".join(drawn(board, partial(name, of), colours=colours) for of, board in boards.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first.width:.0f}" height="{first.height:.0f}" '
        f'viewBox="0 0 {first.width:.0f} {first.height:.0f}" role="img" '
        f"aria-label={quoteattr('board ' + title)}>{body}</svg>"
    )


def drawn(
    board: BoardScene, name: Callable[[int], str], seat: int | None = None, colours: Sequence[str] = ()
) -> str:
    """The elements of one board: background, lines, sides of seats, cells, names."""
    points = board.points if seat is None or not board.seat_points else board.seat_points[seat]
    parts = [*map(_slab, (*((board.slab,) if board.slab else ()), *board.panels)), _backdrop(board)]
    parts += [_line(points[a], points[b]) for a, b in board.lines]
    parts += [_dot(points[i]) for i in board.dots]
    parts += [_border(it, colours[it.seat]) for it in board.borders if it.seat < len(colours)]
    parts += [_cell(board, i, point, name(i)) for i, point in enumerate(points) if point is not None]
    parts += [_text((x, y), text, 13, LINE) for x, y, text in board.rims]
    return "".join(parts)


def _slab(slab: Slab) -> str:
    at = f'x="{slab.left:.1f}" y="{slab.top:.1f}"'
    size = f'width="{slab.width:.1f}" height="{slab.height:.1f}"'
    return f'<rect {at} {size} rx="4" fill="{slab.colour}"/>'


def _dot(at: Point | None) -> str:
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4" fill="{LINE}"/>' if at is not None else ""


def _backdrop(board: BoardScene) -> str:
    it = board.backdrop
    if it is None:
        return ""
    box = f'x="{it.left:.1f}" y="{it.top:.1f}" width="{it.width:.1f}" height="{it.height:.1f}"'
    return f"<image {box} href={quoteattr(it.url)}/>"


def _line(a: Point | None, b: Point | None) -> str:
    if a is None or b is None:
        return ""
    return f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" stroke="{LINE}"/>'


def _border(border: Border, colour: str) -> str:
    """The side of a board that belongs to a seat, with the sign of the seat."""
    x, y = border.sign
    path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in border.line)
    line = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="10" stroke-linejoin="round"/>'
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{colour}"/>'
    return f"{line}{disc}{_text((x, y), chr(ord('A') + border.seat), 11, readable(colour))}"


def _cell(board: BoardScene, i: int, at: Point, name: str) -> str:
    fill = fill_of(board, i)
    shape = shape_svg(board, i, at, fill)
    title = f"<title>{escape(name)}</title>" if name else ""
    shown = _fitting(name, board.size) if board.named else []
    step = min(11.0, max(9.0, board.size / 4))
    long = board.cell == "circle" and max(map(len, shown), default=0) > IN_CIRCLE
    top = at[1] + board.size / 2 + step if long else at[1] - (len(shown) - 1) / 2 * step
    ink = INK if long else readable(fill)
    lines = [_text((at[0], top + n * step), part, step, ink) for n, part in enumerate(shown)]
    return f"<g>{title}{shape}{''.join(lines)}</g>"


def fill_of(board: BoardScene, i: int) -> str:
    """The colour of a cell."""
    if board.tones and i < len(board.tones):
        colours = board.colours or TONES
        return colours[board.tones[i] % len(colours)]
    return board.colours[0] if board.colours else FILL


def shape_svg(board: BoardScene, i: int, at: Point, fill: str) -> str:
    """The outline of a cell."""
    style = f'fill="{fill}" stroke="{LINE}"'
    if i in board.shapes:
        return f'<path d="{_closed(board.shapes[i])}" {style}/>'
    match board.cell:
        case "circle":
            return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{board.size / 2:.1f}" {style}/>'
        case "point":
            return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="1.5" fill="{LINE}"/>'
        case "none":
            return ""
        case "square" | "hex":
            return f'<path d="{_closed(outline(board.cell, at, board.size))}" {style}/>'


def _closed(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def _text(at: Point, text: str, size: float, fill: str = INK) -> str:
    return (
        f'<text x="{at[0]:.1f}" y="{at[1] + size * 0.35:.1f}" text-anchor="middle" font-size="{size:.1f}" '
        f'font-family="sans-serif" fill="{fill}">{escape(text)}</text>'
    )


def _fitting(name: str, size: float) -> list[str]:
    """A name in up to three lines, broken between words."""
    letters = max(5, round(size / 5.5))
    lines: list[str] = []
    for word in name.replace("_", " ").split():
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…")
    return lines[:3]
