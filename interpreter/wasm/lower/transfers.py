"""Gains, losses and payments, with the bank's or the other seat's side."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.faults import BANK_OUT_OF_RANGE, CANNOT_PAY, OUT_OF_RANGE
from interpreter.wasm.lower import addresses, writes
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, InLocal, Span


def transfer(fx: FunctionContext, node: ir.Transfer) -> None:
    b, words = fx.b, fx.mc.variables[node.name]
    at, offset = writes.word_address(fx, node.address)
    old, new, amount = b.local(), b.local(), b.local()
    x = fx.num(node.amount)
    b.set(amount)
    writes.word_get(fx, at, offset)
    b.tee(old)
    b.get(amount)
    span = writes.moved_by(fx, "+" if node.verb == "gain" else "-", addresses.load_span(fx, node.address), x)
    b.set(new)
    _transferred(fx, node, words, at, offset, old, new, amount, span)
    writes.word_set(fx, at, offset, new)
    writes.changed(fx, at, offset, old, new)
    if node.to is not None:
        _receive(fx, node, node.to, words, old, new)
    elif node.bank is not None:
        _book(fx, node, node.bank, old, new)
    writes.word_free(fx, at, offset)
    b.release(old, new, amount)


def payable(fx: FunctionContext, node: ir.Transfer) -> None:
    """Leaves whether a payment can be made."""
    b, words = fx.b, fx.mc.variables[node.name]
    at, offset = writes.word_address(fx, node.address)
    with b.borrowed(I32) as (amount,):
        x = fx.num(node.amount)
        b.set(amount)
        writes.word_get(fx, at, offset)
        b.get(amount)
        writes.moved_by(fx, "-", addresses.load_span(fx, node.address), x)
        lo, hi = writes.bounds(fx, words, at, offset)
        fx.put(lo)
        b.op("i32.ge_s")
    fx.drop(lo, hi)
    writes.word_free(fx, at, offset)


def _transferred(
    fx: FunctionContext,
    node: ir.Transfer,
    words: ir.VarLayout,
    at: int,
    offset: int,
    old: int,
    new: int,
    amount: int,
    span: Span,
) -> None:
    """The new number is within its range, or the transfer refused."""
    lowest, highest = max(r[0] for r in words.ranges), min(r[1] for r in words.ranges)
    if lowest <= span[0] and span[1] <= highest:
        return
    b = fx.b
    lo, hi = writes.bounds(fx, words, at, offset)
    if node.verb == "gain":
        writes.outside(fx, new, lo, hi)
        b.when()
        if node.edge == "clamp":
            writes.clamp(fx, new, lo, hi)
        elif node.edge == "refuse":
            fx.driver.refuse(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
        else:
            fx.fault(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
        b.end()
        fx.drop(lo, hi)
        return
    b.get(new)
    fx.put(lo)
    b.op("i32.lt_s")
    b.when()
    if node.verb == "lose":
        fx.put(lo)
        b.set(new)
    else:
        with b.borrowed(I32) as (there,):
            b.get(old)
            fx.put(lo)
            b.op("i32.sub")
            b.set(there)
            fx.driver.refuse(CANNOT_PAY, InLocal(amount, WIDE), InLocal(there, WIDE))
    b.end()
    b.get(new)
    fx.put(hi)
    b.op("i32.gt_s")
    b.when()
    fx.fault(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
    b.end()
    fx.drop(lo, hi)


def _receive(
    fx: FunctionContext, node: ir.Transfer, to: ir.Address, words: ir.VarLayout, old: int, new: int
) -> None:
    """The other seat's side of a payment."""
    b = fx.b
    at, offset = writes.word_address(fx, to)
    before, after = b.local(), b.local()
    lo, hi = writes.bounds(fx, words, at, offset)
    writes.word_get(fx, at, offset)
    b.tee(before)
    b.get(old)
    b.op("i32.add")
    b.get(new)
    b.op("i32.sub")
    b.tee(after)
    fx.put(hi)
    b.op("i32.gt_s")
    b.when()
    if node.edge == "clamp":
        fx.put(hi)
        b.set(after)
    else:
        fx.fault(OUT_OF_RANGE, InLocal(after, WIDE), lo, hi)
    b.end()
    writes.changed(fx, at, offset, before, after)
    writes.word_set(fx, at, offset, after)
    writes.word_free(fx, at, offset)
    b.release(before, after)
    fx.drop(lo, hi)


def _book(fx: FunctionContext, node: ir.Transfer, bank: int, old: int, new: int) -> None:
    """The bank's side. It runs short or over only where that is declared."""
    b = fx.b
    lo, hi = node.bank_range
    before, after = b.local(), b.local()
    at, offset = writes.word_address(fx, ir.Address(bank, ()))
    writes.word_get(fx, at, offset)
    b.tee(before)
    b.get(old)
    b.op("i32.add")
    b.get(new)
    b.op("i32.sub")
    b.set(after)
    for beyond, end, allowed in (
        ("i32.lt_s", lo, node.paid_anyway or node.bank_clamps),
        ("i32.gt_s", hi, node.bank_clamps),
    ):
        b.get(after)
        b.i32(end)
        b.op(beyond)
        b.when()
        if allowed:
            b.i32(end)
            b.set(after)
        else:
            fx.fault(BANK_OUT_OF_RANGE, InLocal(after, WIDE), lo, hi)
        b.end()
    writes.changed(fx, at, offset, before, after)
    writes.word_set(fx, at, offset, after)
    writes.word_free(fx, at, offset)
    b.release(before, after)
