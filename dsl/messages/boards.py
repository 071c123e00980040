"""D097, D110, D112, D113: boards, their parts and their directions."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span


@dataclass(frozen=True)
class OwnNeighbours(Diagnostic):
    """Neighbours are asked for where a part of a board has other ones than the board.

    A part with a shape has the neighbours of its shape. So two places are next to each other or not,
    depending on the name under which they are reached: what is found for a `city` is not what is found for
    the same place as a `node`.

    Example:

        boards:
          node: {graph: nodes.csv, links: links.csv}
          city: {line: [rome, ostia], part_of: node}

    Write `values: [rome, ostia]`, and the places keep the neighbours of the board. `next` and `previous` go
    along this list.
    """

    code = "D110"
    slug = "own-neighbours"
    title = "the places of `{part}` have other neighbours than on the board `{board}`"
    advice = "write `values: [...]` instead of its shape, and they keep those of the board"
    part: str
    board: str
    declared: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.declared, "declared here"),)


@dataclass(frozen=True)
class NoOpposite(Diagnostic):
    """A direction has no opposite among the directions of its type.

    `opposite` is defined for a type of directions if each of them leads back along another one.

    Example:

        boards: {square: {grid: [8, 8], directions: {forward: [northwest, north, northeast]}}}
        value back(forward) = opposite(forward)

    Add the missing directions to the type, or name the opposite ones with a table.
    """

    code = "D112"
    slug = "no-opposite"
    title = "not each direction of `{directions}` has an opposite one"
    advice = "add the directions that lead back, or use a type of directions that has them"
    directions: str


@dataclass(frozen=True)
class NothingAround(Diagnostic):
    """Corners, edges, ends or places are asked for where the board has none of them.

    `corners(x)` and `edges(x)` need a board that declares them, `ends(x)` an edge of a board whose corners or
    places have a name, and `places(x)` a corner or an edge of a board of fields.

    Example:

        boards: {tile: {hex: {side: 3}}}
        value around(tile) = size(corners(tile))

    Declare them: `tile: {hex: {side: 3}, corners: node}`.
    """

    code = "D113"
    slug = "nothing-around"
    title = "`{board}` has no {what}"
    advice = "{hint}"
    board: str
    what: str
    hint: str
