"""Histories: how often the present position has been before, and what is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from interpreter import ir
from interpreter.wasm.abi import HISTORY_FULL, MOST_WORK
from interpreter.wasm.emit.operands import Operand
from interpreter.wasm.lower import const_eval, loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Constant, Interval


def times(fx: FunctionContext, e: ir.Times) -> Interval:
    """Leaves how many records are equal to the present position."""
    most = fx.mc.histories[e.history].most
    if fx.nesting:
        loops.spend(fx, Constant(1 + (most >> 4)), MOST_WORK)
    with _values(fx, e.values) as values:
        fx.b.push(fx.builder.call(f"times {e.history}", fx.b.state, *values))
    return (0, most)


def lower_history_node(fx: FunctionContext, node: ir.HistoryNode) -> None:
    b, builder, number = fx.b, fx.builder, node.history
    match node:
        case ir.AddRecord(values=parts):
            with _values(fx, parts) as values, b.if_(builder.call(f"record {number}", b.state, *values)):
                fx.fault(HISTORY_FULL, number)
        case ir.ClearHistory():
            b.push(builder.call(f"erase {number}", b.state, results=()))
        case _:
            assert_never(node)


@contextmanager
def _values(fx: FunctionContext, values: tuple[ir.Expr, ...]) -> Iterator[list[Operand]]:
    """The values of a record that are worked out here."""
    found = [const_eval.operand(fx, value) for value in values]
    yield [value.operand for value in found]
    fx.drop(*found)
