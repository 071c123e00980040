"""What may be taken back, and who has to agree: `undo`, `own_branch`, `way_back`."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import FunctionWriter
from interpreter.wasm.emit.operands import const, select
from interpreter.wasm.host.codes import (
    ASKING,
    CHOSEN_SINCE,
    DRAWN,
    ENDS,
    FLAGS,
    FREELY,
    GOES_ON,
    IN_BRANCH,
    NO_WAY,
    PASSED_OVER,
    REASON_BITS,
    SEAT,
    STEP,
    STILL,
    WAY_BITS,
)
from interpreter.wasm.host.sights import HostTable, is_forked
from interpreter.wasm.host.telling import BRANCHED, ROW


def write_undo(writer: FunctionWriter, table: HostTable) -> None:
    _write_undo(writer)
    _write_branch(writer, table)
    _write_way_back(writer, table)


def _write_undo(writer: FunctionWriter) -> None:
    """undo(seats, own, learned, people, forked): what is in the way of taking back some last choices.

    `seats` have made them, as bits, and `own` the first of them; `learned` is what a seat has learned from
    the last of them that taught something; `people` are the seats that others than bots play, as bits, and
    `forked` is not 0 while a `together` runs. 0 if nothing is; otherwise a reason, and above `REASON_BITS`
    the seats that have to agree. Bots chose by the position alone, and have no say.
    """
    b = writer.body("undo", (I32,) * 5, (I32,), export=True)
    seats, own, learned, people, forked = b.arguments()
    others = b.fresh()
    b.assign(others, seats & (const(1) << own ^ -1))
    b.ret_if(people << REASON_BITS | STILL, others.ne(0) & forked.ne(0))
    b.ret_if(people << REASON_BITS | learned, learned)
    b.push(select((people & seats) << REASON_BITS | CHOSEN_SINCE, const(0), others & people))


def _write_branch(writer: FunctionWriter, table: HostTable) -> None:
    """own_branch(before, rows, end, seat): whether a seat may take back choices of its branch up to this one.

    `rows` are those of the choice, made in the state `before`. Branches do not read each other, so choices of
    others are passed over, and stay. What was drawn, or done to the branches of others, stays too.
    """
    b = writer.body("own_branch", (I32,) * 4, (I32,), export=True)
    before, row, end, seat = b.arguments()
    if not table.forks:
        b.push(ENDS)
        return
    chosen, touched = b.variables(I32, I32)
    b.assign(chosen, row.load(4 * SEAT))
    b.assign(touched, 0)
    b.ret_if(ENDS, is_forked(table, before).eqz())
    with b.until(row.ge_u(end)):
        with b.if_(row.load().eq(STEP)):
            b.assign(touched, touched | row.load(4 * FLAGS) & DRAWN)
        with b.if_(row.load().eq(BRANCHED)):
            b.ret_if(ENDS, row.load(4).lt_s(0))
            b.assign(touched, 1)
        b.assign(row, row + ROW)
    b.ret_if(PASSED_OVER, chosen.ne(seat))
    b.push(select(const(ENDS), const(GOES_ON), touched))


def _write_way_back(writer: FunctionWriter, table: HostTable) -> None:
    """way_back(s, viewer, people, number, found): how a viewer may take back choices up to its own last one.

    That is the choice `number` from the end, 0 if there is none; `found` is what `undo` says of them. While a
    `together` runs it is about the branch of the viewer alone: else it would tell what others do. What nobody
    else could agree to is not offered; nobody has to agree if only bots have chosen since.
    """
    b = writer.body("way_back", (I32,) * 5, (I32,), export=True)
    s, viewer, people, number, found = b.arguments()
    others = found & (const(1 << REASON_BITS) << viewer ^ -1)
    b.ret_if(NO_WAY, s.load(4 * ir.STATUS) | (people >> viewer & 1).eqz())
    b.ret_if(IN_BRANCH, is_forked(table, s))
    b.ret_if(NO_WAY, number.eqz())
    b.ret_if(FREELY, number.eq(1) & found.eqz())
    b.ret_if(NO_WAY, found.ne(0) & (others >> REASON_BITS).eqz())
    b.push(others << WAY_BITS | ASKING)
