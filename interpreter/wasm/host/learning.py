"""What a choice has taught somebody, so that it cannot be taken back without consent: `learned`."""

from __future__ import annotations

from contextlib import nullcontext

from interpreter.events import KINDS, Kind
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import FunctionWriter
from interpreter.wasm.emit.operands import Operand, const
from interpreter.wasm.host import words as w
from interpreter.wasm.host.codes import (
    AT_ONCE,
    CHANCE,
    DRAWN,
    FLAGS,
    MAY_BE_SHOWN,
    MAY_SHOW,
    NOTHING,
    OFFERED,
    SEAT,
    SHOWN,
    STEP,
    VALUE,
)
from interpreter.wasm.host.sights import HostTable, field, flag, is_forked
from interpreter.wasm.host.telling import BRANCHED, ROW, at_field, happens


def write_learning(writer: FunctionWriter, table: HostTable) -> None:
    _write_knows(writer)
    _write_learned(writer, table)


def _write_knows(writer: FunctionWriter) -> None:
    """open counters(s, row): of whom everybody knows that they know how many pieces lie on a place."""
    b = writer.body("open counters", (I32, I32))
    s, row = b.arguments()
    b.push(field(row, w.COUNTED) | writer.call("open seers", s, row))


def _write_learned(writer: FunctionWriter, table: HostTable) -> None:
    """learned(before, after, rows, end): what a seat has learned from a choice, between two states.

    It depends only on who is known to see which place, never on what lies there or on what is shown to a seat
    alone: otherwise the answer itself would reveal it.
    """
    b = writer.body("learned", (I32,) * 4, (I32,), export=True)
    before, after, rows, end = b.arguments()
    row, flags, joined, openly, witnesses = b.variables(*(I32,) * 5)
    for variable in (flags, joined, openly):
        b.assign(variable, 0)
    b.assign(witnesses, const(1) << rows.load(4 * SEAT))
    b.assign(row, rows)
    with b.until(row.ge_u(end)):
        kind = row.load()
        with b.if_(kind.eq(STEP)):
            b.assign(flags, flags | row.load(4 * FLAGS))
        with b.if_(kind.eq(BRANCHED)):
            seat = row.load(4)
            b.assign(joined, joined | seat.lt_s(0))
            b.assign(witnesses, witnesses | const(1) << seat)
        for shows in KINDS.values():
            if shows.openly and happens(shows, table):
                b.assign(openly, openly | kind.eq(shows.code) & row.load(4 * at_field(shows, "openly")))
        b.assign(row, row + ROW)
    if table.forks:
        b.ret_if(AT_ONCE, is_forked(table, before) & joined & table.head(w.SEATS).gt_s(1))
    b.ret_if(SHOWN, openly)
    b.ret_if(MAY_BE_SHOWN, rows.load(4 * FLAGS) & MAY_SHOW)
    b.ret_if(CHANCE, flags & VALUE)
    with b.if_((is_forked(table, before) & is_forked(table, after)).eqz()) if table.forks else nullcontext():
        b.assign(witnesses, -1)
    b.assign(witnesses, (witnesses & (const(1) << table.head(w.SEATS)) - 1) << 2)
    found = (flags & DRAWN).eqz() + CHANCE
    by_chance = openly
    b.assign(row, rows)
    with b.until(row.ge_u(end)):
        with b.if_(row.load().eq(STEP)):
            b.assign(by_chance, row.load(4 * FLAGS) & DRAWN)
        with b.if_(row.load().eq(OFFERED)):
            place = table.place(row.load(8))
            b.ret_if(found, (_open(writer, "seers", after, place) >> row.load(4) + 2 & 1).eqz())
        for kind_ in KINDS.values():
            if kind_.uncovers:
                with b.if_(row.load().eq(kind_.code)):
                    _test(writer, table, b, kind_, (row, witnesses, by_chance), found)
        b.assign(row, row + ROW)
    b.push(NOTHING)


def _test(
    writer: FunctionWriter,
    table: HostTable,
    b: Body,
    kind: Kind,
    known: tuple[Operand, Operand, Operand],
    found: Operand,
) -> None:
    """Returns `found` if a witness newly sees or counts pieces, or sees what chance has done."""
    before, after = b.arguments()[:2]
    row, witnesses, by_chance = known
    with b.temporaries(*(I32 for _ in kind.uncovers)) as places:
        for at, name in zip(places, kind.uncovers, strict=True):
            b.assign(at, table.place(row.load(4 * at_field(kind, name))))
        source, *to = places
        if not to:
            seen = flag(source, w.TOP) | _open(writer, "seers", after, source) & witnesses
            b.ret_if(found, by_chance.ne(0) & seen.ne(0))
        for what in ("seers", "counters") if to else ():
            newly = _open(writer, what, after, to[0]) & (_open(writer, what, before, source) ^ -1)
            b.ret_if(found, newly & witnesses)


def _open(writer: FunctionWriter, what: str, s: Operand, row: Operand) -> Operand:
    return writer.call(f"open {what}", s, row)
