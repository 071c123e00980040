"""Nodes that move pieces."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import FULL, MISSING, OUT_OF_BOUNDS, QUEUE_FULL
from interpreter.wasm.lower.changes.events import MOVED
from interpreter.wasm.lower.changes.transfers import Transfers
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value


class Pieces(Transfers):
    """Adds what takes pieces from places and puts them on others."""

    # ---- one piece

    def full(self, place: Value) -> None:
        """A status on the stack that is not zero: there is no room."""
        self.b.when()
        self.fault(FULL, place)
        self.b.end()

    def missing(self, place: Value) -> None:
        self.b.when()
        self.fault(MISSING, place)
        self.b.end()

    def take_piece(self, place: Value, class_: Value) -> None:
        b = self.b
        b.get(self.s)
        self.put(place)
        self.put(class_)
        b.call(self.plan.function("take", (I32, I32, I32)))
        self.missing(place)

    def put_piece(self, place: Value, class_: Value, number: Value, bottom: bool) -> None:
        b = self.b
        b.get(self.s)
        self.put(place)
        self.put(class_)
        self.put(number)
        b.i32(int(bottom))
        b.call(self.plan.function("put", (I32,) * 5))
        self.full(place)

    def moved(self, class_: Value, number: Value, source: Value, to: Value) -> None:
        """Triggers that watch one of the places note it, and it is told."""
        b = self.b
        if any(t.condition is None for t in self.mc.triggers):
            with b.borrowed(I32) as (status,):
                b.get(self.s)
                for x in (class_, number, source, to):
                    self.put(x)
                b.call(self.plan.function("moved", (I32,) * 5))
                b.tee(status)
                b.i32(0)
                b.op("i32.ge_s")
                b.when()
                self.fault(QUEUE_FULL, Held(status, WIDE))
                b.end()
        self.event(MOVED, class_, number, source, to)

    def split(self, ref: int, classes: int) -> tuple[Held, Held]:
        """The place and class of a piece in a local."""
        b = self.b
        place, class_ = b.local(), b.local()
        b.get(ref)
        b.i32(classes)
        b.op("i32.div_u")
        b.tee(place)
        b.i32(-classes)
        b.op("i32.mul")
        b.get(ref)
        b.op("i32.add")
        b.set(class_)
        return Held(place, (0, len(self.mc.places) - 1)), Held(class_, (0, classes - 1))

    def join(self, place: Value, class_: Value, classes: int) -> None:
        """Leaves the piece of a class on a place."""
        b = self.b
        self.put(place)
        b.i32(classes)
        b.op("i32.mul")
        self.put(class_)
        b.op("i32.add")

    def follow(self, slot: int | None, place: Value, class_: Value, classes: int) -> None:
        if slot is not None:
            with self.slot(slot):
                self.join(place, class_, classes)

    def _there(self, ref: int) -> None:
        """The piece in a local is not none."""
        b = self.b
        b.get(ref)
        b.i32(NONE)
        b.op("i32.eq")
        b.when()
        self.fault(OUT_OF_BOUNDS, NONE, 0, len(self.mc.places) - 1)
        b.end()

    # ---- nodes

    def move_piece(self, node: m.MovePiece) -> None:
        b = self.b
        with b.borrowed(I32) as (ref,):
            self.num(node.piece)
            b.set(ref)
            to = self.held(node.place)
            self._there(ref)
            source, class_ = self.split(ref, node.classes)
            self.take_piece(source, class_)
            self.put_piece(to, class_, Known(1), node.bottom)
            self.follow(node.follow, to, class_, node.classes)
            self.moved(class_, Known(1), source, to)
            self.drop(source, class_, to)

    def listed(self, source: m.Source, first: int, end: int) -> None:
        """The collection goes to the scratch as pairs of value and number, from `first` to `end`."""
        b, top = self.b, GLOBAL["top"]
        b.gget(top)
        b.set(first)

        def one(value: Value, n: Value) -> None:
            for i, x in enumerate((value, n)):
                b.gget(top)
                self.put(x)
                b.store(4 * i)
            self.global_add("top", 8)

        self.each(source, one, 20)
        b.gget(top)
        b.set(end)

    def move_all(self, node: m.MoveAll) -> None:
        b = self.b
        to = self.held(node.place)
        with b.borrowed(I32, I32, I32, I32, I32) as (first, end, p, ref, n):
            self.listed(node.source, first, end)
            b.get(first)
            b.set(p)
            with b.forever() as out:
                b.get(p)
                b.get(end)
                b.op("i32.ge_u")
                b.br_if(out)
                b.get(p)
                b.load()
                b.set(ref)
                source, class_ = self.split(ref, node.classes)
                self.put(source)
                self.put(to)
                b.op("i32.ne")
                b.when()
                b.get(p)
                b.load(4)
                b.set(n)
                taking = b.loop()
                self.take_piece(source, class_)
                b.get(n)
                b.i32(1)
                b.op("i32.sub")
                b.tee(n)
                b.br_if(taking)
                b.end()
                b.get(p)
                b.load(4)
                b.set(n)
                number = Held(n, (1, WIDE[1]))
                self.put_piece(to, class_, number, node.bottom)
                self.moved(class_, number, source, to)
                b.end()
                self.drop(source, class_)
                b.bump(p, 8)
            b.get(first)
            b.gset(GLOBAL["top"])
        self.drop(to)

    def move_some(self, node: m.MoveSome) -> None:
        b = self.b
        origin, to = self.held(node.source), self.held(node.place)
        if node.follow is not None:
            with self.slot(node.follow):
                b.i32(NONE)
        with b.borrowed(I32, I32) as (left, c):
            self.num(node.number)
            b.set(left)
            with b.forever() as out:
                b.get(left)
                b.i32(0)
                b.op("i32.le_s")
                b.br_if(out)
                b.get(self.s)
                self.put(origin)
                b.i32(0)
                b.call(self.plan.function("top", (I32, I32, I32)))
                b.tee(c)
                b.i32(0)
                b.op("i32.lt_s")
                b.br_if(out)
                class_ = Held(c, (0, node.classes - 1))
                self.take_piece(origin, class_)
                self.put_piece(to, class_, Known(1), node.bottom)
                self.follow(node.follow, to, class_, node.classes)
                self.moved(class_, Known(1), origin, to)
                b.get(left)
                b.i32(1)
                b.op("i32.sub")
                b.set(left)
        self.drop(origin, to)

    def take(self, node: m.Take) -> None:
        b = self.b
        origin, to = self.held(node.source), self.held(node.place)
        with b.borrowed(I32) as (c,):
            self.read_slot(node.slot)
            b.set(c)
            class_ = Held(c, (0, node.classes - 1))
            self.take_piece(origin, class_)
            self.put_piece(to, class_, Known(1), node.bottom)
            self.follow(node.follow, to, class_, node.classes)
            self.moved(class_, Known(1), origin, to)
        self.drop(origin, to)
