"""Coverage: which points of the rules have been run, tried, and with which outcome."""

from __future__ import annotations

from typing import Any

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.effects import has_cover
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.lower.context import FunctionContext


def notes(fx: FunctionContext, node: Any) -> bool:
    """Whether working something out notes cover."""
    return bool(fx.mc.cover) and has_cover(node)


def note(fx: FunctionContext, point: int, bits: int) -> None:
    """A point of cover has come to these bits too."""
    b, at = fx.b, fx.builder.cover + point
    b.i32(0)
    b.i32(0)
    b.mem("i32.load8_u", at)
    b.i32(bits)
    b.op("i32.or")
    b.mem("i32.store8", at)


def note_run(fx: FunctionContext, point: int, outcome: int) -> None:
    """The same where a run comes by, which may be one of a trial."""
    if not outcome & ir.RAN:
        note(fx, point, outcome)
        return
    b, at = fx.b, fx.builder.cover + point
    b.i32(0)
    b.i32(0)
    b.mem("i32.load8_u", at)
    ran_or_tried(fx)
    if outcome != ir.RAN:
        b.i32(outcome & ~ir.RAN)
        b.op("i32.or")
    b.op("i32.or")
    b.mem("i32.store8", at)


def ran_or_tried(fx: FunctionContext) -> None:
    b = fx.b
    b.i32(ir.TRIED)
    b.i32(ir.RAN)
    b.gget(GLOBAL["trial"])
    b.op("select")


def note_outcome(fx: FunctionContext, node: ir.Covered) -> None:
    """One of two outcomes of the number on the stack, which stays there."""
    b, at = fx.b, fx.builder.cover + node.point
    if node.yes == node.no:
        note(fx, node.point, node.yes)
        return
    with b.borrowed(I32) as (found,):
        b.set(found)
        b.i32(0)
        b.i32(0)
        b.mem("i32.load8_u", at)
        b.i32(node.yes)
        b.i32(node.no)
        b.get(found)
        b.op("select", "i32.or")
        b.mem("i32.store8", at)
        b.get(found)


def note_cell(fx: FunctionContext, node: ir.CoveredCell) -> None:
    """The cell whose number is on the stack, which stays there."""
    b, at = fx.b, fx.builder.cover + node.first
    with b.borrowed(I32) as (cell,):
        b.tee(cell)
        b.i32(NONE)
        b.op("i32.ne")
        b.when()
        b.get(cell)
        b.get(cell)
        b.mem("i32.load8_u", at)
        if node.calls or fx.taking:
            ran_or_tried(fx)
        else:
            b.i32(ir.TRIED)
        b.op("i32.or")
        b.mem("i32.store8", at)
        b.end()
        b.get(cell)
