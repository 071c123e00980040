"""Coverage: which points of the rules have been run, tried, and with which outcome."""

from __future__ import annotations

from typing import Any

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.effects import has_cover
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Operand, const, select
from interpreter.wasm.lower.context import FunctionContext


def notes(fx: FunctionContext, node: Any) -> bool:
    """Whether working something out notes cover."""
    return bool(fx.mc.cover) and has_cover(node)


def note(fx: FunctionContext, point: int, bits: int) -> None:
    """Adds bits to the byte of a point."""
    _add_bits(fx, const(0), fx.builder.cover + point, const(bits))


def note_run(fx: FunctionContext, point: int, outcome: int) -> None:
    """Adds the bits of an outcome; in a trial the point is tried, not run."""
    if not outcome & ir.RAN:
        note(fx, point, outcome)
        return
    ran = _ran_or_tried()
    bits = ran if outcome == ir.RAN else ran | outcome & ~ir.RAN
    _add_bits(fx, const(0), fx.builder.cover + point, bits)


def _add_bits(fx: FunctionContext, index: Operand, base: int, bits: Operand) -> None:
    fx.b.write(index, index.load8(base) | bits, base, "i32.store8")


def _ran_or_tried() -> Operand:
    return select(ir.TRIED, ir.RAN, global_("trial"))


def note_outcome(fx: FunctionContext, node: ir.Covered) -> None:
    """Notes one of two outcomes of the number on the stack, which stays there."""
    if node.yes == node.no:
        note(fx, node.point, node.yes)
        return
    with fx.b.temporaries(I32) as (found,):
        fx.b.assign(found, STACK)
        _add_bits(fx, const(0), fx.builder.cover + node.point, select(node.yes, node.no, found))
        fx.b.push(found)


def note_cell(fx: FunctionContext, node: ir.CoveredCell) -> None:
    """Notes the cell whose number is on the stack, which stays there."""
    b = fx.b
    with b.temporaries(I32) as (cell,):
        with b.if_(cell.tee(STACK).ne(NONE)):
            bits = _ran_or_tried() if node.calls or fx.taking else const(ir.TRIED)
            _add_bits(fx, cell, fx.builder.cover + node.first, bits)
        b.push(cell)
