"""What a module that explains notes of refusals: the node that refused last in a trial, and its state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter import ir
from interpreter.wasm.abi import CANNOT_PAY, NOTHING_TO_CHOOSE, OK
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, const, word_at
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Value

NODE, WANTED, FOUND, CONDITION, VALUES = range(5)
"""Words of the record: the node, two numbers, the condition (of a payment: which word of the counter), and
values."""
NOTES, CAPTURE, CAUGHT = range(3)
"""Words behind `asking`: whether refusals are noted, the frame whose first parameter ends a trial, and that
parameter."""


def record(builder: ModuleBuilder, word: int) -> int:
    """The address of a word of the record of a refusal."""
    return builder.why + 4 * word


def asking(builder: ModuleBuilder, word: int) -> int:
    """The address of a word that says what is asked."""
    return builder.asking + 4 * word


def refuse(fx: FunctionContext, kind: int, a: Value | int, b: Value | int, c: Value | int) -> None:
    """In a trial the node is noted, and the trial fails."""
    if kind == NOTHING_TO_CHOOSE:
        with fx.b.if_(word_at(record(fx.builder, NODE)).eq(-1)):
            note(fx)
        return
    note(fx, a, b if kind == CANNOT_PAY else c)


def note(fx: FunctionContext, wanted: Value | int = 0, found: Value | int = 0) -> None:
    """The current node has refused in the current state."""
    numbers = [x if isinstance(x, int) else x.operand for x in (wanted, found)]
    fx.b.push(fx.builder.call("refused", fx.b.state, fx.node, *numbers, results=()))


def note_index(fx: FunctionContext, index: Operand) -> None:
    """Which word of a counter cannot be paid."""
    fx.b.write(const(record(fx.builder, CONDITION)), index)


def write_refused(builder: ModuleBuilder) -> None:
    """refused(s, node, wanted, found): notes what refused and in which state, if that is asked."""
    b = builder.body("refused", (I32,) * 4, ())
    with b.if_(word_at(asking(builder, NOTES)).eqz()):
        b.ret()
    s, *numbers = b.arguments()
    for word, number in zip((NODE, WANTED, FOUND), numbers, strict=True):
        b.write(const(record(builder, word)), number)
    b.copy(const(builder.failed), s, builder.state_bytes)


@contextmanager
def unnoted(fx: FunctionContext) -> Iterator[None]:
    """What refuses within is only asked for, and refuses nothing of what is tried around it."""
    b, at = fx.b, asking(fx.builder, NOTES)
    if not fx.builder.config.explains:
        yield
        return
    with b.temporaries(I32) as (notes,):
        b.assign(notes, word_at(at))
        b.write(const(at), 0)
        yield
        b.write(const(at), notes)


def stop_if_captured(fx: FunctionContext, number: int) -> None:
    """Ends a trial at a parameter of the frame that is asked about."""
    b, capture = fx.b, asking(fx.builder, CAPTURE)
    frame: Operand = b.state.load(4 * ir.FP)
    with b.if_(word_at(capture).eq(frame)):
        b.write(const(capture), 0)
        b.write(const(asking(fx.builder, CAUGHT)), number)
        fx.control.ret(OK)
