"""What a viewer is told of what happens: `tell`, and what comes to light on top of piles: `tops`.

Events are rows of six words, as modules write them. Before those of a step stands a row with the `STEP`s of a
host: its number, the branch of `together` it belongs to or -1, the seat that has chosen, and flags.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from interpreter import events as ev
from interpreter.events import EVERYBODY, KINDS, FieldRole, Kind
from interpreter.sights import REFEREE
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import FunctionWriter
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.host import words as w
from interpreter.wasm.host.codes import BRANCH, FLAGS, NUMBER, SAID, STEP
from interpreter.wasm.host.sights import HostTable, begun, bit_of, field, flag

ROW = 24
COVERED = 5
"""The word of an event that says whether the field that is covered has been left out."""
BRANCHED = KINDS[ev.Branched].code


def at_field(kind: Kind, name: str) -> int:
    """The word of a field in a row."""
    roles = (FieldRole.COMPONENT, FieldRole.PIECES)
    carried = [field for field, role in kind.fields.items() if role not in roles]
    return 1 + [*carried, "openly"].index(name)


def happens(kind: Kind, table: HostTable) -> bool:
    """Whether there may be such events."""
    return table.tells or kind is not KINDS[ev.Told]


def write_telling(writer: FunctionWriter, table: HostTable) -> None:
    _write_word_readers(writer, table)
    _write_known(writer, table)
    _write_tell(writer, table)
    _write_tops(writer, table)


def _write_word_readers(writer: FunctionWriter, table: HostTable) -> None:
    """word readers(number): who sees a word of the state by its declaration."""
    b = writer.body("word readers", (I32,))
    number = b.arguments()[0]
    row = b.local()
    with table.each_word(b, row), b.if_(field(row, w.ADDRESS).eq(number << 2)):
        b.ret(field(row, w.READERS))
    b.push(0)


def _write_known(writer: FunctionWriter, table: HostTable) -> None:
    """known(row, viewer): what a viewer may know of an event: 2 all, 1 but for what is covered, 0 nothing.

    It depends on declarations only: what a seat was shown does not count.
    """
    b = writer.body("known", (I32, I32))
    row, viewer = b.arguments()
    bit = b.local()
    b.ret_if(2, viewer.eq(REFEREE))
    b.assign(bit, bit_of(viewer))
    for kind in KINDS.values():
        if not (kind.is_public or kind.structures) and happens(kind, table):
            with b.if_(row.load().eq(kind.code)):
                _write_known_of_kind(writer, table, b, kind, bit)
    b.push(2)


def _write_known_of_kind(
    writer: FunctionWriter, table: HostTable, b: Body, kind: Kind, bit: Variable
) -> None:
    row, viewer = b.arguments()
    if kind.to:
        to = row.load(4 * at_field(kind, kind.to))
        b.ret_if(2, to.eq(viewer) | to.eq(EVERYBODY))
    if kind.openly:
        b.ret_if(0, row.load(4 * at_field(kind, "openly")).eqz())
    if kind.word:
        b.ret_if(2, writer.call("word readers", row.load(4 * at_field(kind, kind.word))) & bit)
    if not kind.places:
        b.ret(int(kind.openly))
        return
    places = [table.place(row.load(4 * at_field(kind, place))) for place in kind.places]
    with b.temporaries(*(I32 for _ in places)) as rows:
        for at, place in zip(rows, places, strict=True):
            b.ret_if(2, field(at.tee(place), w.SEEN) & bit)
        counted = (field(at, w.COUNTED) & bit for at in rows)
        b.ret(reduce(or_, counted).ne(0))


def _write_tell(writer: FunctionWriter, table: HostTable) -> None:
    """tell(rows, end, viewer, to, held): what a viewer is told by some steps; where that ends.

    In `together`, what happens in the branches of others is held back until all branches have ended. So parts
    are only appended as a match continues, and their number says nothing about what others do meanwhile. What
    is held back, before and afterwards, stands behind a row at `held`, whose first word says where it ends.
    Before the events of each part stands its row. Moves of unseen pieces between the same places become one
    event: apart they tell which are equal.
    """
    b = writer.body("tell", (I32,) * 5, (I32,), export=True)
    row, end, viewer, to, held = b.arguments()
    at, part, number, branch, said, late, knows, hold = b.variables(*(I32,) * 8)
    b.assign(hold, held.load())
    b.assign(at, to)

    def close() -> None:
        with b.if_(at.eq(part + ROW) & said.eqz()):
            b.assign(at, part)
        if not table.forks:
            b.assign(to, at)
            return
        with b.if_(late):
            b.assign(hold, at)
            b.otherwise()
            b.assign(to, at)

    with b.until(row.ge_u(end)):
        with b.if_(row.load().eq(STEP) | row.load().eq(BRANCHED)):
            close()
            b.assign(said, 0)
            b.assign(branch, row.load(4 * at_field(KINDS[ev.Branched], "seat")))
            with b.if_(row.load().eq(STEP)):
                b.assign(number, row.load(4 * NUMBER))
                b.assign(branch, row.load(4 * BRANCH))
                b.assign(said, row.load(4 * FLAGS) & SAID)
                if table.forks:
                    b.otherwise()
                    with b.if_(branch.lt_s(0)):
                        b.copy(to, held + ROW, hold - held - ROW)
                        b.assign(to, to + hold - held - ROW)
                        b.assign(hold, held + ROW)
            if table.forks:
                b.assign(late, branch.ge_s(0) & branch.ne(viewer) & viewer.ne(REFEREE))
            b.assign(part, at.tee(select(hold, to, late) if table.forks else to))
            for i, word in enumerate((const(STEP), number, row.load().eq(STEP), late)):
                b.write(at, word, 4 * i)
            b.assign(at, at + ROW)
            b.otherwise()
            with b.if_(row.load().ne(ev.SHOWN_PIECE)):
                b.assign(knows, writer.call("known", row, viewer))
            with b.if_(knows.eq(2) | knows & row.load().ne(ev.SHOWN_PIECE)):
                b.copy(at, row, ROW)
                b.write(at, knows.eq(1), 4 * COVERED)
                with b.if_(knows.eq(1)), b.if_(writer.call("joins", at, part)):
                    b.assign(at, at - ROW)
                b.assign(at, at + ROW)
        b.assign(row, row + ROW)
    close()
    b.write(held, hold)
    b.push(to)
    _write_joins(writer, table)


def _write_joins(writer: FunctionWriter, table: HostTable) -> None:
    """joins(at, part): covers an event; whether it became one with the event before it in the same part."""
    b = writer.body("joins", (I32, I32))
    at, part = b.arguments()
    for kind in KINDS.values():
        if not kind.covers or kind.covers in kind.named(FieldRole.PIECES) or not happens(kind, table):
            continue
        with b.if_(at.load().eq(kind.code)):
            b.write(at, kind.covered or 0, 4 * at_field(kind, kind.covers))
            if kind.added:
                added = at_field(kind, kind.added)
                same: Operand = (at - ROW).gt_u(part)
                for i in set(range(ROW // 4)) - {added, at_field(kind, kind.covers)}:
                    same = same & at.load(4 * i).eq((at - ROW).load(4 * i))
                with b.if_(same):
                    b.write(at - ROW, (at - ROW).load(4 * added) + at.load(4 * added), 4 * added)
                    b.ret(1)
    b.push(0)


def _write_tops(writer: FunctionWriter, table: HostTable) -> None:
    """tops(before, after, rows, end): puts what everybody newly sees on top of places behind the last event
    there, since the last stop; where the events end. Within `together` that is seen when it has ended."""
    b = writer.body("tops", (I32,) * 4, (I32,), export=True)
    before, after, rows, end = b.arguments()
    if not table.has_tops:
        b.push(end)
        return
    now, row, top, at, event = b.variables(*(I32,) * 5)
    b.assign(now, begun(table, after))

    def top_of(s: Operand) -> Operand:
        """The last word of an ordered place: its topmost piece, or the number 0."""
        base = s + field(row, w.BASE)
        return (base + (base.load() << 2)).load()

    with table.each_place(b, row), b.if_(flag(row, w.TOP)):
        b.assign(top, top_of(now))
        with b.if_(top.ne(0) & top.ne(top_of(before))):
            b.assign(at, end)
            b.assign(event, end)
            with b.until(event.eq(rows)):
                b.assign(event, event - ROW)
                with b.if_(_touches(event, (row - table.first).div_u(4 * w.PLACE_ROW))):
                    b.assign(at, event + ROW)
                    b.assign(event, rows)
            b.copy(at + 2 * ROW, at, end - at)
            b.fill(at, 0, 2 * ROW)
            shown = KINDS[ev.Shown]
            b.write(at, shown.code)
            b.write(at, EVERYBODY, 4 * at_field(shown, "seat"))
            b.write(at, 1, 4 * at_field(shown, "openly"))
            piece = (const(ev.SHOWN_PIECE), (row - table.first).div_u(4 * w.PLACE_ROW), top - 1, const(1))
            for i, word in enumerate(piece):
                b.write(at, word, ROW + 4 * i)
            b.assign(end, end + 2 * ROW)
    b.push(end)


def _touches(event: Operand, place: Operand) -> Operand:
    """Whether something happens on a place."""
    touches: Operand = const(0)
    for kind in KINDS.values():
        for name in kind.named(FieldRole.PLACE):
            touches = touches | event.load().eq(kind.code) & event.load(4 * at_field(kind, name)).eq(place)
    return touches
