"""The shapes of nodes in SVG: their size, outline and text."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from rulewright.drawing.diagram import DiagramNode, Kind, NodeRow
from rulewright.drawing.layout import Point

TEXT, SMALL = 13.0, 10.5
"""The two font sizes, in pixels."""
WIDE = 0.61
"""The width of a letter of a monospaced font, relative to its size."""
ROW, HEADER, INDENT = 19.0, 30.0, 16.0

FILLS: dict[Kind, tuple[str, str]] = {
    Kind.START: ("#23303f", "#23303f"),
    Kind.PHASE: ("#23303f", "#23303f"),
    Kind.DECISION: ("#fff3d1", "#b7791f"),
    Kind.CHANCE: ("#dbeafe", "#2563a8"),
    Kind.ACTION: ("#dcf3e1", "#2f7d46"),
    Kind.EFFECT: ("#efe5fb", "#7546b4"),
    Kind.SEATS: ("#e8ecf1", "#5b6b7d"),
    Kind.TRIGGER: ("#ffffff", "#a3323a"),
    Kind.END: ("#fbdfe0", "#a3323a"),
}
"""Fill and outline by kind."""
INK, FAINT, PAPER = "#1c2733", "#5b6b7d", "#ffffff"


@dataclass(frozen=True, slots=True)
class Size:
    width: float
    height: float


def size(node: DiagramNode) -> Size:
    """The size of a node in pixels."""
    if _is_card(node):
        return _card_size(node)
    lines = sum(bool(line) for line in (node.lead, node.text, node.note))
    lead, name, note = text_width(node.lead, SMALL), text_width(node.text, TEXT), text_width(node.note, SMALL)
    match node.kind:
        case Kind.START:
            return Size(18, 18)
        case Kind.DECISION:
            # wide enough that the corners of all three lines stay inside
            return Size(max(name / 0.76, lead / 0.54, note / 0.47, 100), 72)
        case Kind.CHANCE:
            return Size(max(lead, name, note) + 44, 24 + 13 * (lines - 1))
        case _:
            return Size(max(lead, name, note) + 26, 26 + 13 * (lines - 1))


def text_width(text: str, size: float) -> float:
    return len(text) * size * WIDE


def _is_card(node: DiagramNode) -> bool:
    """Whether a node is drawn as a phase with its steps."""
    return bool(node.rows) or (node.kind is Kind.PHASE and not node.lead)


def _card_size(node: DiagramNode) -> Size:
    widths = [text_width(node.text, TEXT) + 36, text_width(node.note, SMALL) + 36]
    widths += [text_width(row.text, SMALL) + 40 + INDENT * row.depth for row in node.rows]
    rows = ROW * len(node.rows) + (8 if node.rows else 0)
    return Size(max(widths), HEADER + (14 if node.note else 0) + rows)


# ---- drawing


def draw(node: DiagramNode, left: float, top: float) -> str:
    """A node as SVG, with its upper left corner at a point."""
    room = size(node)
    title = escape(" ".join(x for x in (node.kind, node.lead, node.text, node.note, node.place) if x))
    if _is_card(node):
        body = _card(node, left, top, room)
    else:
        middle = (left + room.width / 2, top + room.height / 2)
        body = outline(node.kind, left, top, room) + ("" if node.kind is Kind.START else _lines(node, middle))
    return f"<g><title>{title}</title>{body}</g>"


def outline(kind: Kind, left: float, top: float, room: Size) -> str:
    """The bare shape of a kind."""
    w, h = room.width, room.height
    fill, line = FILLS[kind]
    paint = f'fill="{fill}" stroke="{line}" stroke-width="1.4"'
    match kind:
        case Kind.START:
            return f'<circle cx="{left + w / 2:.1f}" cy="{top + h / 2:.1f}" r="{w / 2:.1f}" {paint}/>'
        case Kind.DECISION:
            return _polygon([(left, top + h / 2), (left + w / 2, top), (left + w, top + h / 2),
                             (left + w / 2, top + h)], paint)  # fmt: skip
        case Kind.CHANCE:
            slant = 14
            return _polygon([(left, top + h / 2), (left + slant, top), (left + w - slant, top),
                             (left + w, top + h / 2), (left + w - slant, top + h), (left + slant, top + h)],
                            paint)  # fmt: skip
        case Kind.TRIGGER:
            return _rect(left, top, room, 3, paint + ' stroke-dasharray="5 3"')
        case Kind.SEATS:
            bars = "".join(f'<path d="M{x:.1f} {top:.1f}v{h:.1f}" stroke="{line}"/>'
                           for x in (left + 6, left + w - 6))  # fmt: skip
            return _rect(left, top, room, 0, paint) + bars
        case Kind.END:
            inner = Size(w - 6, h - 6)
            thin = f'fill="none" stroke="{line}"'
            return _rect(left, top, room, h / 2, paint) + _rect(left + 3, top + 3, inner, h / 2 - 3, thin)
        case Kind.ACTION:
            return _rect(left, top, room, h / 2, paint)
        case Kind.PHASE | Kind.EFFECT:
            return _rect(left, top, room, 4, paint)


def _polygon(points: list[Point], paint: str) -> str:
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" {paint}/>'


def _rect(left: float, top: float, room: Size, round: float, paint: str) -> str:
    return (f'<rect x="{left:.1f}" y="{top:.1f}" width="{room.width:.1f}" height="{room.height:.1f}" '
            f'rx="{round:.1f}" {paint}/>')  # fmt: skip


def text(words: str, x: float, y: float, size: float, colour: str = INK, anchor: str = "middle",
         bold: bool = False) -> str:  # fmt: skip
    """One line of text with its base line at `y`."""
    weight = ' font-weight="600"' if bold else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
            f"{weight}>{escape(words)}</text>")  # fmt: skip


def _lines(node: DiagramNode, middle: Point) -> str:
    """Up to three centred lines of text; in a diamond the name is always in the middle."""
    x, y = middle
    dark = node.kind is Kind.PHASE
    ink, faint = (PAPER, "#c3ccd6") if dark else (INK, FAINT)
    shift = 0.0 if node.kind is Kind.DECISION else 6.5 * (bool(node.lead) - bool(node.note))
    base = y + shift + 4.5
    return (
        (text(node.lead, x, base - 13.5, SMALL, faint) if node.lead else "")
        + text(node.text, x, base, TEXT, ink, bold=True)
        + (text(node.note, x, base + 12.5, SMALL, faint) if node.note else "")
    )


def _card(node: DiagramNode, left: float, top: float, room: Size) -> str:
    """A phase with its steps, one below the other."""
    header = Size(room.width, HEADER + (14 if node.note else 0))
    paint = f'fill="{PAPER}" stroke="{INK}" stroke-width="1.4"'
    dark = f'fill="{FILLS[Kind.PHASE][0]}" stroke="{INK}" stroke-width="1.4"'
    parts = [_rect(left, top, room, 6, paint), _rect(left, top, header, 6, dark)]
    parts.append(text(node.text, left + 14, top + 20, TEXT, PAPER, "start", bold=True))
    if node.note:
        parts.append(text(node.note, left + 14, top + 35, SMALL, "#c3ccd6", "start"))
    for i, row in enumerate(node.rows):
        parts.append(_row(row, left + 14, top + header.height + ROW * (i + 0.9)))
    return "".join(parts)


def _row(row: NodeRow, left: float, base: float) -> str:
    x = left + INDENT * row.depth
    mark = ""
    if row.kind is Kind.DECISION:
        fill, line = FILLS[Kind.DECISION]
        mark = _polygon([(x, base - 4), (x + 6, base - 9), (x + 12, base - 4), (x + 6, base + 1)],
                        f'fill="{fill}" stroke="{line}"')  # fmt: skip
    return mark + text(row.text, x + (17 if mark else 0), base, SMALL, INK, "start")
