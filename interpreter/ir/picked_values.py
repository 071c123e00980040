"""Conditions that read a value only to look something up: `all(disc at column.top exists for column)`.

What is looked up can be gone through instead: for `any` and `all` it does not matter how often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from interpreter.ir.expressions import Expr, Pick, Reg
from interpreter.ir.visit import Part, children, mapped


def over_picked(condition: Expr, reg: int, values: Sequence[int]) -> tuple[Expr, tuple[int, ...]] | None:
    """The condition on what is looked up, and all that is found, if a value is read for one table only."""
    picks = list(_picks(condition, reg))
    if not picks or None in picks or len(set(picks)) > 1:
        return None
    pick = cast(Pick, picks[0])
    if not all(0 <= value - pick.lo < len(pick.table) for value in values):
        return None

    def change(part: Part) -> Part:
        return Reg(reg) if part == pick else mapped(part, change)

    found = (pick.table[value - pick.lo] for value in values)
    return cast(Expr, change(condition)), tuple(dict.fromkeys(found))


def _picks(part: Part, reg: int) -> list[Pick | None]:
    """The tables that are read with a register; none where it is read in another way."""
    match part:
        case Pick(index=Reg(index=index)) if index == reg:
            return [part]
        case Reg(index=index) if index == reg:
            return [None]
    return [found for child in children(part) for found in _picks(child, reg)]
