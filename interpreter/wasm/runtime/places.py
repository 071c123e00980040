"""Functions for pieces on any place. Parameters are the state, the number of a place, and more."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder


class Place:
    """What the table of places says of the place whose number is in local 1."""

    def __init__(self, builder: ModuleBuilder, b: Body) -> None:
        self.b = b
        self.row, self.base, self.kind = b.local(), b.local(), b.local()
        self.builder = builder
        b.get(1)
        b.i32(20)
        b.op("i32.mul")
        b.tee(self.row)
        b.load(builder.places)
        b.i32(2)
        b.op("i32.shl")
        b.get(0)
        b.op("i32.add")
        b.set(self.base)
        self.field(1)
        b.set(self.kind)

    def field(self, number: int) -> None:
        self.b.get(self.row)
        self.b.load(self.builder.places + 4 * number)

    def of_kind(self, kind: int) -> None:
        """Opens a block for places of a kind."""
        self.b.get(self.kind)
        self.b.i32(kind)
        self.b.op("i32.eq")
        self.b.when()

    def word(self, index: int) -> None:
        """Leaves the address of a word, counted by a local."""
        b = self.b
        b.get(self.base)
        b.get(index)
        b.i32(2)
        b.op("i32.shl", "i32.add")


def write_count(builder: ModuleBuilder) -> None:
    """(s, place): how many pieces lie there."""
    b = builder.body("count", (I32, I32))
    p = Place(builder, b)
    total, i = b.local(), b.local()
    p.of_kind(m.SLOT)
    b.get(p.base)
    b.load()
    b.i32(0)
    b.op("i32.ne", "return")
    b.end()
    b.get(p.kind)
    b.i32(m.COUNTS)
    b.op("i32.ne")
    b.when()
    b.get(p.base)
    b.load()
    b.op("return")
    b.end()
    with b.forever() as out:
        b.get(i)
        p.field(2)
        b.op("i32.ge_s")
        b.br_if(out)
        b.get(total)
        p.word(i)
        b.load()
        b.op("i32.add")
        b.set(total)
        b.bump(i, 1)
    b.get(total)


def write_clear(builder: ModuleBuilder) -> None:
    """(s, place): nothing lies there any more."""
    b = builder.body("clear", (I32, I32), ())
    p = Place(builder, b)
    b.get(p.base)
    b.i32(0)
    b.i32(1)
    p.field(2)
    b.get(p.kind)
    b.i32(m.COUNTS)
    b.op("i32.ne", "select")
    p.field(3)
    b.i32(1)
    b.op("i32.add")
    p_size = b.local()
    b.set(p_size)
    other = b.local()
    b.set(other)
    b.get(p_size)
    b.get(other)
    b.get(p.kind)
    b.i32(m.ORDERED)
    b.op("i32.eq", "select")
    b.i32(2)
    b.op("i32.shl")
    b.fill()


def write_top(builder: ModuleBuilder) -> None:
    """(s, place, last): the class on top, or the first (or last) class there; -1 if there is none."""
    b = builder.body("top", (I32, I32, I32))
    p = Place(builder, b)
    i, step, left = b.local(), b.local(), b.local()
    p.of_kind(m.SLOT)
    b.get(p.base)
    b.load()
    b.i32(1)
    b.op("i32.sub", "return")
    b.end()
    p.of_kind(m.ORDERED)
    b.get(p.base)
    b.load()
    b.op("i32.eqz")
    b.ret_if(-1)
    b.get(p.base)
    b.load()
    b.set(i)
    p.word(i)
    b.load()
    b.i32(1)
    b.op("i32.sub", "return")
    b.end()
    p.of_kind(m.BLANK)
    b.get(p.base)
    b.load()
    b.i32(0)
    b.op("i32.gt_s")
    b.i32(1)
    b.op("i32.sub", "return")
    b.end()
    _top_of_classes(b, p, (i, step, left))


def _top_of_classes(b: Body, p: Place, at: tuple[int, int, int]) -> None:
    """The first class, or the last one, of which there are pieces; -1 if there is none."""
    i, step, left = at
    p.field(2)
    b.set(left)
    b.i32(1)
    b.set(step)
    b.get(2)
    b.when()
    b.i32(-1)
    b.set(step)
    b.get(left)
    b.i32(1)
    b.op("i32.sub")
    b.set(i)
    b.end()
    with b.forever() as out:
        b.get(left)
        b.op("i32.eqz")
        b.br_if(out)
        p.word(i)
        b.load()
        b.when()
        b.get(i)
        b.op("return")
        b.end()
        b.get(i)
        b.get(step)
        b.op("i32.add")
        b.set(i)
        b.get(left)
        b.i32(1)
        b.op("i32.sub")
        b.set(left)
    b.i32(-1)
