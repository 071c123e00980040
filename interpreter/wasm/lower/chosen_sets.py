"""The values of a collection that meet a condition, as a set."""

from __future__ import annotations

from interpreter import ir
from interpreter.ir.visit import node_count, walk
from interpreter.wasm.emit.operands import STACK
from interpreter.wasm.lower import bitsets
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range, Value

FEW = 8
"""Values of a row of links that are few."""
WIDE = 3
"""Words from which on moving whole sets takes longer than to look at single places."""


def dry_run(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> None:
    """A set that nobody uses: to see what finding it takes."""
    bitsets.free_bits(fx, chosen_bits(fx, source, reg, where, r))


def chosen_bits(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> Bits:
    """The set of a collection's values that meet a condition."""
    if (
        where is not None
        and r.words > WIDE
        and _is_few(source)
        and any(isinstance(x, ir.Spread) for x in walk(where))
    ):
        return _each_asked(fx, source, reg, where, r)
    found = fx.source_bits(source, r)
    if where is not None:
        fx.keep(where, reg, r, found)
    return found


def _is_few(source: ir.Source) -> bool:
    return isinstance(source, ir.Linked) and max(map(len, source.links), default=0) <= FEW


def _each_asked(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr, r: Range) -> Bits:
    """The same by asking each value: what can be reached from one place is sooner found than from all."""
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, 0)

    def one(value: Value, _: Value) -> None:
        with fx.reg(reg, value):
            fx.num(where)
        with fx.b.if_(STACK):
            bitsets.add_bit(fx, found, value, r)

    fx.each(source, one, node_count(where))
    return found
