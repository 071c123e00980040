"""What a diagram is: nodes, edges and a title; nothing of how it will look."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a node stands for; its shape and colour follow from it."""

    START = "start"
    PHASE = "phase"
    DECISION = "decision"
    CHANCE = "chance"
    ACTION = "action"
    EFFECT = "effect"
    TOGETHER = "together"
    TRIGGER = "trigger"
    END = "end"


@dataclass(frozen=True, slots=True)
class Row:
    """One line inside a node: a step of a phase. Decisions are marked, inner steps indented."""

    text: str
    depth: int = 0
    decision: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """`text` is what it is called, `note` what stands smaller below, `group` the routine or phase
    in which it stands, `place` the `file:line:col` that it comes from."""

    id: str
    kind: Kind
    text: str
    note: str = ""
    group: str = ""
    place: str = ""
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    source: str
    target: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes in the order in which they are reached from the start."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def node(self, id: str) -> Node:
        """Raises `KeyError` if there is none."""
        return next((n for n in self.nodes if n.id == id), None) or _missing(id)


def _missing(id: str) -> Node:
    raise KeyError(id)
