"""For which values a condition may hold, whatever the state is: what it says by tables, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter import ir
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Range
from interpreter.wasm.sets.costs import work
from interpreter.wasm.sets.tables import Column, Env, Unfit
from interpreter.wasm.sets.vectors import MOST_WORK, Vectors

MOST_LOOKED_UP = 1 << 19
"""Values of columns that are looked at, over all conditions."""


def possible(fx: FunctionContext, e: ir.Expr, columns: Mapping[int, Column]) -> int | None:
    """A set in which all indices lie at which a condition on some columns may hold in any state."""
    size = len(next(iter(columns.values())))
    if size * work(e) > MOST_WORK:
        return None
    forms = Vectors(fx, Range(0, size), any_state=True)
    forms.left = MOST_LOOKED_UP // size
    try:
        return forms.condition(e, Env(columns), (1 << size) - 1).possible
    except Unfit:
        return None
