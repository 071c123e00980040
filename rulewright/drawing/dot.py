"""A diagram in the DOT language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from rulewright.drawing.diagram import Diagram, DiagramNode, Edge, Kind, NodeRow, grouped
from rulewright.drawing.shapes import FILLS, INK, PAPER

SHAPES: dict[Kind, str] = {
    Kind.START: "circle",
    Kind.PHASE: "box",
    Kind.DECISION: "diamond",
    Kind.CHANCE: "hexagon",
    Kind.ACTION: "box",
    Kind.EFFECT: "box",
    Kind.SEATS: "box",
    Kind.TRIGGER: "note",
    Kind.END: "box",
}
STYLES: dict[Kind, str] = {
    Kind.ACTION: "filled,rounded",
    Kind.TRIGGER: "filled,dashed",
    Kind.END: "filled,rounded",
}
EXTRA: dict[Kind, str] = {Kind.END: ", peripheries=2", Kind.START: ", width=0.25"}


def dot(diagram: Diagram) -> str:
    """The text of a directed graph from left to right."""
    lines = [
        "digraph game {",
        f"  label={_quoted(diagram.title)}; labelloc=t; rankdir=LR;",
        '  node [fontname="monospace", fontsize=11]; edge [fontname="monospace", fontsize=9];',
    ]
    for number, (group, nodes) in enumerate(grouped(diagram)):
        lines.extend(_group(number, group, nodes))
    lines.extend(_edge(e) for e in diagram.edges)
    return "\n".join([*lines, "}", ""])


def _group(number: int, group: str, nodes: list[DiagramNode]) -> Iterator[str]:
    """The nodes of one routine together in a box."""
    if group:
        yield f"  subgraph cluster_{number} {{ label={_quoted(group)}; color=gray; fontsize=10;"
        yield from (f"    {_node(node)}" for node in nodes)
        yield "  }"
    else:
        yield from (f"  {_node(node)}" for node in nodes)


def _node(node: DiagramNode) -> str:
    fill, line = FILLS[node.kind]
    if node.rows:
        return f"{node.id} [shape=plain, label=<{_table(node)}>];"
    ink = PAPER if node.kind is Kind.PHASE else INK
    style = STYLES.get(node.kind, "filled")
    words = "" if node.kind is Kind.START else "\n".join(t for t in (node.lead, node.text, node.note) if t)
    paint = f'style="{style}", fillcolor="{fill}", color="{line}", fontcolor="{ink}"'
    text = f"label={_quoted(words)}, tooltip={_quoted(node.place)}"
    return f"{node.id} [shape={SHAPES[node.kind]}, {paint}, {text}{EXTRA.get(node.kind, '')}];"


def _table(node: DiagramNode) -> str:
    fill, _ = FILLS[Kind.PHASE]
    note = f"<BR/>{escape(node.note)}" if node.note else ""
    head = f'<FONT COLOR="{PAPER}"><B>{escape(node.text)}</B>{note}</FONT>'
    rows = "".join(f'<TR><TD ALIGN="LEFT">{_row(row)}</TD></TR>' for row in node.rows)
    opening = '<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4">'
    return f'{opening}<TR><TD BGCOLOR="{fill}">{head}</TD></TR>{rows}</TABLE>'


def _row(row: NodeRow) -> str:
    return "&#160;" * 3 * row.depth + ("◇ " if row.kind is Kind.DECISION else "") + escape(row.text)


def _edge(edge: Edge) -> str:
    words = f" [label={_quoted(edge.text)}]" if edge.text else ""
    return f"  {edge.source} -> {edge.target}{words};"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
