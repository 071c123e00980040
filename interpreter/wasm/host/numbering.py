"""Choices among pieces that their seat does not see get numbers that tell nothing of them: `numbers`."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import FunctionWriter
from interpreter.wasm.emit.operands import Operand, Variable, select
from interpreter.wasm.host import words as w
from interpreter.wasm.host.sights import HostTable, bit_of, field


def write_numbering(writer: FunctionWriter, table: HostTable) -> None:
    _write_copies(writer, table)
    _write_unseen(writer, table)
    _write_numbers(writer)


def _write_copies(writer: FunctionWriter, table: HostTable) -> None:
    """copies(s, place, class): how many equal pieces on a place a choice of one stands for."""
    b = writer.body("copies", (I32,) * 3, (I32,), export=not table.words)
    s, place, class_ = b.arguments()
    row, at, end, number = b.variables(*(I32,) * 4)
    b.ret_if(1, place.lt_s(0))
    b.assign(row, table.place(place))
    b.assign(at, s + field(row, w.BASE))
    b.assign(number, 0)
    with b.if_(field(row, w.KIND).eq(ir.COUNTS)):
        b.assign(number, (at + (class_ << 2)).load())
    if ir.ORDERED in table.kinds:
        with b.if_(field(row, w.KIND).eq(ir.ORDERED)):
            b.assign(end, at + (at.load() << 2))
            with b.until(at.ge_u(end)):
                b.assign(at, at + 4)
                b.assign(number, number + at.load().eq(class_ + 1))
    b.push(select(number, 1, number))


def _write_unseen(writer: FunctionWriter, table: HostTable) -> None:
    """unseen(s, viewer, place, choices): how many numbers stand for choices among hidden pieces of a place.

    One for each piece, also if not each can be chosen, as of a set whose first values are chosen: how many
    can be says something about them. If the viewer cannot count them, one stands for all.
    """
    b = writer.body("unseen", (I32,) * 4, (I32,), export=not table.words)
    s, viewer, place, choices = b.arguments()
    row, number = b.variables(I32, I32)
    b.ret_if(choices, place.lt_s(0))
    b.assign(row, table.place(place))
    counters = field(row, w.COUNTED) | writer.call("seers", s, row)
    b.ret_if(1, (counters & bit_of(viewer)).eqz())
    b.assign(number, writer.call("number", s, row))
    b.push(select(number, choices, number.gt_s(choices)))


def _write_numbers(writer: FunctionWriter) -> None:
    """numbers(s, viewer, place, key, classes, end, to): for which choice each number stands; how many.

    The choices are pieces of one place, `NO_PLACE` if they are none, by their classes. Their order follows
    from a key, which a host makes of the seed and the step, and not from what they are: a shuffle
    (Durstenfeld, CACM 1964) of the choices, each as often as there are equal pieces. Where there are more
    numbers than that, they begin again.
    """
    b = writer.body("numbers", (I32,) * 7, (I32,), export=True)
    s, viewer, place, key, classes, end, to = b.arguments()
    at, copies, last, listed = b.variables(*(I32,) * 4)
    b.assign(at, classes)
    b.assign(last, to)
    with b.until(at.eq(end)):
        b.assign(copies, writer.call("copies", s, place, at.load()))
        with b.until(copies.eqz()):
            b.write(last, at - classes >> 2)
            b.assign(last, last + 4)
            b.assign(copies, copies - 1)
        b.assign(at, at + 4)
    _shuffle(b, to, last, key)
    b.assign(listed, writer.call("unseen", s, viewer, place, last - to >> 2))
    b.assign(end, last)
    with b.until(end.ge_u(to + (listed << 2))):
        b.write(end, (end - (last - to)).load())
        b.assign(end, end + 4)
    b.push(listed)


def _shuffle(b: Body, first: Variable, end: Variable, key: Operand) -> None:
    """Puts words into an order that follows from a key, by numbers of an xorshift generator (Marsaglia,
    Journal of Statistical Software, 2003)."""
    with b.temporaries(I32, I32, I32, I32) as (state, last, at, word):
        b.assign(state, key | 1)
        b.assign(last, end - 4)
        with b.until(last.le_s(first)):
            b.assign(state, state ^ state << 13)
            b.assign(state, state ^ state >> 17)
            b.assign(state, state ^ state << 5)
            b.assign(at, first + (state.rem_u((last - first >> 2) + 1) << 2))
            b.assign(word, at.load())
            b.write(at, last.load())
            b.write(last, word)
            b.assign(last, last - 4)
