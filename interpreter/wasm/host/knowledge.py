"""What may be told to a viewer: `knows` of refusals, `hides` of choices, `agreed` of scores, `awaited`."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.condition_reads import Audience
from interpreter.sights import REFEREE
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import FunctionWriter
from interpreter.wasm.emit.operands import const, select
from interpreter.wasm.host import words as w
from interpreter.wasm.host.codes import IN_SIGHT, SECRETLY, UNSEARCHABLE
from interpreter.wasm.host.sights import HostTable, bit_of, field, flag, is_forked


def write_knowledge(writer: FunctionWriter, table: HostTable) -> None:
    _write_knows(writer, table)
    _write_hides(writer, table)
    _write_agreed(writer)
    _write_awaited(writer, table)


def _write_hides(writer: FunctionWriter, table: HostTable) -> None:
    """hides(s, viewer, chooser, marks, places, end): whether a viewer may not read what names some values.

    The values are told by their places, `NO_PLACE` for one that is no piece; who may choose them, or has
    chosen one, is the seat `chooser`. `marks` are those of its decision, as far as they matter.
    """
    b = writer.body("hides", (I32,) * 6, (I32,), export=True)
    s, viewer, chooser, marks, at, end = b.arguments()
    b.ret_if(0, viewer.eq(REFEREE) | (marks & IN_SIGHT).ne(0) & (end - at).eq(4))
    b.ret_if(1, marks & UNSEARCHABLE | (marks & SECRETLY).ne(0) & viewer.ne(chooser))
    with b.until(at.ge_u(end)):
        with b.if_(at.load().ge_s(0)):
            b.ret_if(1, (writer.call("seers", s, table.place(at.load())) & bit_of(viewer)).eqz())
        b.assign(at, at + 4)
    b.push(0)


def _write_agreed(writer: FunctionWriter) -> None:
    """agreed(s, viewer, readers, sheets, end): makes each word of `readers` whether a number is told.

    They are sets of those who may know it before the end. From `sheets` on stand the numbers, once for each
    hypothesis about what lies hidden: a number that depends on it is not told.
    """
    b = writer.body("agreed", (I32,) * 5, (), export=True)
    s, viewer, readers, sheets, end = b.arguments()
    width, number, known = b.variables(*(I32,) * 3)
    b.assign(width, sheets - readers)
    with b.until(readers.eq(sheets)):
        b.assign(known, (s.load(4 * ir.STATUS) | readers.load() & bit_of(viewer)).ne(0))
        b.assign(number, readers + width)
        with b.until(number.ge_u(end)):
            b.assign(known, known & number.load().eq((readers + width).load()))
            b.assign(number, number + width)
        b.write(readers, known)
        b.assign(readers, readers + 4)


def _write_awaited(writer: FunctionWriter, table: HostTable) -> None:
    """awaited(s, viewer, seats): which of those who are asked a viewer is told; in `together` itself."""
    b = writer.body("awaited", (I32,) * 3, (I32,), export=True)
    s, viewer, seats = b.arguments()
    b.push(select(seats & const(1) << viewer, seats, is_forked(table, s)) if table.forks else seats)


def _write_knows(writer: FunctionWriter, table: HostTable) -> None:
    """knows(s, viewer, known, record): whether a viewer knows all that has to be known in a state.

    That stands from `known` up to the record (`interpreter.refusal_tables.NeedToKnow`): who may be told by
    declaration, whether also while a `together` runs, and pieces that the viewer has to see, each as a word
    of the record and its number of classes.
    """
    b = writer.body("knows", (I32,) * 4, (I32,), export=True)
    s, viewer, known, record = b.arguments()
    piece, row, top = b.variables(I32, I32, I32)
    if table.forks:
        b.ret_if(0, known.load(4).eqz() & is_forked(table, s))
    b.ret_if(1, viewer.eq(REFEREE))
    b.ret_if(0, known.load().eq(Audience.NOBODY))
    acting = (s + (s.load(4 * ir.FP) << 2)).load(4 * ir.ME)
    b.ret_if(0, known.load().eq(Audience.ACTING_SEAT) & acting.ne(viewer))
    b.assign(known, known + 8)
    with b.until(known.ge_u(record)):
        b.assign(piece, (record + (known.load() << 2)).load())
        with b.if_(piece.ne(NONE)):
            b.ret_if(0, piece.lt_s(0))
            b.assign(row, table.place(piece.div_u(known.load(4))))
            with b.if_((writer.call("seers", s, row) & bit_of(viewer)).eqz()):
                if table.has_tops:
                    b.ret_if(0, flag(row, w.TOP).eqz())
                    b.assign(top, s + field(row, w.BASE))
                    b.assign(top, (top + (top.load() << 2)).load())
                    b.ret_if(0, top.ne(piece.rem_u(known.load(4)) + 1))
                else:
                    b.ret(0)
        b.assign(known, known + 8)
    b.push(1)
