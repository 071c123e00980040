"""What a trial in place has changed, to be undone when it ends.

A note is 64 bits of the state as they were, and their address: a word that is about to change, and the one
behind it. Notes are undone from the last to the first.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TypeAlias

from interpreter import ir
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.lower import addresses
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.frames import Cursor
from interpreter.wasm.lower.trial_paths import RECORD, Notes, TrialPlan
from interpreter.wasm.lower.values import Constant, InLocal, Value

Note: TypeAlias = tuple[Variable, Variable, str | None]
"""Locals with an address and what stood there, and the name whose words these are if they may be missing."""


class UndoLog:
    """The notes of one trial. `first` is where its journal begins, `last` the address of the last note.

    Or, if the plan is to keep all, the state as it was, at `first`.
    """

    def __init__(
        self, fx: FunctionContext, plan: TrialPlan, cursor: Cursor, full: Label, first: Operand, last: Operand
    ) -> None:
        self.fx, self.plan, self.cursor, self.full = fx, plan, cursor, full
        self.first, self.last = first, last
        self.end: Variable | None = None
        """The end of the journal, if there is one."""
        self.before: list[Note] = []
        self.behind: list[Note] = []
        if plan.keeps_all:
            fx.b.copy(first, fx.b.state, fx.builder.state_bytes)
        elif Notes.JOURNAL in plan.notes.values():
            self.end = fx.b.fresh(I32)
            fx.b.assign(self.end, first)

    # ---- noting

    def note(self, address: Operand) -> None:
        """What stands at an address is about to change."""
        if self.plan.keeps_all:
            return
        b, where = self.fx.b, self.plan.notes[self.cursor.point]
        if where is not Notes.JOURNAL:
            # a local that nothing has set is 0: then nothing at address 0 is undone, where nothing stands
            at, old = b.fresh(I32), b.fresh(I64)
            b.assign(old, at.tee(address).load64())
            (self.before if where is Notes.BEFORE else self.behind).append((at, old, b.writing))
            return
        assert self.end is not None
        b.br_if(self.full, self.end.gt_u(self.last))
        with b.temporaries(I32) as (at,):
            b.write(self.end, at.tee(address).load64(), 0, "i64.store")
            b.write(self.end, at, 8)
        b.assign(self.end, self.end + RECORD)

    def note_pieces(self, place: Value, class_: Value, number: Value) -> None:
        """So many pieces of a class are about to come to a place, or to leave it."""
        if self.plan.keeps_all:
            return
        fx, b = self.fx, self.fx.b
        kinds = _kinds(fx, place, class_)
        if ir.ORDERED in kinds:
            assert self.end is not None
            words = place.operand, class_.operand, number.operand
            with b.temporaries(I32) as (end,):
                b.assign(end, fx.builder.call("note", b.state, *words, self.end, self.last))
                b.br_if(self.full, end.eqz())
                b.assign(self.end, end)
            return
        of_class: Operand | None = class_.operand << 2 if ir.COUNTS in kinds else None
        if of_class is not None and len(kinds) > 1:
            kind = (place.operand * fx.builder.place_row).load(fx.builder.places + 4)
            of_class = select(of_class, 0, kind.eq(ir.COUNTS))
        address = addresses.place_address(fx, place)
        self.note(address if of_class is None else address + of_class)
        self._note_set(place, class_)
        self._note_board(place, class_)

    def _note_board(self, place: Value, class_: Value) -> None:
        """Two sets of a bit board are about to change, if the place is one of a zone that has one."""
        builder, s = self.fx.builder, self.fx.b.state
        if not builder.on_boards or addresses.are_slots(self.fx, *place.span):
            return
        row = place.operand * builder.place_row
        at, step = row.load(builder.places + 24), row.load(builder.places + 28)
        self.note(select(s + at, 0, at))
        self.note(select(s + at + (class_.operand + 1) * step, 0, at))

    def _note_set(self, place: Value, class_: Value) -> None:
        """The set of the classes of a place is about to change, if the place keeps one."""
        builder = self.fx.builder
        if isinstance(place, Constant):
            if place.value in builder.piece_sets:
                self.note(
                    _word_of_set(self.fx.b.state, const(builder.piece_sets[place.value]), class_.operand)
                )
        elif builder.piece_sets:
            at = (place.operand * builder.place_row).load(builder.places + 20)
            self.note(select(_word_of_set(self.fx.b.state, at, class_.operand), 0, at))

    def give_up(self) -> None:
        """The journal of a trial within this one has no room left, and so has this one."""
        self.fx.b.br(self.full)

    # ---- undoing

    def undo(self) -> None:
        """Everything is as it was before the trial."""
        if self.plan.keeps_all:
            self.fx.b.copy(self.fx.b.state, self.first, self.fx.builder.state_bytes)
            return
        self._undo_locals(self.behind)
        if self.end is not None:
            b, end = self.fx.b, self.end
            with b.until(end.le_u(self.first)):
                b.assign(end, end - RECORD)
                b.write(end.load(8), end.load64(), 0, "i64.store")
        self._undo_locals(self.before)

    def _undo_locals(self, notes: list[Note]) -> None:
        for at, old, name in reversed(notes):
            with nullcontext() if name is None else self.fx.where_words(name):
                self.fx.b.write(at, old, 0, "i64.store")


def _kinds(fx: FunctionContext, place: Value, class_: Value) -> set[int]:
    """How a place may store its pieces of some class."""
    if isinstance(place, Constant):
        return {fx.mc.places[place.value].kind}
    classes = class_.span[1] + 1 if isinstance(class_, InLocal) else None
    return {p.kind for p in fx.mc.places if classes in (None, p.classes)}


def _word_of_set(state: Operand, at: Operand, class_: Operand) -> Operand:
    """The address of the 64 bits in which a class has its bit, of a set that stands at `at` in the state."""
    return state + at + (class_ >> 6 << 3)


def write_note(builder: ModuleBuilder) -> None:
    """note(s, place, class, number, end, last): notes in a journal what pieces that come or go change there.

    The new end of the journal; 0 if it has no room.
    """
    b = builder.body("note", (I32,) * 6)
    s, place, class_, number, end, last = b.arguments()
    row, at, left, most = b.variables(*(I32,) * 4)
    b.assign(at, (row.tee(place * builder.place_row).load(builder.places) << 2) + s)
    b.assign(left, 1)
    kind = row.load(builder.places + 4)
    with b.if_(kind.eq(ir.COUNTS)):
        b.assign(at, at + (class_ << 2))
        if builder.piece_sets:
            # the word behind the number is not noted here, but the set is
            with b.if_(row.load(builder.places + 20)):
                b.ret_if(0, end.gt_u(last))
                b.assign(most, _word_of_set(s, row.load(builder.places + 20), class_))
                b.write(end, most.load64(), 0, "i64.store")
                b.write(end, most, 8)
                b.assign(end, end + RECORD)
    if builder.on_boards:
        with b.if_(row.load(builder.places + 24)):
            for word in (const(0), class_ + 1):
                b.ret_if(0, end.gt_u(last))
                b.assign(most, s + row.load(builder.places + 24) + word * row.load(builder.places + 28))
                b.write(end, most.load64(), 0, "i64.store")
                b.write(end, most, 8)
                b.assign(end, end + RECORD)
    with b.if_(kind.eq(ir.ORDERED)):
        # the length, what lies there, and what comes
        b.assign(left, at.load() + number)
        b.assign(most, row.load(builder.places + 12))
        b.assign(left, select(left, most, left.lt_u(most)) + 1)
    with b.until(left.le_s(0)):
        b.ret_if(0, end.gt_u(last))
        b.write(end, at.load64(), 0, "i64.store")
        b.write(end, at, 8)
        b.assign(end, end + RECORD)
        b.assign(at, at + 8)
        b.assign(left, left - 2)
    b.push(end)
