"""The functions of a module for pieces on any place: count, read, take, put, clear.

They do what `interpreter/reference/pieces.py` does, and keep the sets of `emit/bit_boards.py` up to date.
Parameters are the state, the number of a place, and more.

A place is a slot (a word: class + 1, or 0), counts (a word for each class), ordered (a length, then class + 1
of each piece from bottom to top) or blank (a number).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter import ir
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select


class PlaceRow:
    """What the table of places says of the place that is a function's second parameter."""

    def __init__(self, builder: ModuleBuilder, b: Body) -> None:
        self.b = b
        s, place = b.arguments()[:2]
        row, self.base, self.kind = b.variables(I32, I32, I32)
        b.assign(self.base, (row.tee(place * builder.place_row).load(builder.places) << 2) + s)
        b.assign(self.kind, row.load(builder.places + 4))
        self.classes, self.capacity, self.limited = (row.load(builder.places + 4 * i) for i in (2, 3, 4))
        self.state, self.set_at = s, row.load(builder.places + 20)
        self.has_sets, self.on_boards = bool(builder.piece_sets), builder.on_boards
        self.board_at, self.board_step, self.bit = (row.load(builder.places + 4 * i) for i in (6, 7, 8))

    @contextmanager
    def of_kind(self, kind: int) -> Iterator[None]:
        with self.b.if_(self.kind.eq(kind)):
            yield

    def word(self, index: Operand) -> Operand:
        """The address of a word."""
        return self.base + (index << 2)

    def turn_bits(self, word: Operand) -> None:
        """A piece, 1 more than whose class is `word`, comes to a place of size 1, or leaves it."""
        if not self.on_boards:
            return
        b = self.b
        with b.temporaries(I32) as (at,), b.if_(at.tee(self.board_at)), b.temporaries(I64) as (bit,):
            b.assign(at, at + self.state)
            b.assign(bit, const(1, I64) << self.bit.widened())
            b.write(at, at.load64() ^ bit, as_="i64.store")
            b.assign(at, at + word * self.board_step)
            b.write(at, at.load64() ^ bit, as_="i64.store")

    def write_number(self, cls: Operand, at: Variable, written: Variable, number: Operand) -> None:
        """The number of a class, at an address, and whether the set of the place has it; `at` is changed."""
        b = self.b
        b.write(at, written.tee(number) if self.has_sets else number)
        if not self.has_sets:
            return
        with b.if_(at.tee(self.set_at)), b.temporaries(I64) as (bit,):
            b.assign(at, at + self.state + (cls >> 6 << 3))
            b.assign(bit, const(1, I64) << cls.widened())
            without = at.load64() & (bit ^ -1)
            b.write(at, select(without | bit, without, written), as_="i64.store")


def write_count(builder: ModuleBuilder) -> None:
    """count(s, place): how many pieces lie there."""
    b = builder.body("count", (I32, I32))
    p = PlaceRow(builder, b)
    with p.of_kind(ir.SLOT):
        b.ret(p.base.load().ne(0))
    b.ret_if(p.base.load(), p.kind.ne(ir.COUNTS))
    if p.has_sets and _are_single(builder):
        with b.temporaries(I32) as (at,), b.if_(at.tee(p.set_at)):
            b.ret(builder.call("popcount", at + p.state, p.classes + 63 >> 6))
    b.push(builder.call("sum", p.base, p.classes))


def write_sum(builder: ModuleBuilder) -> None:
    """sum(at, words): the sum of some words, such as the pieces of a place by the words of its classes.

    It can be asked of a copy of a state too, which has no sets of pieces.
    """
    b = builder.body("sum", (I32, I32))
    at, words = b.arguments()
    total, end = b.fresh(), b.local()
    b.assign(end, at + (words << 2))
    with b.until(at.ge_u(end)):
        b.assign(total, total + at.load())
        b.assign(at, at + 4)
    b.push(total)


def _are_single(builder: ModuleBuilder) -> bool:
    """Whether no two pieces on the places that keep sets are alike."""
    mc = builder.machine
    zones = {mc.places[place].zone for place in builder.piece_sets}
    return all(mc.place_components[zone] in builder.single for zone in zones)


def write_clear(builder: ModuleBuilder) -> None:
    """clear(s, place): fills the words of a place with 0."""
    b = builder.body("clear", (I32, I32), ())
    p = PlaceRow(builder, b)
    size, other = b.variables(I32, I32)
    if p.on_boards:
        with p.of_kind(ir.SLOT), b.if_(p.base.load()):
            p.turn_bits(p.base.load())
    b.push(p.base, 0, select(1, p.classes, p.kind.ne(ir.COUNTS)))
    b.assign(size, p.capacity + 1)
    b.assign(other, STACK)
    b.fill(STACK, STACK, select(size, other, p.kind.eq(ir.ORDERED)) << 2)
    if p.has_sets:
        with b.if_(p.set_at):
            b.fill(p.state + p.set_at, 0, p.classes + 63 >> 6 << 3)


