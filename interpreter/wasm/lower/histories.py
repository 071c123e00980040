"""Histories: how often the present position has been before, and what is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import assert_never

from interpreter import ir
from interpreter.wasm.abi import HISTORY_FULL, MOST_WORK, TOO_MUCH
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, const, word_at
from interpreter.wasm.lower import const_eval, loops
from interpreter.wasm.lower.context import FunctionContext, Sieves
from interpreter.wasm.lower.values import Constant, Interval
from interpreter.wasm.runtime import packing

FEWEST_SIEVED = 16
"""The least interval of values to try for which a sieve is worth its making."""


def times(fx: FunctionContext, e: ir.Times) -> Interval:
    """Leaves how many records are equal to the present position."""
    most = fx.mc.histories[e.history].most
    if fx.nesting:
        loops.spend(fx, Constant(1 + (most >> 4)), MOST_WORK)
    with _values(fx, e.values) as values:
        fx.b.push(fx.builder.call(f"times {e.history}", fx.b.state, sieved(fx, {e.history}), *values))
    return (0, most)


def sieved(fx: FunctionContext, histories: Set[int]) -> Operand:
    """Whether there are sieves of all of these histories."""
    sieves = fx.sieves
    return sieves.made if sieves is not None and histories <= sieves.histories else const(0)


@contextmanager
def sieving(fx: FunctionContext, histories: frozenset[int], source: ir.Source) -> Iterator[None]:
    """The block tries values of a collection, each of which asks some histories for the present position.

    Their records are sieved once before. A trial that others run in has no sieve of its own: only the state
    itself is sieved, and what is tried does not change its histories.
    """
    lo, hi = fx.domain(source) if histories else (0, 0)
    if hi - lo < FEWEST_SIEVED or fx.sieves is not None:
        yield
        return
    b = fx.b
    with b.temporaries(I32) as (made,):
        b.assign(made, fx.driver.trial.eqz())
        with b.if_(made):
            for number in histories:
                b.push(fx.builder.call(f"sieve {number}", b.state, results=()))
        fx.sieves = Sieves(histories, made)
        yield
        fx.sieves = None


def lower_history_node(fx: FunctionContext, node: ir.HistoryNode) -> None:
    b, builder, number = fx.b, fx.builder, node.history
    match node:
        case ir.AddRecord(values=parts):
            with _values(fx, parts) as values, b.if_(builder.call(f"record {number}", b.state, *values)):
                fx.fault(HISTORY_FULL, number)
        case ir.ClearHistory():
            b.push(builder.call(f"erase {number}", b.state, results=()))
        case ir.SelectRecords():
            _select(fx, node)
        case _:
            assert_never(node)


def _select(fx: FunctionContext, node: ir.SelectRecords) -> None:
    """Finds the best records, with the fuel that there is."""
    b, fuel = fx.b, fx.driver.fuel
    name = packing.name_of(node)
    with b.temporaries(I32) as (number,):
        b.assign(number, fx.builder.call(name, b.state, fuel))
        b.assign(fuel, word_at(packing.left_at(fx.builder, name)))
        with b.if_(fuel.lt_s(0)):
            fx.fault(TOO_MUCH)
        with fx.frames.slot(node.slot):
            b.push(number)


def take(fx: FunctionContext, node: ir.TakeRecord) -> None:
    """Brings a selected record into the frame."""
    b, history = fx.b, fx.mc.histories[node.history]
    with b.temporaries(I32) as (at,):
        fx.num(ir.Local(node.number))
        b.assign(at, STACK)
        b.assign(at, (b.state + (at << 2)).load(4 * history.base + 4))
        b.assign(at, b.state + at * (4 * history.words))
        for i in range(history.words):
            with fx.frames.slot(node.slot + i):
                b.push(at.load(4 * (history.first + i)))


@contextmanager
def _values(fx: FunctionContext, values: tuple[ir.Expr, ...]) -> Iterator[list[Operand]]:
    """The values of a record that are worked out here."""
    found = [const_eval.operand(fx, value) for value in values]
    yield [value.operand for value in found]
    fx.drop(*found)
