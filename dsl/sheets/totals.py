"""The line of totals that spreadsheets have below a table, which is no row of it."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.sheets.names import normal_form, number_in

TOTALS = frozenset(
    {"total", "totals", "sum", "osszesen", "osszeg", "summa", "summe", "gesamt", "somme", "suma", "totale"}
)
"""What stands in such a line, in its normal form."""


def is_total(line: Sequence[str], above: Sequence[Sequence[str]]) -> bool:
    """Whether the last line of a table is no row of it: it says so, and has a sum of the numbers above."""
    if not any(normal_form(cell) in TOTALS for cell in line):
        return False
    numbers = ((i, number) for i, cell in enumerate(line) if (number := number_in(cell)) is not None)
    return any(
        number == sum(number_in(row[i]) or 0 for row in above if i < len(row)) for i, number in numbers
    )
