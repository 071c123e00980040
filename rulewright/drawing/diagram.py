"""The model of a diagram: nodes, edges and a title, without any format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from dsl.source import Span


class Kind(StrEnum):
    """What a node stands for; decides its shape and colour."""

    START = "start"
    PHASE = "phase"
    DECISION = "decision"
    CHANCE = "chance"
    ACTION = "action"
    EFFECT = "effect"
    SEATS = "seats"
    TRIGGER = "trigger"
    END = "end"


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One line inside a node: a step of a phase, or with `part` a part of the line above."""

    text: str
    depth: int = 0
    kind: Kind = Kind.ACTION
    part: bool = False


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """`text` is its name; `lead` and `note` are smaller texts above and below.

    `group` is the routine or phase to which it belongs, `place` the `file:line:col` of its source.
    """

    id: str
    kind: Kind
    text: str
    lead: str = ""
    note: str = ""
    group: str = ""
    place: str = ""
    rows: tuple[NodeRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    source: str
    target: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes in the order in which they are reached from the start."""

    level: Literal["phases", "machine"]
    title: str
    nodes: tuple[DiagramNode, ...]
    edges: tuple[Edge, ...]


def grouped(diagram: Diagram) -> list[tuple[str, list[DiagramNode]]]:
    """Nodes by group, in order; those without a group, or alone in it, are under an empty name."""
    groups: dict[str, list[DiagramNode]] = {}
    for node in diagram.nodes:
        groups.setdefault("" if node.rows else node.group, []).append(node)
    alone = {name for name, nodes in groups.items() if len(nodes) < 2}
    free = [n for n in diagram.nodes if not n.group or n.rows or n.group in alone]
    return [("", free), *((name, nodes) for name, nodes in groups.items() if name and name not in alone)]


def one_line(span: Span) -> str:
    """The text of a span on one line."""
    return " ".join(span.text.split())


def first_line(span: Span) -> str:
    """The first line of a span, without clause marks and comments."""
    line = span.text.split("\n")[0]
    return re.split(r"\s*(?:§|#|\s\s)", line.strip())[0].strip()
