"""Layout of blocks in columns, so that they take few lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table

GAP = 2


@dataclass(frozen=True, slots=True)
class Block:
    """A renderable with its measured size."""

    content: RenderableType
    width: int
    height: int


@dataclass(slots=True)
class Column:
    """Blocks one below the other, separated by an empty line."""

    blocks: list[Block] = field(default_factory=list)

    @property
    def width(self) -> int:
        return max((b.width for b in self.blocks), default=0)

    @property
    def height(self) -> int:
        return sum(b.height + 1 for b in self.blocks) - 1

    def adding(self, block: Block) -> Column:
        return Column([*self.blocks, block])


Band = list[Column]


def packed(blocks: Sequence[RenderableType], console: Console, width: int) -> list[RenderableType]:
    """Packs blocks into bands of columns: each goes where its band grows least, or starts a new band."""
    bands: list[Band] = []
    for block in (_measure(b, console, width) for b in blocks):
        fits = [band for band in _placements(bands[-1], block) if _width(band) <= width] if bands else []
        if fits:
            bands[-1] = min(fits, key=_height)
        else:
            bands.append([Column([block])])
    return [_render_band(band) for band in bands]


def _measure(block: RenderableType, console: Console, width: int) -> Block:
    options = console.options.update(width=width)
    wide = Measurement.get(console, options, block).maximum
    lines = console.render_lines(block, options.update(width=wide))
    return Block(block, wide, len(lines))


def _placements(band: Band, block: Block) -> list[Band]:
    """The possible bands with a block added: in a new column, or below one of the columns."""
    below = [[*band[:i], c.adding(block), *band[i + 1 :]] for i, c in enumerate(band)]
    return [[*band, Column([block])], *below]


def _width(band: Band) -> int:
    return sum(c.width + GAP for c in band) - GAP


def _height(band: Band) -> int:
    return max(c.height for c in band)


def _render_band(band: Band) -> RenderableType:
    line = Table.grid()
    for column in band:
        line.add_column(width=column.width + (GAP if column is not band[-1] else 0))
    line.add_row(*(_render_column(column) for column in band))
    return line


def _render_column(column: Column) -> RenderableType:
    last = len(column.blocks) - 1
    return Group(*(Padding(b.content, (0, 0, 1 if i < last else 0, 0)) for i, b in enumerate(column.blocks)))
