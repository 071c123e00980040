"""Decisions at which a module stops and leaves what is offered in the buffer."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import STOP
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.lower import option_layouts, playout, stops
from interpreter.wasm.lower.context import FunctionContext


def stop_with_options(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer) -> None:
    """Stops with the options in the buffer, or goes on where there is nothing to choose."""
    with fx.b.borrowed(I32) as (total,):
        _leave_options(fx, number, node, total)
        fx.node = number
        _stop_if_asked(fx, number, node, total)
    stops.nothing_to_choose(fx, number, node, both=True)


def _stop_if_asked(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, total: int) -> None:
    """Stops if there is something to choose, or somebody is asked in any case."""
    b = fx.b
    b.get(total)
    if node.asks:
        fx.num(node.seat)
        b.i32(NONE)
        b.op("i32.ne", "i32.or")
    b.when()
    fx.driver.stop_at(number, STOP)
    b.end()


def _leave_options(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, total: int) -> None:
    """The options go to the buffer, and how many there are to a local."""
    b = fx.b
    b.i32(0)
    b.set(total)
    for i, part in enumerate(option_layouts.layout_of(fx, number).parts):
        mask = b.local(I64) if playout.in_register(fx, node, i, part) else None
        with b.borrowed(I32) as (count,):
            fx.driver.fill(number, node, i, part, mask, count)
            if mask is not None:
                b.i32(0)
                b.get(mask if part.size else count)
                if not part.size:
                    b.op("i64.extend_i32_u")
                b.mem("i64.store", fx.builder.mask_address + 8 * part.first)
                b.release(mask)
            b.get(total)
            b.get(count)
            b.op("i32.add")
            b.set(total)
