"""The corners and edges of the cells of grids and hexagonal boards, with their names."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.rules import TypeDecl

Point = tuple[int, int]
HEXAGON = {
    "north": (0, 2),
    "northeast": (1, 1),
    "southeast": (1, -1),
    "south": (0, -2),
    "southwest": (-1, -1),
    "northwest": (-1, 1),
}
HEXAGON_SIDES = ("northeast", "east", "southeast", "southwest", "west", "northwest")
SQUARE = {"northwest": (-1, 1), "northeast": (1, 1), "southeast": (1, -1), "southwest": (-1, -1)}
SQUARE_SIDES = ("north", "east", "south", "west")
"""The corners of a cell, clockwise, and its sides: each from one corner to the next."""


@dataclass
class Outline:
    """The corners and edges of the cells of a board, each with the name by its first cell.

    `corners_of` and `sides_of` have those of each cell; an edge is the pair of its corners. `aliases` has the
    name of a corner or edge for each description by another cell.
    """

    corners: dict[Point, str]
    edges: dict[frozenset[Point], str]
    corners_of: list[list[Point]]
    sides_of: list[list[frozenset[Point]]]
    aliases: dict[str, str]


def outline(decl: TypeDecl) -> Outline:
    found = Outline({}, {}, [], [], {})
    corners, sides = (HEXAGON, HEXAGON_SIDES) if decl.shape == "hex" else (SQUARE, SQUARE_SIDES)
    for (row, column), place in decl.cells.items():
        x, y = (2 * column + row, 3 * row) if decl.shape == "hex" else (2 * column, 2 * row)
        around = [(x + dx, y + dy) for dx, dy in corners.values()]
        name = decl.label(place)
        for point, way in zip(around, corners, strict=True):
            found.aliases[f"{name}_{way}"] = found.corners.setdefault(point, f"{name}_{way}")
        edges = [frozenset(pair) for pair in zip(around, (*around[1:], around[0]), strict=True)]
        for edge, way in zip(edges, sides, strict=True):
            found.aliases[f"{name}_to_{way}"] = found.edges.setdefault(edge, f"{name}_to_{way}")
        found.corners_of.append(around)
        found.sides_of.append(edges)
    return found
