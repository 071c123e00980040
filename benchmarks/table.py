"""Tables: what a section of the benchmarks hands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Cell = str | int | float | None
"""What a table holds. `None` is nothing: not measured, or not to be had."""


@dataclass
class Table:
    """Rows of cells under columns, and what must be known to read them."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def column(self, name: str) -> list[Cell]:
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def data(self) -> dict[str, Any]:
        return asdict(self)


def render(table: Table) -> str:
    """The table as Markdown, aligned so that it reads well in a terminal too."""
    cells = [list(table.columns), *([_written(cell) for cell in row] for row in table.rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.columns))]
    right = [_is_numeric(table, i) for i in range(len(table.columns))]
    lines = [_line(row, widths, right) for row in cells]
    lines.insert(1, _rule(widths, right))
    notes = [f"* {note}" for note in table.notes]
    return "\n".join([f"## {table.title}", "", *lines, *([""] if notes else []), *notes])


def _written(cell: Cell) -> str:
    if cell is None:
        return "·"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def _is_numeric(table: Table, column: int) -> bool:
    return not any(isinstance(row[column], str) for row in table.rows)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True))
    return f"| {' | '.join(padded)} |"


def _rule(widths: Sequence[int], right: Sequence[bool]) -> str:
    return f"|{'|'.join('-' * (w + 1) + (':' if r else '-') for w, r in zip(widths, right, strict=True))}|"