def write_top(builder: ModuleBuilder) -> None:
    """top(s, place, last): the class on top, or the first (or last) class there; -1 if there is none."""
    b = builder.body("top", (I32, I32, I32))
    p = PlaceRow(builder, b)
    i = b.fresh()
    step, left = b.variables(I32, I32)
    with p.of_kind(ir.SLOT):
        b.ret(p.base.load() - 1)
    with p.of_kind(ir.ORDERED):
        b.ret_if(-1, p.base.load().eqz())
        b.assign(i, p.base.load())
        b.ret(p.word(i).load() - 1)
    with p.of_kind(ir.BLANK):
        b.ret(p.base.load().gt_s(0) - 1)
    # counts: step through the classes, from the last one if `last` is set
    last = b.arguments()[2]
    b.assign(left, p.classes)
    b.assign(step, 1)
    with b.if_(last):
        b.assign(step, -1)
        b.assign(i, left - 1)
    with b.until(left.eqz()):
        with b.if_(p.word(i).load()):
            b.ret(i)
        b.assign(i, i + step)
        b.assign(left, left - 1)
    b.push(-1)


def write_bottom(builder: ModuleBuilder) -> None:
    """bottom(s, place): removes the lowest piece of an ordered place; its class, -1 if there is none."""
    b = builder.body("bottom", (I32, I32))
    p = PlaceRow(builder, b)
    length, class_ = b.variables(I32, I32)
    b.ret_if(-1, length.tee(p.base.load()).eqz())
    b.assign(class_, p.base.load(4) - 1)
    b.copy(p.base + 4, p.base + 8, (length - 1) << 2)
    b.write(p.word(length), 0)
    b.write(p.base, length - 1)
    b.push(class_)


def write_take(builder: ModuleBuilder) -> None:
    """take(s, place, class): removes one piece; 1 if there is none."""
    b = builder.body("take", (I32, I32, I32))
    cls = b.arguments()[2]
    p = PlaceRow(builder, b)
    at, end = b.variables(I32, I32)
    with p.of_kind(ir.SLOT):
        b.ret_if(1, p.base.load().ne(cls + 1))
        b.write(p.base, 0)
        p.turn_bits(cls + 1)
        b.ret(0)
    with p.of_kind(ir.ORDERED):
        _take_in_order(b, p, at, end)
        b.ret(0)
    b.assign(at, p.base)
    with p.of_kind(ir.COUNTS):
        b.assign(at, p.word(cls))
    b.ret_if(1, at.load().lt_s(1))
    p.write_number(cls, at, end, at.load() + -1)
    b.push(0)


def _take_in_order(b: Body, p: PlaceRow, at: Variable, end: Variable) -> None:
    """Removes the uppermost piece of the class and moves those above it down; returns 1 if there is none."""
    cls = b.arguments()[2]
    b.assign(end, at.tee(p.word(p.base.load())))
    again = b.loop()
    b.ret_if(1, at.le_u(p.base))
    with b.if_(at.load().ne(cls + 1)):
        b.assign(at, at - 4)
        b.br(again)
    b.end()
    b.copy(at, at + 4, end - at)
    b.write(end, 0)
    b.write(p.base, p.base.load() + -1)


def write_put(builder: ModuleBuilder) -> None:
    """put(s, place, class, number, bottom): adds pieces of a class; 1 if there is no room."""
    b = builder.body("put", (I32,) * 5)
    s, place, cls, number, _ = b.arguments()
    p = PlaceRow(builder, b)
    at, end = b.variables(I32, I32)
    with p.of_kind(ir.SLOT):
        b.ret_if(1, p.base.load() | number.gt_s(1))
        b.write(p.base, cls + 1)
        p.turn_bits(cls + 1)
        b.ret(0)
    with p.of_kind(ir.ORDERED):
        _put_in_order(b, p, at, end)
        b.ret(0)
    b.assign(at, p.base)
    with p.of_kind(ir.COUNTS):
        with b.if_(p.limited):
            b.ret_if(1, (builder.call("count", s, place) + number).gt_s(p.capacity))
        b.assign(at, p.word(cls))
    p.write_number(cls, at, end, at.load() + number)
    b.push(0)


def _put_in_order(b: Body, p: PlaceRow, at: Variable, end: Variable) -> None:
    """Adds pieces on top or, if the last argument is set, below all others; returns 1 if there is no room."""
    _, _, cls, number, bottom = b.arguments()
    length = p.base.load()
    b.ret_if(1, (length + number).gt_s(p.capacity))
    b.assign(at, p.base + 4)
    with b.if_(bottom):
        b.copy(at + (number << 2), at, length << 2)
        b.otherwise()
        b.assign(at, at + (length << 2))
    b.assign(end, at + (number << 2))
    with b.until(at.ge_u(end)):
        b.write(at, cls + 1)
        b.assign(at, at + 4)
    b.write(p.base, length + number)


def write_lift(builder: ModuleBuilder) -> None:
    """lift(s, place, number): removes so many pieces, the last ones first. They are there."""
    b = builder.body("lift", (I32, I32, I32), ())
    s, place, number = b.arguments()
    with b.until(number.le_s(0)):
        b.drop(builder.call("take", s, place, builder.call("top", s, place, const(1))))
        b.assign(number, number - 1)
