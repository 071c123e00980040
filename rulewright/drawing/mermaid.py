"""A diagram as a Mermaid flowchart, which GitHub and many editors draw."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.drawing.diagram import Diagram, DiagramNode, Edge, Kind, grouped
from rulewright.drawing.shapes import FILLS, INK, PAPER

BRACKETS: dict[Kind, tuple[str, str]] = {
    Kind.START: ("((", "))"),
    Kind.PHASE: ("[", "]"),
    Kind.DECISION: ("{", "}"),
    Kind.CHANCE: ("{{", "}}"),
    Kind.ACTION: ("([", "])"),
    Kind.EFFECT: ("[", "]"),
    Kind.SEATS: ("[[", "]]"),
    Kind.TRIGGER: (">", "]"),
    Kind.END: ("([", "])"),
}
ESCAPES = {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "#": "#35;"}


def mermaid(diagram: Diagram) -> str:
    """The text of a flowchart from left to right."""
    lines = ["---", f'title: "{_escaped(diagram.title)}"', "---", "flowchart LR"]
    lines.extend(_nodes(diagram))
    ends = {n.id: _ends(n) for n in diagram.nodes}
    lines.extend(_edge(e, ends) for e in diagram.edges)
    kinds = sorted({n.kind for n in diagram.nodes} | {k for n in diagram.nodes for k, _ in _steps(n)})
    lines.extend(_style(kind) for kind in kinds)
    return "\n".join(lines) + "\n"


def _nodes(diagram: Diagram) -> Iterator[str]:
    """Every node; those of one routine together in a box."""
    for number, (group, nodes) in enumerate(grouped(diagram)):
        if group:
            yield f'  subgraph group_{number}["{_escaped(group)}"]'
            yield from (f"  {line}" for node in nodes for line in _node(node))
            yield "  end"
        else:
            yield from (line for node in nodes for line in _node(node))


def _node(node: DiagramNode) -> Iterator[str]:
    """A node, or a box with a node for each of its rows."""
    if not node.rows:
        words = "<br/>".join(_escaped(t) for t in (node.lead, node.text, node.note) if t)
        yield f"  {_shape(node.id, node.kind, words if node.kind is not Kind.START else ' ')}"
        return
    note = f"<br/>{_escaped(node.note)}" if node.note else ""
    yield f'  subgraph {node.id}["{_escaped(node.text)}{note}"]'
    yield "    direction TB"
    steps = _steps(node)
    for i, (kind, words) in enumerate(steps):
        yield f"    {_shape(f'{node.id}_{i}', kind, words)}"
    if len(steps) > 1:
        yield "    " + " --> ".join(f"{node.id}_{i}" for i in range(len(steps)))
    yield "  end"


def _steps(node: DiagramNode) -> list[tuple[Kind, str]]:
    """The steps of a phase with their words; rows that are parts of a step share its node."""
    steps: list[tuple[Kind, str]] = []
    for row in node.rows:
        words = _escaped(row.text)
        if row.part and steps:
            kind, before = steps[-1]
            steps[-1] = kind, f"{before}<br/>{words}"
        else:
            steps.append((row.kind, words))
    return steps


def _shape(id: str, kind: Kind, words: str) -> str:
    before, after = BRACKETS[kind]
    return f'{id}{before}"{words}"{after}:::{kind}Kind'


def _ends(node: DiagramNode) -> tuple[str, str]:
    """The nodes at which the edges of a node end and begin."""
    if not node.rows:
        return node.id, node.id
    return f"{node.id}_0", f"{node.id}_{len(_steps(node)) - 1}"


def _edge(edge: Edge, ends: dict[str, tuple[str, str]]) -> str:
    words = f'|"{_escaped(edge.text)}"|' if edge.text else ""
    return f"  {ends[edge.source][1]} -->{words} {ends[edge.target][0]}"


def _style(kind: Kind) -> str:
    fill, line = FILLS[kind]
    ink = PAPER if kind in (Kind.START, Kind.PHASE) else INK
    return f"  classDef {kind}Kind fill:{fill},stroke:{line},color:{ink}"


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(letter, letter) for letter in text)
