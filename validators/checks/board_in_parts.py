"""Boards that are not in one piece."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from dsl.rules import TypeDecl
from validators.check import Check
from validators.findings import Finding
from validators.subject import Subject


@dataclass(frozen=True)
class BoardInParts(Finding):
    """A board falls into parts, and no step leads from one to another.

    Who stands in one part never comes into the others by neighbours. Mostly a link was forgotten; a
    place without any link is the smallest part.

    Example:

        boards:
          province:
            graph: [gaul, spain, egypt, judaea]
            links: {gaul: [spain], egypt: [judaea]}

    Add the link. If the board has parts that are not joined, as islands, `allow` it with the reason.
    """

    code = "V311"
    slug = "board-in-parts"
    title = "board `{about}` is in {parts} parts: from `{here}` no way leads to `{there}`"
    label = "declared here"
    mend = "add a link between them"

    parts: int = 0
    here: str = ""
    there: str = ""


def find(subject: Subject) -> Iterator[Finding]:
    low, high = subject.rules.seats
    for decl in subject.rules.types.values():
        if decl.shape == "none" or not decl.links or not any(decl.links):
            continue
        for seats in range(low, high + 1):
            parts = sorted(nx.connected_components(graph_of(decl, seats)), key=min)
            if len(parts) > 1:
                here, there = (decl.label(min(part)) for part in parts[:2])
                yield BoardInParts(decl.span, decl.name, parts=len(parts), here=here, there=there)
                break


def graph_of(decl: TypeDecl, seats: int) -> nx.Graph[int]:
    """The places of a board that are in play with a number of seats, and their links."""
    graph: nx.Graph[int] = nx.Graph()
    present = set(decl.present(seats))
    graph.add_nodes_from(present)
    for place in present:
        graph.add_edges_from((place, v) for v in decl.links[place - decl.lo] if v in present)
    return graph


CHECK = Check(BoardInParts, find)
