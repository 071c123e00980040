"""Boards that are not connected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from validators.boards import graph_of, is_board
from validators.check import Check, CheckContext, Finding


@dataclass(frozen=True)
class BoardInParts(Finding):
    """A board has parts without a connection between them.

    No step leads from one part to another. Usually a link is missing; a place without any link is the
    smallest part.

    Example:

        boards:
          province:
            graph: [gaul, spain, egypt, judaea]
            links: {gaul: [spain], egypt: [judaea]}

    Add the link. If the board really has separate parts, such as islands, `allow` it with the reason.
    """

    code = "V311"
    slug = "board-in-parts"
    title = "board `{about}` has {parts} unconnected parts: no path from `{here}` to `{there}`"
    label = "declared here"
    advice = "add a link between them"

    parts: int = 0
    here: str = ""
    there: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for decl in subject.rules.types.values():
        if not is_board(decl):
            continue
        for seats in subject.seats:
            parts = sorted(nx.connected_components(graph_of(decl, seats)), key=min)
            if len(parts) > 1:
                here, there = (decl.label(min(part)) for part in parts[:2])
                yield BoardInParts(decl.span, decl.name, parts=len(parts), here=here, there=there)
                break


CHECK = Check(BoardInParts, find)
