"""The values of a collection that meet a condition, as a set."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.lower import bitsets
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range

FEW = 8
"""Values of a row of links that are few."""


def dry_run(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> None:
    """A set that nobody uses: to see what finding it takes."""
    bitsets.free_bits(fx, chosen_bits(fx, source, reg, where, r))


def chosen_bits(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> Bits:
    """The set of a collection's values that meet a condition."""
    found = fx.source_bits(source, r)
    if where is not None:
        before = fx.few
        if isinstance(source, ir.Linked) and max(map(len, source.links), default=0) <= FEW:
            fx.few = before | {reg}
        fx.keep(where, reg, r, found)
        fx.few = before
    return found
