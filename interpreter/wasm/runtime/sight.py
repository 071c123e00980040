"""Functions for what seats remember of places that they were shown."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, Variable, select


def write_remember(builder: ModuleBuilder) -> None:
    """remember(s, number, source, to): after a move, who remembers a place has seen or known what moved.

    It is known where the last pieces were known that lay there. Who has known them knows also where they lie
    now, if nothing lay there before.
    """
    b = builder.body("remember", (I32,) * 4, ())
    s, number, source, to = b.arguments()
    left, came, knows, known, held, rest = b.variables(*(I32,) * 6)
    seen = builder.table(ir.seat_bits(x.seen) for x in builder.machine.sights)
    counted = builder.table(ir.seat_bits(x.counted) for x in builder.machine.sights)
    _find_word(builder, b, left, source)
    _find_word(builder, b, came, to)
    with b.if_((_word(left) | _word(came)).eqz()):
        b.ret()
    b.assign(knows, source.entry_of(seen) | to.entry_of(seen) | (_word(left) | _word(came)) & ir.LOOKING)
    b.assign(known, _word(left) >> ir.REMEMBERED)
    b.assign(rest, builder.call("count", s, source))
    with b.if_(rest):
        b.assign(known, known & knows)
        b.otherwise()
        b.assign(knows, knows | known)
    with b.if_(left):
        b.write(left, left.load() & ir.LOOKING | known << ir.REMEMBERED)
    with b.if_(came):
        b.assign(held, (came.load() >> ir.REMEMBERED) & knows)
        with b.if_(rest.eqz() & builder.call("count", s, to).eq(number)):
            b.assign(held, held | known & to.entry_of(counted))
        b.write(came, came.load() & ir.LOOKING | held << ir.REMEMBERED)


def write_forget(builder: ModuleBuilder) -> None:
    """forget(s, place): dice there are turned, or come or go; who does not see it does not know them."""
    b = builder.body("forget", (I32, I32), ())
    place = b.arguments()[1]
    (at,) = b.variables(I32)
    seen = builder.table(ir.seat_bits(x.seen) for x in builder.machine.sights)
    _find_word(builder, b, at, place)
    with b.if_(at):
        knows = place.entry_of(seen) | at.load() & ir.LOOKING
        b.write(at, at.load() & (knows << ir.REMEMBERED | ir.LOOKING))


def _find_word(builder: ModuleBuilder, b: Body, at: Variable, place: Operand) -> None:
    """The address of the word that says who was shown a place; 0 if it is never shown."""
    mc = builder.machine
    words = builder.table(mc.shown.get(i, 0) for i in range(len(mc.places)))
    with b.if_(at.tee(place.entry_of(words))):
        b.assign(at, b.arguments()[0] + (at << 2))


def _word(at: Variable) -> Operand:
    """The word at an address; 0 if there is none."""
    return select(at.load(), 0, at)
